package db

import (
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// The guard stands in the condition: the row is there, or it would not have been viewed under this lock.
	writeCommand = `
UPDATE commands SET status = $4, waiting = $5, error = $6, result_key = $7, deliveries = $8, progress_done = $9,
	progress_total = $10, progress_at = $11, claimed_at = $12, finished_at = $13, root_cause = $14
WHERE site_id = $1 AND id = $2 AND CASE WHEN status = $3 THEN true ELSE hub_guard('the command has the status it leaves') END`

	writeCommands = `
WITH moved AS (
	UPDATE commands c SET status = n.status, waiting = n.waiting, error = n.error, result_key = n.result_key,
		deliveries = n.deliveries, progress_done = n.progress_done, progress_total = n.progress_total,
		progress_at = n.progress_at, claimed_at = n.claimed_at, finished_at = n.finished_at, root_cause = n.root_cause
	FROM unnest($2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::smallint[],
		$9::integer[], $10::integer[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::bigint[])
		AS n (id, was, status, waiting, error, result_key, deliveries, progress_done, progress_total, progress_at,
			claimed_at, finished_at, root_cause)
	WHERE c.site_id = $1 AND c.id = n.id AND c.status = n.was RETURNING 1
)
SELECT CASE WHEN count(*) <> $15 THEN hub_guard('the commands have the status they leave') END FROM moved`

	// The key that a creation made: it and all that name its temporary key are about that issue from now on.
	writeMade = `
INSERT INTO command_keys (site_id, key, command_id)
SELECT $1::bigint, $3::text, $2::bigint
UNION ALL SELECT $1, $3, command_id FROM command_refs WHERE site_id = $1 AND creation_id = $2
ON CONFLICT DO NOTHING`

	forgetCounted = `DELETE FROM refresh_keys WHERE site_id = $1 AND command_id = $2`
	writeCounted  = `
INSERT INTO refresh_keys (site_id, command_id, delivery, key)
SELECT $1::bigint, $2::bigint, $3::smallint, unnest($4::text[]) ON CONFLICT DO NOTHING`
)

// commandCells are the changing columns of a command, in the order of writeCommand.
func commandCells(update queue.CommandUpdate) []any {
	cmd := update.Command

	var (
		done, total *int
		toldAt      *time.Time
	)

	if p := cmd.Progress; p != nil {
		done, total, toldAt = &p.Done, p.Total, &p.ToldAt
	}

	return []any{
		cmd.ID, string(update.Was), string(cmd.Status), cmd.Waiting, cmd.Error, cmd.ResultKey, cmd.Deliveries,
		done, total, toldAt, cmd.ClaimedAt, cmd.FinishedAt, orNull(cmd.RootCause),
	}
}

// orNull is a reference as it is stored: none is null.
func orNull[ID ~int64](id ID) *int64 {
	if id == 0 {
		return nil
	}

	stored := int64(id)

	return &stored
}

func (w *writer) writeCommands() {
	updates := w.changes.Commands

	if len(updates) <= manyRows {
		for _, update := range updates {
			w.queue(writeCommand, append([]any{w.tx.site}, commandCells(update)...)...)
		}
	} else {
		w.queue(writeCommands, append(append([]any{w.tx.site}, columns(updates, commandCells)...), len(updates))...)
	}

	for _, update := range updates {
		w.followUp(update.Command)
	}
}

// writeCounted notes which keys the present delivery of a refresh has counted.
func (w *writer) writeCounted() {
	if refresh := w.changes.Refresh; refresh != nil && refresh.Status == queue.Claimed && len(w.changes.Counted) > 0 {
		w.queue(writeCounted, w.tx.site, refresh.ID, refresh.Deliveries, w.changes.Counted)
	}
}

// followUp writes what hangs on a command's new state.
func (w *writer) followUp(cmd *queue.Command) {
	if cmd.Kind == queue.KindIssue && cmd.ResultKey != nil {
		w.queue(writeMade, w.tx.site, cmd.ID, *cmd.ResultKey)
	}

	if cmd.Kind == queue.KindRefresh && !cmd.Status.Open() {
		w.queue(forgetCounted, w.tx.site, cmd.ID)
	}
}

// columns turns rows, of which there is at least one, into one list a column, for unnest.
func columns[T any](rows []T, cells func(T) []any) []any {
	lists := make([][]any, len(cells(rows[0])))

	for _, row := range rows {
		for column, cell := range cells(row) {
			lists[column] = append(lists[column], cell)
		}
	}

	args := make([]any, len(lists))
	for column, list := range lists {
		args[column] = list
	}

	return args
}

const (
	writeCounts = `
UPDATE batch_counts SET version = $4, counts = $5
WHERE site_id = $1 AND batch_id = $2 AND version >= $3
	AND CASE WHEN version = $3 THEN true ELSE hub_guard('the batch has the counts that were viewed') END`

	writeStatus = `UPDATE batches SET status = $3, finished_at = $4 WHERE site_id = $1 AND id = $2`
	writeHeld   = `UPDATE batches SET held = $3 WHERE site_id = $1 AND id = $2`
)

// writeBatches writes the counts of several batches; those of a single one go with the site's.
func (w *writer) writeBatches() {
	if len(w.changes.Batches) == 1 {
		return
	}

	for _, batch := range w.changes.Batches {
		w.queue(writeCounts, w.tx.site, batch.ID, batch.Version, w.changes.Site.Version, storedCounts(batch.Counts))
	}
}

// writeStatuses writes batches that began or ended, or were held or released.
func (w *writer) writeStatuses() {
	for _, batch := range w.changes.Restated {
		w.queue(writeStatus, w.tx.site, batch.ID, string(batch.Status()), batch.FinishedAt)
	}

	if held := w.changes.Held; held != nil {
		w.queue(writeHeld, w.tx.site, held.ID, held.Held)
	}
}
