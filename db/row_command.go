package db

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// commandRow is a row of commands.
type commandRow struct {
	bun.BaseModel `bun:"table:commands,alias:c"`

	SiteID    int64           `bun:"site_id,pk"`
	ID        int64           `bun:"id,pk"`
	BatchID   int64           `bun:"batch_id"`
	Position  int             `bun:"position"`
	Kind      string          `bun:"kind"`
	Params    json.RawMessage `bun:"params"`
	TempKey   *string         `bun:"temp_key"`
	DedupeKey string          `bun:"dedupe_key"`
	Chain     int64           `bun:"chain"`
	RetryOf   *int64          `bun:"retry_of"`
	CreatedAt time.Time       `bun:"created_at"`

	Status        string     `bun:"status"`
	Waiting       int        `bun:"waiting"`
	Error         *string    `bun:"error"`
	ResultKey     *string    `bun:"result_key"`
	Deliveries    int        `bun:"deliveries"`
	ProgressDone  *int       `bun:"progress_done"`
	ProgressTotal *int       `bun:"progress_total"`
	ProgressAt    *time.Time `bun:"progress_at"`
	ClaimedAt     *time.Time `bun:"claimed_at"`
	FinishedAt    *time.Time `bun:"finished_at"`
	RootCause     *int64     `bun:"root_cause"`
}

// command is the row in the domain's words.
func (r *commandRow) command() (*queue.Command, error) {
	params, err := decodeParams(queue.Kind(r.Kind), r.Params)
	if err != nil {
		return nil, fmt.Errorf("command %d: %w", r.ID, err)
	}

	cmd := r.bare()
	cmd.Params = params

	return cmd, nil
}

// bare is the command without its parameters.
func (r *commandRow) bare() *queue.Command {
	return &queue.Command{
		ID:        queue.CommandID(r.ID),
		Batch:     queue.BatchID(r.BatchID),
		Position:  r.Position,
		Kind:      queue.Kind(r.Kind),
		TempKey:   queue.Key(orZero(r.TempKey)),
		DedupeKey: r.DedupeKey,
		CreatedAt: r.CreatedAt.UTC(),
		Chain:     queue.CommandID(r.Chain),
		RetryOf:   queue.CommandID(orZero(r.RetryOf)),
		State: queue.State{
			Status:     queue.Status(r.Status),
			Waiting:    r.Waiting,
			Error:      r.Error,
			ResultKey:  keyOrNil(r.ResultKey),
			Deliveries: r.Deliveries,
			Progress:   progressOf(r.ProgressDone, r.ProgressTotal, r.ProgressAt),
			ClaimedAt:  inUTC(r.ClaimedAt),
			FinishedAt: inUTC(r.FinishedAt),
			RootCause:  queue.CommandID(orZero(r.RootCause)),
		},
	}
}

// progressOf reads the progress of a refresh; nil where it has made none.
func progressOf(done, total *int, toldAt *time.Time) *queue.Progress {
	if done == nil {
		return nil
	}

	return &queue.Progress{Done: *done, Total: total, ToldAt: orZero(inUTC(toldAt))}
}

func keyOrNil(text *string) *queue.Key {
	if text == nil {
		return nil
	}

	key := queue.Key(*text)

	return &key
}

func orZero[T any](value *T) T {
	if value == nil {
		var zero T

		return zero
	}

	return *value
}

// inUTC is the same instant on the clock that everything of the domain is on.
func inUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}

	utc := at.UTC()

	return &utc
}
