package db

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestBatchesAreListedNewestFirst(t *testing.T) {
	d := migrated(t)
	f := mixed(t, d, "main")
	f.addBatch("", "eve", made{status: queue.Done})
	f.addBatch("Спринт 50%_\\ готово", "ann", made{})
	mixed(t, d, "other")

	type ids = []queue.BatchID

	for _, test := range []struct {
		name   string
		filter queue.BatchFilter
		want   ids
	}{
		{"all", queue.BatchFilter{}, ids{5, 4, 3, 2, 1}},
		{"pending", queue.BatchFilter{Statuses: []queue.BatchStatus{queue.Pending}}, ids{5, 3}},
		{"running", queue.BatchFilter{Statuses: []queue.BatchStatus{queue.Running}}, ids{2}},
		{"finished", queue.BatchFilter{Statuses: []queue.BatchStatus{queue.Finished}}, ids{4, 1}},
		{"open", queue.BatchFilter{Statuses: []queue.BatchStatus{queue.Running, queue.Pending}}, ids{5, 3, 2}},
		{"by author", queue.BatchFilter{Author: "ann"}, ids{5, 3, 1}},
		{"by author and status", queue.BatchFilter{Author: "ann", Statuses: []queue.BatchStatus{queue.Finished}}, ids{1}},
		{"by title", queue.BatchFilter{Search: "SECO"}, ids{2}},
		{"by a title in other letters", queue.BatchFilter{Search: "СПРИНТ"}, ids{5}},
		{"signs are signs", queue.BatchFilter{Search: `50%_\`}, ids{5}},
		{"percent alone", queue.BatchFilter{Search: "%"}, ids{5}},
		{"underscore alone", queue.BatchFilter{Search: "_"}, ids{5}},
		{"backslash alone", queue.BatchFilter{Search: `\`}, ids{5}},
		{"what cannot be stored", queue.BatchFilter{Author: "\x00"}, ids{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := func(ctx context.Context, page queue.Page) (*queue.List[*queue.Batch], error) {
				return d.BatchList(ctx, f.site, test.filter, page)
			}
			same(t, "batches", walk(t, list, func(b *queue.Batch) queue.BatchID { return b.ID }), test.want...)
		})
	}
}

func TestBatchesByIDGivesThePresentCounts(t *testing.T) {
	d := migrated(t)
	f, other := mixed(t, d, "main"), filledSite(t, d, "other")
	run(t, d, "UPDATE batches SET held = true, finished_at = $1 WHERE id = 1", morning())

	found, err := d.BatchesByID(t.Context(), f.site, []queue.BatchID{1, 2, 99})
	if err != nil || len(found) != 2 {
		t.Fatalf("%v, %v", found, err)
	}

	title, finished := "first", morning()
	want := &queue.Batch{
		ID: 1, Title: &title, Author: "ann", CreatedAt: morning().Add(time.Second), FinishedAt: &finished, Held: true,
		Counts: queue.Counts{Done: 2, Failed: 1, Skipped: 1, Confirmed: 1}, Version: 2,
	}

	if !reflect.DeepEqual(found[1], want) {
		t.Errorf("got  %+v\nwant %+v", found[1], want)
	}

	if found, err := d.BatchesByID(t.Context(), other.site, []queue.BatchID{1}); err != nil || len(found) != 0 {
		t.Errorf("another site's: %v, %v", found, err)
	}

	if found, err := d.BatchesByID(t.Context(), f.site, nil); err != nil || len(found) != 0 {
		t.Errorf("of no ids: %v, %v", found, err)
	}
}
