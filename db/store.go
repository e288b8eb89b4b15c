package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

var (
	_ queue.Store = (*DB)(nil)
	_ queue.Waker = (*DB)(nil)
	_ queue.Tx    = (*tx)(nil)
)

// Change runs one change of a site in one transaction; see queue.Store.
func (d *DB) Change(ctx context.Context, site queue.SiteID, change func(queue.Tx) error) error {
	limit := &stepLimit{of: d.options.Answer}
	defer limit.end()

	conn, leave, err := d.enter(ctx, limit.within(ctx), site)
	if err != nil {
		return d.told(ctx, err, "take the site")
	}
	defer leave()

	t := &tx{conn: conn, site: site, limit: limit, memory: &d.recall, known: d.recall.take(site)}
	err = change(t)
	t.end(ctx)

	// What was decided on memory counts only where the guards let it be written.
	if t.recalled && !t.committed && t.isIdle() {
		t = &tx{conn: conn, site: site, limit: limit, memory: &d.recall}
		err = change(t)
		t.end(ctx)
	}

	if t.committed {
		d.changed(site)
		d.grew(t.events)
	}

	return d.told(ctx, err, "change the site")
}

// enter waits for the site's turn in this process and for a connection, as long as waiting, which is of ctx, allows.
func (d *DB) enter(ctx, waiting context.Context, site queue.SiteID) (*pgxpool.Conn, func(), error) {
	unlock, err := d.locks.lock(waiting, site)
	if err != nil {
		return nil, nil, busy(ctx, err)
	}

	conn, err := d.pool.Acquire(waiting)
	if err != nil {
		err = ownDeadline(ctx, waiting, err)

		unlock()

		if stat := d.pool.Stat(); stat.AcquiredConns() == stat.MaxConns() {
			err = busy(ctx, err)
		}

		return nil, nil, err
	}

	return conn, func() {
		conn.Release()
		unlock()
	}, nil
}

// busy tells a wait for others' changes that took too long from a caller who went away.
func busy(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}

	return queue.Busy(err)
}

// tx is one change of a site: two pipelined round trips where the first view tells all. The first begins, locks and
// views; the last changes, logs and commits.
type tx struct {
	conn  *pgxpool.Conn
	site  queue.SiteID
	limit *stepLimit

	begun, committed bool
	// events is how many a committed change made.
	events int
	// version and headMark are what the state row had when it was viewed.
	version, headMark int64
	// viewed is the site as it was viewed, and viewedAt when.
	viewed   *queue.Site
	viewedAt time.Time

	// memory takes what this change leaves; known is what an earlier one left, and recalled tells that it was used.
	memory   *recall
	known    *remembered
	recalled bool
}

const (
	lockSite = `SELECT id FROM sites WHERE id = $1 FOR NO KEY UPDATE`

	// rollbackWithin bounds the end of a transaction that changes nothing.
	rollbackWithin = time.Second
)

// query is one statement of a round trip, and what reads its rows.
type query struct {
	sql  string
	args []any
	read func(rows pgx.Rows) error
}

// view runs the queries in one round trip, and begins and locks before them where that has not been done: the lock
// and what is read under it must be two statements, or the second could see the state of before the lock.
func (t *tx) view(ctx context.Context, queries ...query) error {
	bounded := t.limit.within(ctx)
	batch := &pgx.Batch{}

	t.begin(batch)

	for _, q := range queries {
		batch.Queue(q.sql, q.args...).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := q.read(rows); err != nil {
					return err
				}
			}

			return rows.Err()
		})
	}

	return ownDeadline(ctx, bounded, t.conn.SendBatch(bounded, batch).Close())
}

// begin begins and locks, where that has not been done.
func (t *tx) begin(batch *pgx.Batch) {
	if t.begun {
		return
	}

	t.begun = true

	batch.Queue("BEGIN")
	batch.Queue(lockSite, t.site).Query(func(rows pgx.Rows) error {
		if !rows.Next() {
			return queue.Refusef(queue.NotFound, "the site is gone")
		}

		return nil
	})
}

// isIdle tells that the connection lives and has no transaction.
func (t *tx) isIdle() bool {
	return !t.conn.Conn().IsClosed() && t.conn.Conn().PgConn().TxStatus() == 'I'
}

// end undoes what was not committed. A connection that cannot even do that is closed with its transaction.
func (t *tx) end(ctx context.Context) {
	if !t.begun || t.isIdle() {
		return
	}

	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackWithin)
	defer cancel()

	if _, err := t.conn.Exec(bounded, "ROLLBACK"); err != nil {
		_ = t.conn.Conn().Close(bounded)
	}
}
