package db

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestCommandsByIDGivesEveryFieldAndNothingOfAnotherSite(t *testing.T) {
	d := migrated(t)
	f, other := filledSite(t, d, "main"), filledSite(t, d, "other")
	f.addBatch("", "ann", made{params: queue.EnsureFields{Key: "A-1", Fields: queue.Fields{"n": json.Number("1e3"), "x": nil}}})
	f.addBatch("", "ann", made{})

	at := morning().Add(time.Hour)
	run(t, d, `UPDATE commands SET status = 'skipped', waiting = 2, error = 'no', result_key = 'A-7', deliveries = 3, progress_done = 4,
		progress_total = 9, progress_at = $1, claimed_at = $1, finished_at = $1, root_cause = 2, chain = 1, temp_key = 'new:5',
		retry_of = 2, dedupe_key = '6ba7b810-9dad-41d1-80b4-00c04fd430c8' WHERE id = 1`, at)

	found, err := d.CommandsByID(t.Context(), f.site, []queue.CommandID{1, 2, 3, 1})
	if err != nil || len(found) != 2 {
		t.Fatalf("%v, %v", found, err)
	}

	nine, no, key := 9, "no", queue.Key("A-7")
	want := &queue.Command{
		ID: 1, Batch: 1, Kind: queue.KindFields, TempKey: "new:5", DedupeKey: "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
		Params:    queue.EnsureFields{Key: "A-1", Fields: queue.Fields{"n": json.Number("1e3"), "x": nil}},
		CreatedAt: morning(), Chain: 1, RetryOf: 2,
		State: queue.State{
			Status: queue.Skipped, Waiting: 2, Error: &no, ResultKey: &key, Deliveries: 3,
			Progress: &queue.Progress{Done: 4, Total: &nine, ToldAt: at}, ClaimedAt: &at, FinishedAt: &at, RootCause: 2,
		},
	}

	if !reflect.DeepEqual(found[1], want) {
		t.Errorf("got  %+v\nwant %+v", found[1], want)
	}

	bare := found[2]
	if bare.Error != nil || bare.ResultKey != nil || bare.Progress != nil || bare.ClaimedAt != nil || bare.RetryOf != 0 || bare.TempKey != "" {
		t.Errorf("what is not there must be nothing: %+v", bare)
	}

	if found, err := d.CommandsByID(t.Context(), other.site, []queue.CommandID{1, 2}); err != nil || len(found) != 0 {
		t.Errorf("another site's: %v, %v", found, err)
	}

	if found, err := d.CommandsByID(t.Context(), f.site, nil); err != nil || len(found) != 0 {
		t.Errorf("of no ids: %v, %v", found, err)
	}
}

func TestRelationsOfCommands(t *testing.T) {
	d := migrated(t)
	f, other := filledSite(t, d, "main"), filledSite(t, d, "other")
	creation := func(n string) queue.Params { return queue.EnsureIssue{TempKey: queue.Key("new:" + n)} }
	f.addBatch("", "ann",
		made{params: creation("1")}, made{params: creation("2"), refs: []queue.CommandID{1}},
		made{refs: []queue.CommandID{2, 1}}, made{refs: []queue.CommandID{1}})
	f.addBatch("", "ann", made{retryOf: 3}, made{retryOf: 3}, made{retryOf: 4})
	other.addBatch("", "ann", made{params: creation("1")}, made{refs: []queue.CommandID{1}, retryOf: 1})

	dependsOn, err := d.DependsOn(t.Context(), f.site, []queue.CommandID{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}

	for id, want := range map[queue.CommandID][]queue.CommandID{1: {}, 2: {1}, 3: {1, 2}, 4: {1}} {
		same(t, "depends on", ids(dependsOn[id]), want...)
	}

	retries, err := d.Retries(t.Context(), f.site, []queue.CommandID{3, 4, 1})
	if err != nil {
		t.Fatal(err)
	}

	for id, want := range map[queue.CommandID][]queue.CommandID{1: {}, 3: {5, 6}, 4: {7}} {
		same(t, "retries", ids(retries[id]), want...)
	}

	for creation, want := range map[queue.CommandID][]queue.CommandID{1: {2, 3, 4}, 2: {3}, 3: {}} {
		list := func(ctx context.Context, page queue.Page) (*queue.List[*queue.Command], error) {
			return d.Dependents(ctx, f.site, creation, page)
		}
		same(t, "dependents", walk(t, list, commandID), want...)
	}

	for name, read := range map[string]func() (map[queue.CommandID][]*queue.Command, error){
		"depends on": func() (map[queue.CommandID][]*queue.Command, error) { return d.DependsOn(t.Context(), f.site, nil) },
		"retries":    func() (map[queue.CommandID][]*queue.Command, error) { return d.Retries(t.Context(), f.site, nil) },
	} {
		if found, err := read(); err != nil || len(found) != 0 {
			t.Errorf("%s of nothing: %v, %v", name, found, err)
		}
	}
}

func TestHistoryIsOfTheCommandAlone(t *testing.T) {
	d := migrated(t)
	f, other := filledSite(t, d, "main"), filledSite(t, d, "other")
	f.addEvent(queue.EventCommand, map[string]string{"command_id": "1", "to_status": "'queued'", "cause": "'submitted'"})
	f.addEvent(queue.EventNote, map[string]string{"key": "'A-1'"})
	f.addEvent(queue.EventCommand, map[string]string{"command_id": "2", "to_status": "'queued'", "cause": "'submitted'"})
	f.addEvent(queue.EventCommand, map[string]string{
		"command_id": "1", "batch_id": "9", "from_status": "'queued'", "to_status": "'claimed'", "cause": "'claimed'", "actor": "'agent'",
		"waiting": "0", "deliveries": "1", "progress_done": "2", "claimed_at": "'2026-11-30T07:00:00Z'",
	})
	other.addEvent(queue.EventCommand, map[string]string{"command_id": "1", "to_status": "'done'"})

	history, err := d.History(t.Context(), f.site, []queue.CommandID{1, 3})
	if err != nil || len(history) != 1 || len(history[1]) != 2 {
		t.Fatalf("%v, %v", history, err)
	}

	claimed := morning().Truncate(time.Second).Add(time.Hour)
	at := morning().Add(4 * time.Second)
	want := &queue.Event{
		Cursor: queue.Cursor{Seq: 4, Mark: 4 * 1000003}, At: at, Kind: queue.EventCommand, Actor: "agent",
		Command: 1, Batch: 9, From: queue.Queued, Cause: queue.CauseClaimed,
		State: queue.State{Status: queue.Claimed, Deliveries: 1, Progress: &queue.Progress{Done: 2, ToldAt: at}, ClaimedAt: &claimed},
	}

	if !reflect.DeepEqual(history[1][1], want) {
		t.Errorf("got  %+v\nwant %+v", history[1][1], want)
	}

	if first := history[1][0]; first.From != "" || first.State.Status != queue.Queued || first.Actor != "" {
		t.Errorf("%+v", first)
	}
}

func ids(commands []*queue.Command) []queue.CommandID {
	list := make([]queue.CommandID, len(commands))
	for i, command := range commands {
		list[i] = command.ID
	}

	return list
}
