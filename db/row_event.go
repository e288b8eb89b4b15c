package db

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// eventRow is a row of events.
type eventRow struct {
	bun.BaseModel `bun:"table:events,alias:e"`

	SiteID int64     `bun:"site_id,pk"`
	Seq    int64     `bun:"seq,pk"`
	Mark   int64     `bun:"mark"`
	At     time.Time `bun:"at"`
	Kind   string    `bun:"kind"`
	Actor  *string   `bun:"actor"`

	CommandID     *int64     `bun:"command_id"`
	BatchID       *int64     `bun:"batch_id"`
	FromStatus    *string    `bun:"from_status"`
	ToStatus      *string    `bun:"to_status"`
	Cause         *string    `bun:"cause"`
	Waiting       *int       `bun:"waiting"`
	Error         *string    `bun:"error"`
	ResultKey     *string    `bun:"result_key"`
	Deliveries    *int       `bun:"deliveries"`
	ProgressDone  *int       `bun:"progress_done"`
	ProgressTotal *int       `bun:"progress_total"`
	ClaimedAt     *time.Time `bun:"claimed_at"`
	FinishedAt    *time.Time `bun:"finished_at"`
	RootCause     *int64     `bun:"root_cause"`

	Key       *string         `bun:"key"`
	MovedFrom *string         `bun:"moved_from"`
	Body      json.RawMessage `bun:"body"`
}

func (r *eventRow) event() (*queue.Event, error) {
	event := &queue.Event{
		Cursor:    queue.Cursor{Seq: r.Seq, Mark: r.Mark},
		At:        r.At.UTC(),
		Kind:      queue.EventKind(r.Kind),
		Actor:     orZero(r.Actor),
		Command:   queue.CommandID(orZero(r.CommandID)),
		Batch:     queue.BatchID(orZero(r.BatchID)),
		From:      queue.Status(orZero(r.FromStatus)),
		Cause:     queue.Cause(orZero(r.Cause)),
		State:     r.state(),
		Key:       queue.Key(orZero(r.Key)),
		MovedFrom: queue.Key(orZero(r.MovedFrom)),
	}

	if err := r.readBody(event); err != nil {
		return nil, fmt.Errorf("event %d: %w", r.Seq, err)
	}

	return event, nil
}

// state is how the event left its command. When an event last showed the progress is this very event.
func (r *eventRow) state() queue.State {
	return queue.State{
		Status:     queue.Status(orZero(r.ToStatus)),
		Waiting:    orZero(r.Waiting),
		Error:      r.Error,
		ResultKey:  keyOrNil(r.ResultKey),
		Deliveries: orZero(r.Deliveries),
		Progress:   progressOf(r.ProgressDone, r.ProgressTotal, &r.At),
		ClaimedAt:  inUTC(r.ClaimedAt),
		FinishedAt: inUTC(r.FinishedAt),
		RootCause:  queue.CommandID(orZero(r.RootCause)),
	}
}

// readBody takes the note or the pace as the event left it; a removed note has no body.
func (r *eventRow) readBody(event *queue.Event) error {
	if len(r.Body) == 0 {
		return nil
	}

	switch event.Kind {
	case queue.EventNote:
		return decodeJSON(r.Body, &event.Note)
	case queue.EventPace:
		return decodeJSON(r.Body, &event.Pace)
	case queue.EventCommand, queue.EventIssue, queue.EventBatch, queue.EventAgent:
	}

	return nil
}
