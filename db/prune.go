package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// pruneEvery is how often the log is pruned; pruneFirst how long after the start, when others want the database.
	pruneEvery = 5 * time.Minute
	pruneFirst = time.Minute

	// pruneStep is how many events go in one transaction, pruneSites how many sites are looked at in one.
	pruneStep  = 1000
	pruneSites = 500
	// prunePause keeps the steps from taking the disk for themselves.
	prunePause = 20 * time.Millisecond

	// pruneLock is held by the one hub that prunes, in each of its transactions.
	pruneLock = 0x73646c6370727565

	// A log goes from its oldest event on, as far as each is too old: what is kept has no gap, also where the clock was
	// set back. The newest stays whatever its age, for it is the position that everybody goes on from.
	pruneSite = `
DELETE FROM events WHERE site_id = ?0 AND seq < (
	SELECT coalesce(min(seq) FILTER (WHERE at >= clock_timestamp() - make_interval(secs => ?1)), max(seq) + 1)
	FROM (SELECT seq, at FROM events WHERE site_id = ?0 ORDER BY seq LIMIT ?2) AS oldest
) AND seq < (SELECT max(seq) FROM events WHERE site_id = ?0)`

	sitesToPrune = `
SELECT s.id, coalesce(oldest.at < clock_timestamp() - make_interval(secs => ?1), false)
	AND EXISTS (SELECT FROM events WHERE site_id = s.id AND seq > oldest.seq) AS due
FROM (SELECT id FROM sites WHERE id > ?0 ORDER BY id LIMIT ?2) AS s
LEFT JOIN LATERAL (SELECT seq, at FROM events WHERE site_id = s.id ORDER BY seq LIMIT 1) AS oldest ON true
ORDER BY s.id`
)

// KeepEvents prunes the logs of all sites now and then, of what is older than that, until the context ends. Of several
// hubs one does it at a time.
func (d *DB) KeepEvents(ctx context.Context, atLeast time.Duration) {
	for next := pruneFirst; wait(ctx, next) == nil; next = pruneEvery {
		pruned, err := d.prune(ctx, atLeast)

		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			d.log.WarnContext(ctx, "old events could not be pruned; they will be later", "error", err)
		case pruned > 0:
			d.log.InfoContext(ctx, "old events were pruned", "events", pruned)
		}
	}
}

// prune takes from every log what is older than that, in small steps, and gives how many events went. Where another hub
// is at it, it stops.
func (d *DB) prune(ctx context.Context, keep time.Duration) (pruned int64, err error) {
	for after := queue.SiteID(0); ; {
		sites, last, err := d.sitesToPrune(ctx, after, keep)
		if err != nil {
			return pruned, err
		}

		for _, site := range sites {
			for step := int64(pruneStep); step == pruneStep; pruned += step {
				var ours bool

				step, ours, err = d.pruneStep(ctx, site, keep)
				if err != nil || !ours {
					return pruned, err
				}

				if err := wait(ctx, prunePause); err != nil {
					return pruned, err
				}
			}
		}

		if last == 0 {
			return pruned, nil
		}

		after = last
	}
}

// sitesToPrune gives those of the next sites with an event that may go, and the last one looked at, 0 for none.
func (d *DB) sitesToPrune(
	ctx context.Context, after queue.SiteID, keep time.Duration,
) (due []queue.SiteID, last queue.SiteID, err error) {
	var rows []struct {
		ID  queue.SiteID `bun:"id"`
		Due bool         `bun:"due"`
	}

	err = d.reading(ctx, "look for old events", func(ctx context.Context, at bun.IConn) error {
		return d.bun.NewRaw(sitesToPrune, after, keep.Seconds(), pruneSites).Conn(at).Scan(ctx, &rows)
	})

	for _, row := range rows {
		last = row.ID

		if row.Due {
			due = append(due, row.ID)
		}
	}

	return due, last, err
}

// pruneStep takes at most pruneStep events from one log, and gives how many; false where another hub is at it. It
// leaves the site's lock alone: what is written goes on, at the other end.
func (d *DB) pruneStep(ctx context.Context, site queue.SiteID, keep time.Duration) (pruned int64, ours bool, err error) {
	err = d.within(ctx, "prune the log", func(ctx context.Context) error {
		return d.inTx(ctx, nil, func(ctx context.Context, tx bun.IConn) error {
			// Not held between the steps, so that it works behind a pooler of transactions too.
			lock := d.bun.NewRaw("SELECT pg_try_advisory_xact_lock(?)", int64(pruneLock)).Conn(tx)
			if err := lock.Scan(ctx, &ours); err != nil || !ours {
				return err //nolint:wrapcheck // within wraps
			}

			done, err := d.bun.NewRaw(pruneSite, site, keep.Seconds(), pruneStep).Conn(tx).Exec(ctx)
			if err != nil {
				return fmt.Errorf("site %d: %w", site, err)
			}

			pruned, err = done.RowsAffected()

			return err //nolint:wrapcheck // within wraps
		})
	})

	return pruned, ours, err
}
