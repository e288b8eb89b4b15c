package db

// writeStep is what a claim and a report of one command write: its state, its batch's counts, the site's state and
// the event, in one statement. Nearly every change is one of these, and each statement less is a tenth of its time.
const writeStep = `
WITH command AS (
	UPDATE commands SET status = $4, waiting = $5, error = $6, result_key = $7, deliveries = $8, progress_done = $9,
		progress_total = $10, progress_at = $11, claimed_at = $12, finished_at = $13, root_cause = $14
	WHERE site_id = $1 AND id = $2 AND status = $3 RETURNING 1
), counted AS (
	UPDATE batch_counts SET version = $18, counts = $17 WHERE site_id = $1 AND batch_id = $15 AND version = $16 RETURNING 1
), moved AS (
	UPDATE site_states SET version = $18, head = $20, head_mark = $21, counts = $22, in_hand = $23, ready_from = $24,
		failures_in_row = $25, claim_number = $26, seat_instance = $27, seat_seen_at = $28, seat_pause_seconds = $29,
		seat_claim_number = $30, seat_noted_at = $31, batches = $32, issues = $33, notes = $34
	WHERE site_id = $1 AND version = $19 RETURNING 1
), logged AS (
	INSERT INTO events (site_id, seq, mark, at, kind, actor, command_id, batch_id, from_status, to_status, cause, waiting,
		error, result_key, deliveries, progress_done, progress_total, claimed_at, finished_at, root_cause)
	VALUES ($1, $20, $21, $35, 'command', $36, $2, $15, $3, $4, $37, $5, $6, $7, $8, $9, $10, $12, $13, $14)
)
SELECT hub_guard('a step of one command', touched, 3)
FROM (SELECT (SELECT count(*) FROM command) + (SELECT count(*) FROM counted) + (SELECT count(*) FROM moved)) AS t (touched)
WHERE touched <> 3`

// step tells whether the change is one command's step to another status and nothing beside it that writeStep lacks.
func (w *writer) step() bool {
	c := w.changes

	return len(c.Commands) == 1 && len(c.Batches) == 1 && len(c.Events) == 1 && c.New == nil &&
		c.Events[0].Command == c.Commands[0].Command.ID && c.Events[0].From == c.Commands[0].Was
}

func (w *writer) writeStep() {
	c := w.changes
	update, batch, event, site := c.Commands[0], c.Batches[0], &c.Events[0], &c.Site
	args := append([]any{w.tx.site}, commandCells(update)...)
	args = append(args, batch.ID, batch.Version, storedCounts(batch.Counts), site.Version, w.tx.version)
	args = append(args, w.stateCells(event.Cursor.Mark)...)

	w.queue(writeStep, append(args, event.At, textOrNull(event.Actor), string(event.Cause))...)
	w.followUp(update.Command)
}

// stateCells are the site's state after the change.
func (w *writer) stateCells(headMark int64) []any {
	s := &w.changes.Site
	seat := &s.Seat

	return []any{
		s.Head, headMark, storedCounts(s.Counts), s.InHand, s.ReadyFrom, s.FailuresInRow, s.ClaimNumber,
		seat.Instance, seat.SeenAt, seat.PauseSeconds, seat.ClaimNumber, seat.NotedAt,
		s.Totals.Batches, s.Totals.Issues, s.Totals.Notes,
	}
}
