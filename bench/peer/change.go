package peer

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Path is where a peer is posted the change that it is to deliver.
const Path = "/change"

// Subscription is what everybody subscribes to: a dozen fields.
const Subscription = `subscription($after: Cursor) {
  commandChanged(after: $after) { cursor at from to cause actor command { id position kind status deliveries claimedAt } }
}`

// Change is the answer to Subscription, as the hub would write it.
type Change struct {
	Cursor  string    `json:"cursor"`
	At      time.Time `json:"at"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Cause   string    `json:"cause"`
	Actor   string    `json:"actor"`
	Command Command   `json:"command"`
}

// Command is the part of a Change that is about the command.
type Command struct {
	ID         string    `json:"id"`
	Position   int       `json:"position"`
	Kind       string    `json:"kind"`
	Status     string    `json:"status"`
	Deliveries int       `json:"deliveries"`
	ClaimedAt  time.Time `json:"claimedAt"`
}

// Numbered is the n-th change of a site.
func Numbered(n int) Change {
	now := time.Now().UTC().Truncate(time.Microsecond)

	return Change{
		Cursor: queue.Cursor{Seq: int64(n), Mark: 4711}.String(), At: now,
		From: "QUEUED", To: "CLAIMED", Cause: "CLAIMED", Actor: "bench",
		Command: Command{
			ID: strconv.Itoa(100_000 + n), Position: n, Kind: "ENSURE_STATUS", Status: "CLAIMED", Deliveries: 1, ClaimedAt: now,
		},
	}
}

// JSON is the change as it is posted.
func (c Change) JSON() ([]byte, error) {
	text, err := json.Marshal(c)

	return text, err //nolint:wrapcheck // it never fails
}

// graphed is the change as gqlgen's generated code takes it.
func (c Change) graphed() (*graph.CommandChange, error) {
	cursor, err := queue.ParseCursor(c.Cursor)
	if err != nil {
		return nil, fmt.Errorf("read the cursor: %w", err)
	}

	id, err := queue.ParseCommandID(c.Command.ID)
	if err != nil {
		return nil, fmt.Errorf("read the command's id: %w", err)
	}

	// The domain's words are the schema's in small letters.
	from := queue.Status(strings.ToLower(c.From))

	return &graph.CommandChange{
		Cursor: cursor, At: c.At, From: &from, To: queue.Status(strings.ToLower(c.To)),
		Cause: queue.Cause(strings.ToLower(c.Cause)), Actor: &c.Actor,
		Event: &queue.Event{Command: id, State: queue.State{
			Status: queue.Status(strings.ToLower(c.Command.Status)), Deliveries: c.Command.Deliveries, ClaimedAt: &c.Command.ClaimedAt,
		}},
	}, nil
}
