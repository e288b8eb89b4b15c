package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// The seven statuses as the tables have them, in the order in which counts stand there.
const (
	queued    = "queued"
	claimed   = "claimed"
	done      = "done"
	failed    = "failed"
	cancelled = "cancelled"
	skipped   = "skipped"
	confirmed = "confirmed_by_state"
)

func statuses() []string {
	return []string{queued, claimed, done, failed, cancelled, skipped, confirmed}
}

// counts are how many commands have each of the statuses.
type counts [7]int

// state is what changes of a command.
type state struct {
	status     string
	waiting    int
	err        *string
	resultKey  *string
	deliveries int
	claimedAt  *time.Time
	finishedAt *time.Time
	rootCause  *int64
}

// event is an entry of a site's log; what its kind has not is zero.
type event struct {
	seq           int64
	at            time.Time
	kind          string
	actor         *string
	command       int64
	batch         int64
	from          *string
	cause         string
	state         state
	key, previous string
	body          json.RawMessage
}

// commandRow is a row of commands.
type commandRow struct {
	id, batch int64
	position  int
	kind      string
	params    json.RawMessage
	tempKey   *string
	dedupeKey string
	retryOf   *int64
	state     state
}

// batchRow is a row of batches with its counts.
type batchRow struct {
	id         int64
	author     string
	clientKey  *string
	status     string
	held       bool
	finishedAt *time.Time
	counts     counts
}

// noteRow is a row of notes.
type noteRow struct{ text, author string }

// need is a command that waits for a creation of its batch.
type need struct{ command, creation int64 }

// tables are all that the database has of one site, as of one moment.
type tables struct {
	site   string
	head   int64
	inHand int64
	counts counts
	paused bool
	// offHours tells that there are working hours; the trial only ever sets some that are over.
	offHours bool
	events   []event
	// order is the ids of the commands as they come.
	order    []int64
	commands map[int64]*commandRow
	batches  map[int64]*batchRow
	needs    map[need]bool
	notes    map[string]noteRow
	issues   map[string]bool
}

// readTables reads a site in one snapshot, and writes nothing.
func readTables(ctx context.Context, conn *pgx.Conn, site string) (*tables, error) {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // nothing was written

	r := &reader{tx: tx, tables: &tables{
		site: site, commands: map[int64]*commandRow{}, batches: map[int64]*batchRow{},
		needs: map[need]bool{}, notes: map[string]noteRow{}, issues: map[string]bool{},
	}}

	for _, read := range []func(context.Context) error{
		r.readSite, r.readEvents, r.readCommands, r.readBatches, r.readNeeds, r.readNotes, r.readIssues,
	} {
		if err := read(ctx); err != nil {
			return nil, fmt.Errorf("read the tables of %s: %w", site, err)
		}
	}

	return r.tables, nil
}

// reader fills tables.
type reader struct {
	*tables

	tx pgx.Tx
	id int64
}

// each calls read for each row of a statement over the site.
func (r *reader) each(ctx context.Context, sql string, read func(pgx.Rows) error) error {
	rows, err := r.tx.Query(ctx, sql, r.id)
	if err != nil {
		return err
	}
	defer rows.Close()

	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}

	return rows.Err()
}

func (r *reader) readSite(ctx context.Context) error {
	var (
		found []int32
		pace  paceBody
	)

	err := r.tx.QueryRow(ctx, `
SELECT s.id, s.pace, t.head, t.in_hand, t.counts FROM sites s JOIN site_states t ON t.site_id = s.id WHERE s.name = $1`,
		r.site).Scan(&r.id, &pace, &r.head, &r.inHand, &found)
	if err != nil {
		return err
	}

	r.paused, r.offHours = pace.Paused, pace.WorkingHours != nil
	r.counts, err = countsOf(found)

	return err
}

// paceBody is the part of a pace, in the tables and in an event, that forbids claims.
type paceBody struct {
	Paused       bool             `json:"paused"`
	WorkingHours *json.RawMessage `json:"workingHours"`
}

func countsOf(found []int32) (counts, error) {
	var all counts
	if len(found) != len(all) {
		return all, fmt.Errorf("%d counts for %d statuses", len(found), len(all))
	}

	for i, n := range found {
		all[i] = int(n)
	}

	return all, nil
}

func (r *reader) readEvents(ctx context.Context) error {
	return r.each(ctx, `
SELECT seq, at, kind, actor, coalesce(command_id, 0), coalesce(batch_id, 0), from_status, coalesce(to_status, ''),
	coalesce(cause, ''), coalesce(waiting, 0), error, result_key, coalesce(deliveries, 0), claimed_at, finished_at,
	root_cause, coalesce(key, ''), coalesce(moved_from, ''), body
FROM events WHERE site_id = $1 ORDER BY seq`, func(rows pgx.Rows) error {
		var e event

		s := &e.state
		if err := rows.Scan(&e.seq, &e.at, &e.kind, &e.actor, &e.command, &e.batch, &e.from, &s.status, &e.cause, &s.waiting,
			&s.err, &s.resultKey, &s.deliveries, &s.claimedAt, &s.finishedAt, &s.rootCause, &e.key, &e.previous, &e.body); err != nil {
			return err
		}

		r.events = append(r.events, e)

		return nil
	})
}

func (r *reader) readCommands(ctx context.Context) error {
	return r.each(ctx, `
SELECT id, batch_id, position, kind, params, temp_key, dedupe_key::text, retry_of, status, waiting, error, result_key,
	deliveries, claimed_at, finished_at, root_cause
FROM commands WHERE site_id = $1 ORDER BY id`, func(rows pgx.Rows) error {
		var c commandRow

		s := &c.state
		if err := rows.Scan(&c.id, &c.batch, &c.position, &c.kind, &c.params, &c.tempKey, &c.dedupeKey, &c.retryOf, &s.status,
			&s.waiting, &s.err, &s.resultKey, &s.deliveries, &s.claimedAt, &s.finishedAt, &s.rootCause); err != nil {
			return err
		}

		r.order = append(r.order, c.id)
		r.commands[c.id] = &c

		return nil
	})
}

func (r *reader) readBatches(ctx context.Context) error {
	return r.each(ctx, `
SELECT b.id, b.author, b.client_key, b.status, b.held, b.finished_at, c.counts
FROM batches b JOIN batch_counts c ON c.site_id = b.site_id AND c.batch_id = b.id
WHERE b.site_id = $1`, func(rows pgx.Rows) error {
		var (
			b     batchRow
			found []int32
			err   error
		)

		if err := rows.Scan(&b.id, &b.author, &b.clientKey, &b.status, &b.held, &b.finishedAt, &found); err != nil {
			return err
		}

		if r.batches[b.id] != nil {
			return fmt.Errorf("batch %d has several counts", b.id)
		}

		r.batches[b.id] = &b
		b.counts, err = countsOf(found)

		return err
	})
}

func (r *reader) readNeeds(ctx context.Context) error {
	return r.each(ctx, `SELECT command_id, creation_id FROM command_refs WHERE site_id = $1`, func(rows pgx.Rows) error {
		var n need
		if err := rows.Scan(&n.command, &n.creation); err != nil {
			return err
		}

		r.needs[n] = true

		return nil
	})
}

func (r *reader) readNotes(ctx context.Context) error {
	return r.each(ctx, `SELECT key, text, author FROM notes WHERE site_id = $1`, func(rows pgx.Rows) error {
		var (
			key string
			n   noteRow
		)

		if err := rows.Scan(&key, &n.text, &n.author); err != nil {
			return err
		}

		r.notes[key] = n

		return nil
	})
}

func (r *reader) readIssues(ctx context.Context) error {
	return r.each(ctx, `SELECT key FROM issues WHERE site_id = $1`, func(rows pgx.Rows) error {
		var key string
		if err := rows.Scan(&key); err != nil {
			return err
		}

		r.issues[key] = true

		return nil
	})
}
