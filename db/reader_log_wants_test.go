package db

import (
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestWantsAgreesWithTheLogOnEveryFilter(t *testing.T) {
	d := migrated(t)
	f := variedLog(t, d, "main")

	all, err := d.Log(t.Context(), f.site, queue.LogQuery{First: 100, Kinds: queue.EventKinds(), WithNames: true})
	if err != nil || len(all.Events) != 10 {
		t.Fatalf("%+v, %v", all, err)
	}

	// One value of each filter and none, each with each.
	var queries []queue.LogQuery

	for _, kinds := range [][]queue.EventKind{nil, {queue.EventBatch, queue.EventCommand}, {queue.EventNote}, queue.EventKinds()} {
		for _, actor := range []string{"", "ann", "\xff"} {
			for _, batch := range []queue.BatchID{0, 10} {
				for _, command := range []queue.CommandID{0, 2} {
					for _, statuses := range [][]queue.Status{nil, {}, {queue.Queued}, {queue.Done, queue.Claimed, queue.Done}, {""}} {
						for _, keys := range [][]queue.Key{nil, {}, {"A-1"}, {"OLD-1"}, {"new:1"}, {"B-1", "new:1"}, {"\x00"}, {""}} {
							queries = append(queries, queue.LogQuery{
								Kinds: kinds, Actor: actor, Batch: batch, Command: command, Statuses: statuses, Keys: keys, First: 100,
							})
						}
					}
				}
			}
		}
	}

	for _, query := range queries {
		page, err := d.Log(t.Context(), f.site, query)
		if err != nil {
			t.Fatal(err)
		}

		var chosen, wanted []int64

		for _, event := range page.Events {
			chosen = append(chosen, event.Cursor.Seq)
		}

		for _, event := range all.Events {
			if query.Wants(event, all.Names[event.Key], all.Names[event.MovedFrom]) {
				wanted = append(wanted, event.Cursor.Seq)
			}
		}

		if !slices.Equal(chosen, wanted) {
			t.Errorf("%+v: the log gives %v, and Wants %v", query, chosen, wanted)
		}
	}
}

func TestAPageNamesAllKeysOfIssuesThatMoved(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, "main")

	for _, key := range []string{"A-1", "C-1", "E-1"} {
		f.addEvent(queue.EventIssue, map[string]string{"key": "'" + key + "'"})
	}

	f.move("A-1", "B-1")
	f.move("A-2", "B-1")
	f.move("D-1", "C-1")
	filledSite(t, d, "other").move("E-1", "F-1")

	page, err := d.Log(t.Context(), f.site, queue.LogQuery{First: 10, WithNames: true})
	if err != nil || len(page.Names) != 2 {
		t.Fatalf("%v, %v", page, err)
	}

	same(t, "an old key", page.Names["A-1"], "B-1", "A-1", "A-2")
	same(t, "a present key", page.Names["C-1"], "C-1", "D-1")

	if page, err = d.Log(t.Context(), f.site, queue.LogQuery{First: 10}); err != nil || page.Names != nil {
		t.Errorf("unasked: %v, %v", page.Names, err)
	}
}
