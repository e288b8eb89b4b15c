package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// errAppliedTwice is a mistake of a verb: a change has one Apply, before which its views are loaded.
var errAppliedTwice = errors.New("a change is applied once, after a view")

// manyRows is from when on rows go in by COPY rather than by one statement each in the last round trip.
const manyRows = 16

// rowsAMillisecond is how fast rows surely go in, to bound how long a large change may take.
const rowsAMillisecond = 2

// Apply writes the changes and commits, in one round trip where they are few.
func (t *tx) Apply(ctx context.Context, changes *queue.Changes) error {
	if !t.begun && !t.recalled || t.committed {
		return errAppliedTwice
	}

	rows := len(changes.Events) + len(changes.Commands)
	t.events = len(changes.Events)
	bounded := t.limit.within(ctx)

	if rows > manyRows {
		bounded = t.limit.extend(ctx, time.Duration(rows/rowsAMillisecond)*time.Millisecond)
	}

	w := &writer{tx: t, changes: changes, batch: &pgx.Batch{}}

	err := w.write(bounded)
	t.committed = err == nil && t.isIdle()

	if t.committed {
		t.memory.keep(t, changes)
	}

	return ownDeadline(ctx, bounded, err)
}

// writer writes one change.
type writer struct {
	tx      *tx
	changes *queue.Changes
	// batch is the last round trip.
	batch *pgx.Batch
	err   error
}

func (w *writer) write(ctx context.Context) error {
	head := w.mark()

	w.tx.begin(w.batch)

	if err := w.copyNew(ctx); err != nil {
		return err
	}

	if err := w.writeEvents(ctx); err != nil {
		return err
	}

	w.writeCommands()
	w.writeBatches()

	w.writeCounted()
	w.writeStatuses()
	w.writeMirror()
	w.writeNotes()
	w.writeAgent()
	w.writeSite(head)

	if w.err != nil {
		return w.err
	}

	w.batch.Queue("COMMIT")

	return w.tx.conn.SendBatch(ctx, w.batch).Close() //nolint:wrapcheck // Change wraps
}

// mark gives each event its random mark and returns that of the newest.
func (w *writer) mark() int64 {
	for i := range w.changes.Events {
		w.tx.headMark = int64(rand.Uint64()) //nolint:gosec // it tells positions apart and keeps no secret
		w.changes.Events[i].Cursor.Mark = w.tx.headMark
	}

	return w.tx.headMark
}

// queue adds a statement to the last round trip.
func (w *writer) queue(sql string, args ...any) { w.batch.Queue(sql, args...) }

// json encodes a value for a json column; an error ends the change.
func (w *writer) json(value any) *string {
	raw, err := encodeJSON(value)
	if err != nil {
		w.err = errors.Join(w.err, err)
	}

	text := string(raw)

	return &text
}

const (
	// A version beyond the viewed one must not be passed by, so it is looked for as well.
	writeState = `
UPDATE site_states SET version = $3, head = $4, head_mark = $5, counts = $6, in_hand = $7, ready_from = $8,
	failures_in_row = $9, claim_number = $10, seat_instance = $11, seat_seen_at = $12, seat_pause_seconds = $13,
	seat_claim_number = $14, seat_noted_at = $15, batches = $16, issues = $17, notes = $18
WHERE site_id = $1 AND version >= $2 AND CASE WHEN version = $2 THEN true ELSE hub_guard('the site is as it was viewed') END`

	// writeStateAndCounts is that and the counts of one batch, which go together nearly always.
	writeStateAndCounts = `
WITH counted AS (
	UPDATE batch_counts SET version = $3, counts = $21
	WHERE site_id = $1 AND batch_id = $19 AND version >= $20
		AND CASE WHEN version = $20 THEN true ELSE hub_guard('the batch has the counts that were viewed') END
)` + writeState

	writePace = `UPDATE sites SET pace = $2 WHERE id = $1`
	writeJira = `UPDATE sites SET jira = $2 WHERE id = $1`
)

func (w *writer) writeSite(headMark int64) {
	s := &w.changes.Site
	seat := &s.Seat

	sql, cells := writeState, []any{
		w.tx.site, w.tx.version, s.Version, s.Head, headMark, storedCounts(s.Counts), s.InHand, s.ReadyFrom,
		s.FailuresInRow, s.ClaimNumber, seat.Instance, seat.SeenAt, seat.PauseSeconds, seat.ClaimNumber, seat.NotedAt,
		s.Totals.Batches, s.Totals.Issues, s.Totals.Notes,
	}

	if counted := w.changes.Batches; len(counted) == 1 {
		sql, cells = writeStateAndCounts, append(cells, counted[0].ID, counted[0].Version, storedCounts(counted[0].Counts))
	}

	w.queue(sql, cells...)

	if w.changes.Pace != nil {
		w.queue(writePace, w.tx.site, w.json(w.changes.Pace))
	}

	if w.changes.Jira != nil {
		w.queue(writeJira, w.tx.site, w.json(w.changes.Jira))
	}
}

func storedCounts(counts queue.Counts) []int32 {
	stored := make([]int32, 0, len(queue.Statuses()))
	for _, status := range queue.Statuses() {
		stored = append(stored, int32(*counts.Of(status))) //nolint:gosec // ids of commands end before counts overflow
	}

	return stored
}

const (
	writeAgent = `
INSERT INTO agents AS a (site_id, name, instance, version, problem, last_seen_at, claim_number)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (site_id, name, instance) DO UPDATE SET
	version = coalesce(excluded.version, a.version),
	problem = CASE WHEN $8 THEN excluded.problem ELSE a.problem END,
	last_seen_at = greatest(a.last_seen_at, excluded.last_seen_at),
	claim_number = greatest(a.claim_number, excluded.claim_number)`

	// Names of instances are made up by those who call, so the list of agents is kept bounded.
	forgetAgents = `DELETE FROM agents WHERE site_id = $1 AND last_seen_at < $2`
	agentsKept   = 7 * 24 * time.Hour
)

func (w *writer) writeAgent() {
	agent := w.changes.Agent
	if agent == nil {
		return
	}

	w.queue(writeAgent, w.tx.site, agent.Name, agent.Instance, agent.Version, agent.Problem, agent.LastSeenAt,
		agent.ClaimNumber, w.changes.Told)
	w.queue(forgetAgents, w.tx.site, agent.LastSeenAt.Add(-agentsKept))
}
