package db

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// readLog reads the log page by page and gives the numbers of its events.
func (f *filler) readLog(query queue.LogQuery) []int64 {
	f.t.Helper()

	var seqs []int64

	for {
		page, err := f.d.Log(f.t.Context(), f.site, query)
		if err != nil {
			f.t.Fatal(err)
		}

		for _, event := range page.Events {
			seqs = append(seqs, event.Cursor.Seq)
		}

		if len(page.Events) > query.First {
			f.t.Fatalf("%d events on a page of %d", len(page.Events), query.First)
		}

		if !page.HasNext {
			return seqs
		}

		query.After = &page.End
	}
}

// variedLog fills a log with events of every kind, 1 to 10.
func variedLog(t *testing.T, d *DB, name string) *filler {
	t.Helper()

	f := filledSite(t, d, name)

	command := func(id int, status, actor string) {
		f.addEvent(queue.EventCommand, map[string]string{
			"command_id": strconv.Itoa(id), "batch_id": strconv.Itoa(10 * id), "to_status": "'" + status + "'", "actor": "'" + actor + "'",
		})
	}
	command(1, "queued", "ann")
	f.addEvent(queue.EventBatch, map[string]string{"batch_id": "10"})
	command(1, "claimed", "agent")
	f.addEvent(queue.EventAgent, nil)
	f.addEvent(queue.EventIssue, map[string]string{"key": "'A-1'"})
	f.addEvent(queue.EventNote, map[string]string{
		"key": "'A-1'", "moved_from": "'new:1'", "body": `'{"key":"A-1","text":"t","author":"ann"}'`,
	})
	f.addEvent(queue.EventNote, map[string]string{"key": "'OLD-1'", "actor": "'ann'"})
	f.addEvent(queue.EventPace, map[string]string{"body": `'{"minPauseSeconds":4,"maxPauseSeconds":9}'`, "actor": "'ann'"})
	command(2, "queued", "ann")
	command(1, "done", "agent")
	f.move("OLD-1", "A-1")

	return f
}

func TestLogIsReadBothWays(t *testing.T) {
	d := migrated(t)
	f := variedLog(t, d, "main")
	variedLog(t, d, "other")

	for _, test := range []struct {
		name  string
		query queue.LogQuery
		want  []int64
	}{
		{"what people see", queue.LogQuery{}, []int64{1, 3, 5, 6, 7, 8, 9, 10}},
		{"kinds asked for", queue.LogQuery{Kinds: []queue.EventKind{queue.EventBatch, queue.EventAgent}}, []int64{2, 4}},
		{"by actor", queue.LogQuery{Actor: "ann"}, []int64{1, 7, 8, 9}},
		{"by batch", queue.LogQuery{Batch: 10}, []int64{1, 3, 10}},
		{"by command", queue.LogQuery{Command: 1}, []int64{1, 3, 10}},
		{"by status", queue.LogQuery{Statuses: []queue.Status{queue.Queued, queue.Done}}, []int64{1, 9, 10}},
		{"by batch and status", queue.LogQuery{Batch: 10, Statuses: []queue.Status{queue.Done}}, []int64{10}},
		{"by key", queue.LogQuery{Keys: []queue.Key{"A-1"}}, []int64{5, 6, 7}},
		{"by an old key", queue.LogQuery{Keys: []queue.Key{"OLD-1"}}, []int64{5, 6, 7}},
		{"by the key it moved from", queue.LogQuery{Keys: []queue.Key{"new:1"}}, []int64{6}},
		{"by no key", queue.LogQuery{Keys: []queue.Key{"\x00"}}, nil},
		{"by an actor that cannot be", queue.LogQuery{Actor: "\xff"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, first := range []int{1, 2, 3, 1000} {
				test.query.First, test.query.NewestFirst = first, false
				same(t, fmt.Sprintf("oldest first by %d", first), f.readLog(test.query), test.want...)

				backwards := slices.Clone(test.want)
				slices.Reverse(backwards)

				test.query.NewestFirst = true
				same(t, fmt.Sprintf("newest first by %d", first), f.readLog(test.query), backwards...)
			}
		})
	}
}

func TestLogGivesWhatAnEventLeft(t *testing.T) {
	d := migrated(t)
	f := variedLog(t, d, "main")

	page, err := d.Log(t.Context(), f.site, queue.LogQuery{First: 100})
	if err != nil {
		t.Fatal(err)
	}

	at := func(seq int64) (queue.Cursor, time.Time) {
		return queue.Cursor{Seq: seq, Mark: seq * 1000003}, morning().Add(time.Duration(seq) * time.Second)
	}
	cursor6, at6 := at(6)
	cursor7, at7 := at(7)
	cursor8, at8 := at(8)

	for i, want := range map[int]*queue.Event{
		3: {
			Cursor: cursor6, At: at6, Kind: queue.EventNote, Key: "A-1", MovedFrom: "new:1",
			Note: &queue.Note{Key: "A-1", Text: "t", Author: "ann"},
		},
		4: {Cursor: cursor7, At: at7, Kind: queue.EventNote, Key: "OLD-1", Actor: "ann"},
		5: {Cursor: cursor8, At: at8, Kind: queue.EventPace, Actor: "ann", Pace: &queue.Pace{MinPauseSeconds: 4, MaxPauseSeconds: 9}},
	} {
		if !reflect.DeepEqual(page.Events[i], want) {
			t.Errorf("got  %+v\nwant %+v", page.Events[i], want)
		}
	}
}

func TestLogGoesOnFromAPosition(t *testing.T) {
	d := migrated(t)
	f := variedLog(t, d, "main")
	cursor := func(seq int64) *queue.Cursor { return &queue.Cursor{Seq: seq, Mark: seq * 1000003} }

	// Events that the filter leaves out are looked at all the same.
	page, err := d.Log(t.Context(), f.site, queue.LogQuery{After: cursor(3), First: 100, Kinds: []queue.EventKind{queue.EventBatch}})
	if err != nil || len(page.Events) != 0 || page.HasNext || page.End != *cursor(10) {
		t.Errorf("%+v, %v", page, err)
	}

	// At the head there is nothing yet, and one goes on from where one is.
	page, err = d.Log(t.Context(), f.site, queue.LogQuery{After: cursor(10), First: 100})
	if err != nil || len(page.Events) != 0 || page.HasNext || page.End != *cursor(10) {
		t.Errorf("at the head: %+v, %v", page, err)
	}

	page, err = d.Log(t.Context(), f.site, queue.LogQuery{After: cursor(1), First: 100, NewestFirst: true})
	if err != nil || len(page.Events) != 0 || page.HasNext || page.End != *cursor(1) {
		t.Errorf("before the first: %+v, %v", page, err)
	}

	same(t, "before a position", f.readLog(queue.LogQuery{After: cursor(6), First: 2, NewestFirst: true}), 5, 3, 1)
}

func TestAnEmptyLogHasOnePosition(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, "main")

	head, err := d.Head(t.Context(), f.site)
	if err != nil {
		t.Fatal(err)
	}

	for _, query := range []queue.LogQuery{
		{First: 1}, {First: 1, NewestFirst: true}, {First: 1, After: &head}, {First: 1, After: &head, NewestFirst: true},
	} {
		page, err := d.Log(t.Context(), f.site, query)
		if err != nil || len(page.Events) != 0 || page.HasNext || page.End != head {
			t.Errorf("%+v: %+v, %v", query, page, err)
		}
	}

	// The position before everything leads to everything that came since.
	f.addEvent(queue.EventPace, nil)
	same(t, "from the first position", f.readLog(queue.LogQuery{First: 1, After: &head}), 1)
}

func TestAPositionThatTheLogDoesNotHoldHasExpired(t *testing.T) {
	d := migrated(t)
	f := variedLog(t, d, "main")
	other := variedLog(t, d, "other")

	begin := queue.Cursor{Seq: 0, Mark: logMark(t, d, f.site)}

	expired := func(what string, cursor queue.Cursor) {
		t.Helper()

		for _, newest := range []bool{false, true} {
			_, err := d.Log(t.Context(), f.site, queue.LogQuery{After: &cursor, First: 1, NewestFirst: newest})
			if queue.CodeOf(err) != queue.CursorExpired {
				t.Errorf("%s: %v", what, err)
			}
		}
	}

	expired("another mark", queue.Cursor{Seq: 3, Mark: 4})
	expired("beyond the head", queue.Cursor{Seq: 11, Mark: 11 * 1000003})
	expired("the beginning of another log", queue.Cursor{Seq: 0, Mark: logMark(t, d, other.site)})

	if page, err := d.Log(t.Context(), f.site, queue.LogQuery{After: &begin, First: 1}); err != nil || len(page.Events) != 1 {
		t.Errorf("the beginning: %+v, %v", page, err)
	}

	run(t, d, "DELETE FROM events WHERE site_id = $1 AND seq < 5", f.site)
	expired("pruned", queue.Cursor{Seq: 4, Mark: 4 * 1000003})
	expired("the beginning of a pruned log", begin)

	same(t, "what is kept", f.readLog(queue.LogQuery{First: 2}), 5, 6, 7, 8, 9, 10)
	same(t, "what is kept, newest first", f.readLog(queue.LogQuery{First: 2, NewestFirst: true}), 10, 9, 8, 7, 6, 5)
}

func TestANarrowFilterOverALongLogLooksAtAStretchAtATime(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, "main")
	events := int64(2*logStretch + 500)

	run(t, d, `INSERT INTO events (site_id, seq, mark, at, kind, key, command_id)
		SELECT $1, n, n * 7, now(), CASE WHEN n IN (3, $2) THEN 'note' ELSE 'issue' END, 'A-1', CASE WHEN n IN (3, $2) THEN 5 END
		FROM generate_series(1, $2::bigint) n`, f.site, events)
	run(t, d, `UPDATE site_states SET head = $2::bigint, head_mark = $2::bigint * 7 WHERE site_id = $1`, f.site, events)

	var pages []int

	query := queue.LogQuery{First: 10, Kinds: []queue.EventKind{queue.EventNote}}

	for {
		page, err := d.Log(t.Context(), f.site, query)
		if err != nil {
			t.Fatal(err)
		}

		pages = append(pages, len(page.Events))

		if page.End.Mark != page.End.Seq*7 {
			t.Fatalf("%v is no position", page.End)
		}

		if !page.HasNext {
			break
		}

		query.After = &page.End
	}

	same(t, "events on each page", pages, 1, 0, 1)
	same(t, "newest first", f.readLog(queue.LogQuery{First: 10, Kinds: query.Kinds, NewestFirst: true}), events, 3)

	// An index finds those of a command at once.
	page, err := d.Log(t.Context(), f.site, queue.LogQuery{First: 10, Command: 5})
	if err != nil || len(page.Events) != 2 || page.HasNext {
		t.Errorf("by command: %d, %v", len(page.Events), err)
	}
}

func logMark(t *testing.T, d *DB, site queue.SiteID) int64 {
	t.Helper()

	var mark int64
	if err := d.pool.QueryRow(t.Context(), "SELECT log_mark FROM sites WHERE id = $1", site).Scan(&mark); err != nil {
		t.Fatal(err)
	}

	return mark
}
