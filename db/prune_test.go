package db

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// aged fills a log with one event an hour, the newest of them so many hours old.
func aged(t *testing.T, d *DB, name string, events, newest int) *filler {
	t.Helper()

	f := filledSite(t, d, name)
	f.seq = int64(events)

	run(t, d, `INSERT INTO events (site_id, seq, mark, at, kind, command_id)
		SELECT $1, n, n::bigint * 1000003, clock_timestamp() - make_interval(hours => $2::int - n + $3::int), 'command', 5
		FROM generate_series(1, $2::int) n`, f.site, events, newest)
	run(t, d, `UPDATE site_states SET head = $2::bigint, head_mark = $2::bigint * 1000003 WHERE site_id = $1`, f.site, events)

	return f
}

func (f *filler) kept() []int64 {
	f.t.Helper()

	return f.readLog(queue.LogQuery{First: 1000})
}

func mustPrune(ctx context.Context, t *testing.T, d *DB, keep time.Duration, want int64) {
	t.Helper()

	if pruned, err := d.prune(ctx, keep); err != nil || pruned != want {
		t.Errorf("%d events were pruned (%v), want %d", pruned, err, want)
	}
}

func TestWhatIsOlderThanAskedForGoesAndNothingElse(t *testing.T) {
	d := migrated(t)
	long, short, quiet := aged(t, d, "long", 2*pruneStep+500, 0), aged(t, d, "short", 10, 5), aged(t, d, "quiet", 10, 1000)
	empty := filledSite(t, d, "empty")

	// Hours -2499 to 0, of which those up to -100 are too old; -14 to -5; -1009 to -1000.
	mustPrune(t.Context(), t, d, 100*time.Hour-time.Minute, 2*pruneStep+400+9)

	if kept := long.kept(); len(kept) != 100 || kept[0] != 2*pruneStep+401 {
		t.Errorf("the long log has %d events from %d on", len(kept), kept[0])
	}

	if kept := short.kept(); len(kept) != 10 {
		t.Errorf("the short log has %d events", len(kept))
	}

	// The newest stays, and a reader at the head goes on from there.
	same(t, "the quiet log", quiet.kept(), 10)

	head, err := d.Head(t.Context(), quiet.site)
	if err != nil {
		t.Fatal(err)
	}

	quiet.addEvent(queue.EventPace, nil)
	same(t, "after the head", quiet.readLog(queue.LogQuery{After: &head, First: 5}), 11)
	same(t, "the empty log", empty.kept())

	mustPrune(t.Context(), t, d, 100*time.Hour-time.Minute, 1) // now it is not the newest any more
}

func TestAPrunedLogHasNoGapAlsoWhereTheClockWasSetBack(t *testing.T) {
	d := migrated(t)
	f := aged(t, d, "main", 10, 0)

	run(t, d, `UPDATE events SET at = at - interval '100 hours' WHERE site_id = $1 AND seq IN (2, 3, 7)`, f.site)
	run(t, d, `UPDATE events SET at = clock_timestamp() - interval '50 hours' WHERE site_id = $1 AND seq = 1`, f.site)
	mustPrune(t.Context(), t, d, 24*time.Hour, 3)
	same(t, "kept", f.kept(), 4, 5, 6, 7, 8, 9, 10)
}

func TestAPositionThatWasPrunedHasExpiredAndTheNextHasNot(t *testing.T) {
	d := migrated(t)
	f := aged(t, d, "main", 10, 0)
	begin := queue.Cursor{Mark: logMark(t, d, f.site)}
	cursor := func(seq int64) *queue.Cursor { return &queue.Cursor{Seq: seq, Mark: seq * 1000003} }

	page, err := d.Log(t.Context(), f.site, queue.LogQuery{First: 1})
	if err != nil || page.Begin != begin {
		t.Errorf("before, the log begins at %v (%v)", page.Begin, err)
	}

	mustPrune(t.Context(), t, d, 4*time.Hour+time.Minute, 5)

	for _, at := range []*queue.Cursor{&begin, cursor(1), cursor(5)} {
		if _, err := d.Log(t.Context(), f.site, queue.LogQuery{After: at, First: 5}); queue.CodeOf(err) != queue.CursorExpired {
			t.Errorf("position %d: %v", at.Seq, err)
		}
	}

	same(t, "after the oldest", f.readLog(queue.LogQuery{After: cursor(6), First: 5}), 7, 8, 9, 10)

	if page, err = d.Log(t.Context(), f.site, queue.LogQuery{First: 1}); err != nil || page.Begin != *cursor(6) {
		t.Errorf("the log begins at %v (%v)", page.Begin, err)
	}

	// The history of a command is as long as the log.
	history, err := d.History(t.Context(), f.site, []queue.CommandID{5})
	if err != nil || len(history[5]) != 5 {
		t.Errorf("%d events, %v", len(history[5]), err)
	}
}

func TestOneHubPrunesAtATime(t *testing.T) {
	d := migrated(t)
	f := aged(t, d, "main", 10, 0)

	err := d.inTx(t.Context(), nil, func(ctx context.Context, tx bun.IConn) error {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(pruneLock)); err != nil {
			return err
		}

		mustPrune(ctx, t, d, time.Hour, 0)

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	mustPrune(t.Context(), t, d, time.Hour, 9)
	same(t, "kept", f.kept(), 10)
}

func TestPruningWaitsForNoChangeAndHoldsNoneUp(t *testing.T) {
	d := migrated(t)
	f := aged(t, d, "main", 10, 0)

	err := d.Change(t.Context(), f.site, func(tx queue.Tx) error {
		if _, err := tx.Site(t.Context()); err != nil { // which locks it
			return err
		}

		mustPrune(t.Context(), t, d, time.Hour, 9)

		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReadersOfALogThatIsPrunedReadAllOrAreToldSo(t *testing.T) {
	d := migrated(t)
	f := aged(t, d, "main", 3*pruneStep, 0)

	var readers sync.WaitGroup

	for first := range 4 {
		readers.Go(func() {
			query := queue.LogQuery{First: 50 + first}

			for at := int64(0); ; {
				page, err := d.Log(t.Context(), f.site, query)
				if queue.CodeOf(err) == queue.CursorExpired {
					return
				}

				if err != nil {
					t.Error(err)

					return
				}

				for _, event := range page.Events {
					if at != 0 && event.Cursor.Seq != at+1 {
						t.Errorf("event %d after %d", event.Cursor.Seq, at)
					}

					at = event.Cursor.Seq
				}

				if query.After = &page.End; !page.HasNext {
					return
				}
			}
		})
	}

	mustPrune(t.Context(), t, d, 500*time.Hour-time.Minute, 3*pruneStep-500)
	readers.Wait()

	if kept := f.kept(); len(kept) != 500 || !slices.IsSorted(kept) {
		t.Errorf("%d are kept", len(kept))
	}
}

func TestManySitesArePrunedInOneRound(t *testing.T) {
	d := migrated(t)

	run(t, d, `WITH made AS (
			INSERT INTO sites (name, log_mark, pace) SELECT 's' || n, 1, '{}' FROM generate_series(1, $1::int) n RETURNING id
		), stated AS (INSERT INTO site_states (site_id, version, head, head_mark) SELECT id, 0, 2, 2 FROM made)
		INSERT INTO events (site_id, seq, mark, at, kind)
		SELECT id, n, 7, '2020-01-01T00:00:00Z', 'pace' FROM made, generate_series(1, 1 + (id % 100 = 0)::int) n`, pruneSites+300)

	mustPrune(t.Context(), t, d, time.Hour, 8)
}
