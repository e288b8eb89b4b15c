package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const writeEvent = `
INSERT INTO events (site_id, seq, mark, at, kind, actor, command_id, batch_id, from_status, to_status, cause, waiting,
	error, result_key, deliveries, progress_done, progress_total, claimed_at, finished_at, root_cause, key, moved_from, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`

func eventColumns() []string {
	return []string{
		"site_id", "seq", "mark", "at", "kind", "actor", "command_id", "batch_id", "from_status", "to_status", "cause",
		"waiting", "error", "result_key", "deliveries", "progress_done", "progress_total", "claimed_at", "finished_at",
		"root_cause", "key", "moved_from", "body",
	}
}

// writeEvents appends to the log: with the last round trip where they are few, by COPY where they are many.
func (w *writer) writeEvents(ctx context.Context) error {
	events := w.changes.Events

	if len(events) <= manyRows {
		for i := range events {
			w.queue(writeEvent, w.eventCells(&events[i])...)
		}

		return nil
	}

	return w.copy(ctx, "events", eventColumns(), len(events), func(i int) []any { return w.eventCells(&events[i]) })
}

// eventCells are the columns of an event, in the order of eventColumns.
func (w *writer) eventCells(e *queue.Event) []any {
	cells := make([]any, 0, len(eventColumns()))
	cells = append(cells, w.tx.site, e.Cursor.Seq, e.Cursor.Mark, e.At, string(e.Kind), textOrNull(e.Actor),
		orNull(e.Command), orNull(e.Batch))

	if e.Kind == queue.EventCommand {
		s := &e.State

		var done, total *int
		if s.Progress != nil {
			done, total = &s.Progress.Done, s.Progress.Total
		}

		cells = append(cells, textOrNull(string(e.From)), string(s.Status), string(e.Cause), s.Waiting, s.Error, s.ResultKey,
			s.Deliveries, done, total, s.ClaimedAt, s.FinishedAt, orNull(s.RootCause))
	} else {
		cells = append(cells, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil)
	}

	return append(cells, textOrNull(string(e.Key)), textOrNull(string(e.MovedFrom)), w.eventBody(e))
}

func (w *writer) eventBody(e *queue.Event) *string {
	switch {
	case e.Note != nil:
		return w.json(e.Note)
	case e.Pace != nil:
		return w.json(e.Pace)
	default:
		return nil
	}
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}

	return &text
}

// copy sends rows by COPY.
func (w *writer) copy(ctx context.Context, table string, columns []string, rows int, row func(i int) []any) error {
	if rows == 0 {
		return nil
	}

	_, err := w.tx.conn.CopyFrom(ctx, pgx.Identifier{table}, columns,
		pgx.CopyFromSlice(rows, func(i int) ([]any, error) { return row(i), w.err }))

	return err //nolint:wrapcheck // Change wraps
}
