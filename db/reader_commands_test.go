package db

import (
	"context"
	"math"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func commandID(c *queue.Command) queue.CommandID { return c.ID }

func (f *filler) commands(filter queue.CommandFilter) lister[*queue.Command] {
	return func(ctx context.Context, page queue.Page) (*queue.List[*queue.Command], error) {
		return f.d.CommandList(ctx, f.site, filter, page)
	}
}

func (f *filler) batchCommands(batch queue.BatchID, filter queue.CommandFilter) lister[*queue.Command] {
	return func(ctx context.Context, page queue.Page) (*queue.List[*queue.Command], error) {
		return f.d.BatchCommands(ctx, f.site, batch, filter, page)
	}
}

func (f *filler) total(list lister[*queue.Command]) int {
	f.t.Helper()

	page, err := list(f.t.Context(), queue.Page{First: 1})
	if err != nil {
		f.t.Fatal(err)
	}

	if page.Total == nil {
		return -1
	}

	return *page.Total
}

// mixed fills a site with three batches of every status.
func mixed(t *testing.T, d *DB, name string) *filler {
	t.Helper()

	f := filledSite(t, d, name)
	f.addBatch("first", "ann", // 1 to 5
		made{status: queue.Done, params: queue.EnsureSprint{Key: "A-1"}},
		made{status: queue.Failed, err: "HTTP 400: Поле не найдено"},
		made{status: queue.Skipped, err: "задача new:1 не создана", keys: []queue.Key{"new:1"}},
		made{status: queue.Confirmed, params: queue.EnsureStatus{Key: "A-2", Path: []string{"Open", "Done"}}},
		made{status: queue.Done, params: queue.EnsureIssue{TempKey: "new:1", Project: "A", Summary: "One"}, text: "One"},
	)
	f.addBatch("second", "bob", // 6 to 9
		made{status: queue.Done},
		made{status: queue.Claimed, params: queue.Refresh{Keys: []queue.Key{"A-1", "A-2"}}},
		made{status: queue.Queued, text: "Путь 100% и C:\\temp_dir"},
		made{status: queue.Cancelled},
	)
	f.addBatch("third", "ann", // 10 to 11
		made{text: "100 и Ctemp-dir"},
		made{keys: []queue.Key{"B-1"}},
	)

	return f
}

func TestCommandsAreListedNewestFirst(t *testing.T) {
	d := migrated(t)
	f := mixed(t, d, "main")
	mixed(t, d, "other")

	type ids = []queue.CommandID

	for _, test := range []struct {
		name   string
		filter queue.CommandFilter
		want   ids
		total  int
	}{
		{"all", queue.CommandFilter{}, ids{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 11},
		{"queued", queue.CommandFilter{Statuses: []queue.Status{queue.Queued}}, ids{11, 10, 8}, 3},
		{"claimed", queue.CommandFilter{Statuses: []queue.Status{queue.Claimed}}, ids{7}, 1},
		{"done", queue.CommandFilter{Statuses: []queue.Status{queue.Done}}, ids{6, 5, 1}, 3},
		{"failed", queue.CommandFilter{Statuses: []queue.Status{queue.Failed}}, ids{2}, 1},
		{"ended", queue.CommandFilter{
			Statuses: []queue.Status{queue.Confirmed, queue.Done, queue.Failed, queue.Cancelled, queue.Skipped, queue.Done},
		}, ids{9, 6, 5, 4, 3, 2, 1}, 7},
		{"open", queue.CommandFilter{Statuses: []queue.Status{queue.Queued, queue.Claimed}}, ids{11, 10, 8, 7}, 4},
		{"of a batch", queue.CommandFilter{Batch: 2}, ids{9, 8, 7, 6}, 4},
		{"of a batch, by status", queue.CommandFilter{Batch: 2, Statuses: []queue.Status{queue.Done, queue.Claimed}}, ids{7, 6}, 2},
		{"of no batch", queue.CommandFilter{Batch: 77}, ids{}, 0},
		{"by kind", queue.CommandFilter{Kinds: []queue.Kind{queue.KindSprint, queue.KindRefresh}}, ids{7, 1}, -1},
		{"by kind and status", queue.CommandFilter{
			Kinds: []queue.Kind{queue.KindComment}, Statuses: []queue.Status{queue.Done, queue.Failed, queue.Queued},
		}, ids{11, 10, 8, 6, 2}, -1},
		{"by key", queue.CommandFilter{Key: "A-2"}, ids{7, 4}, -1},
		{"by key and status", queue.CommandFilter{Key: "A-2", Statuses: []queue.Status{queue.Confirmed}}, ids{4}, -1},
		{"by key and batch", queue.CommandFilter{Key: "A-2", Batch: 1}, ids{4}, -1},
		{"by key and text", queue.CommandFilter{Key: "A-1", Search: "поле"}, ids{2}, -1},
		{"by temporary key", queue.CommandFilter{Key: "new:1"}, ids{5, 3}, -1},
		{"text in keys", queue.CommandFilter{Search: "b-1"}, ids{11}, -1},
		{"text in errors", queue.CommandFilter{Search: "ПОЛЕ НЕ"}, ids{2}, -1},
		{"text in either", queue.CommandFilter{Search: "new:1"}, ids{5, 3}, -1},
		{"text and status", queue.CommandFilter{Search: "new:1", Statuses: []queue.Status{queue.Skipped}}, ids{3}, -1},
		{"text, status without error", queue.CommandFilter{Search: "new:1", Statuses: []queue.Status{queue.Done}}, ids{5}, -1},
		{"text in a batch", queue.CommandFilter{Search: "new:1", Batch: 2}, ids{}, -1},
		{"percent", queue.CommandFilter{Search: "100% и"}, ids{8}, -1},
		{"backslash", queue.CommandFilter{Search: `C:\temp`}, ids{8}, -1},
		{"underscore", queue.CommandFilter{Search: "temp_dir"}, ids{8}, -1},
		{"two letters", queue.CommandFilter{Search: "УТ"}, ids{8}, -1},
		{"two letters of an error", queue.CommandFilter{Search: "ЛЕ"}, ids{2}, -1},
		{"a sign alone", queue.CommandFilter{Search: "%"}, ids{8}, -1},
		{"quote", queue.CommandFilter{Search: `'; DROP TABLE commands; --`}, ids{}, -1},
		{"question mark", queue.CommandFilter{Search: `?`}, ids{}, -1},
		{"what cannot be stored", queue.CommandFilter{Search: "a\x00b"}, ids{}, -1},
		{"invalid text", queue.CommandFilter{Search: "\xff"}, ids{}, -1},
		{"nothing", queue.CommandFilter{Key: "Z-9"}, ids{}, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			same(t, "commands", walk(t, f.commands(test.filter), commandID), test.want...)

			if total := f.total(f.commands(test.filter)); total != test.total {
				t.Errorf("total %d, want %d", total, test.total)
			}
		})
	}
}

func TestCommandsOfAMovedIssueAreFoundUnderAllItsKeys(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, "main")
	f.addBatch("", "ann",
		made{params: queue.EnsureComment{Key: "OLD-1"}}, made{params: queue.EnsureComment{Key: "MID-1"}},
		made{params: queue.EnsureLink{Source: "NEW-1", Target: "OLD-1"}}, made{params: queue.EnsureComment{Key: "NEW-2"}})
	f.addIssue("NEW-1", nil)
	f.move("OLD-1", "NEW-1")
	f.move("MID-1", "NEW-1")

	for _, key := range []queue.Key{"OLD-1", "MID-1", "NEW-1"} {
		same(t, string(key), walk(t, f.commands(queue.CommandFilter{Key: key}), commandID), 3, 2, 1)
		same(t, string(key)+" in its batch", walk(t, f.batchCommands(1, queue.CommandFilter{Key: key}), commandID), 1, 2, 3)
	}
}

func TestCommandsOfABatchAreListedByPosition(t *testing.T) {
	d := migrated(t)
	f := mixed(t, d, "main")

	type ids = []queue.CommandID

	for _, test := range []struct {
		name   string
		filter queue.CommandFilter
		want   ids
		total  int
	}{
		{"all", queue.CommandFilter{}, ids{1, 2, 3, 4, 5}, 5},
		{"by status", queue.CommandFilter{Statuses: []queue.Status{queue.Done, queue.Skipped}}, ids{1, 3, 5}, 3},
		{"by text", queue.CommandFilter{Search: "NEW:1"}, ids{3, 5}, -1},
		{"by text and status", queue.CommandFilter{Search: "new:1", Statuses: []queue.Status{queue.Done}}, ids{5}, -1},
		{"by kind", queue.CommandFilter{Kinds: []queue.Kind{queue.KindStatus}}, ids{4}, -1},
		{"the filter's batch does not count", queue.CommandFilter{Batch: 3}, ids{1, 2, 3, 4, 5}, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			same(t, "commands", walk(t, f.batchCommands(1, test.filter), commandID), test.want...)

			if total := f.total(f.batchCommands(1, test.filter)); total != test.total {
				t.Errorf("total %d, want %d", total, test.total)
			}
		})
	}
}

func TestAPositionOfAnotherListIsRefused(t *testing.T) {
	d := migrated(t)
	f := mixed(t, d, "main")

	commands, err := d.CommandList(t.Context(), f.site, queue.CommandFilter{}, queue.Page{First: 2})
	if err != nil {
		t.Fatal(err)
	}

	ofBatch, err := d.BatchCommands(t.Context(), f.site, 1, queue.CommandFilter{}, queue.Page{First: 2})
	if err != nil {
		t.Fatal(err)
	}

	for _, after := range []string{
		"x", "!!", "WyJ4Il0", commands.End + "A", endOf(commandList, "one"), ofBatch.End, endOf(noteList, "x", "A-1"),
	} {
		_, err := d.CommandList(t.Context(), f.site, queue.CommandFilter{}, queue.Page{First: 1, After: after})
		unprocessable(t, "commands after "+after, err)
	}

	for _, after := range []string{commands.End, endOf(batchCommandList, "2", "1"), endOf(batchCommandList, "1", "99999999999")} {
		_, err := d.BatchCommands(t.Context(), f.site, 1, queue.CommandFilter{}, queue.Page{First: 1, After: after})
		unprocessable(t, "a batch's commands after "+after, err)
	}

	for _, after := range []string{commands.End, endOf(dependentList, "2", "1"), endOf(dependentList, "1", "x")} {
		_, err := d.Dependents(t.Context(), f.site, 1, queue.Page{First: 1, After: after})
		unprocessable(t, "dependents after "+after, err)
	}

	for _, after := range []string{commands.End, endOf(issueList, "new:1"), endOf(issueList, "a-1"), endOf(issueList, "A-1", "x")} {
		_, err := d.IssueList(t.Context(), f.site, queue.IssueFilter{}, queue.Page{First: 1, After: after})
		unprocessable(t, "issues after "+after, err)
	}

	for _, after := range []string{commands.End, endOf(noteList, "yesterday", "A-1"), endOf(noteList, timeText(morning()), "A\x00")} {
		_, err := d.NoteList(t.Context(), f.site, queue.Page{First: 1, After: after})
		unprocessable(t, "notes after "+after, err)
	}

	_, err = d.BatchList(t.Context(), f.site, queue.BatchFilter{}, queue.Page{First: 1, After: ofBatch.End})
	unprocessable(t, "batches after a command", err)
}

func TestAPageHoldsAThousandAtMostAndOneAtLeast(t *testing.T) {
	for first, want := range map[int]int{math.MinInt: 1, 0: 1, 1: 1, 50: 50, 1000: 1000, 1001: 1000, math.MaxInt: 1000} {
		if got := sizeOf(queue.Page{First: first}); got != want {
			t.Errorf("first %d: %d, want %d", first, got, want)
		}
	}
}
