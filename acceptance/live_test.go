package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// busy makes changes of every kind.
func busy(t *testing.T, site *hubtest.Site) {
	t.Helper()
	batch := chain(t, site)
	site.ClaimOf(t, batch.CommandID(0))
	site.ClaimOf(t, batch.CommandID(0))
	site.SetNote(t, "new:1", "Спросить Анну")
	site.Created(t, batch.CommandID(0), "AURORA-10")
	site.Push(t, hubtest.Snapshot("AURORA-10"), hubtest.Snapshot("AURORA-11"))
	site.ClaimOf(t, batch.CommandID(1))
	site.Fail(t, batch.CommandID(1))
	site.Pause(t)
	site.Resume(t)
	site.CancelBatch(t, true, batch.ID)
}

func positions(t testing.TB, site *hubtest.Site, after string, kinds ...string) []string {
	t.Helper()
	return each(site.EventsAfter(t, after, kinds...), hubtest.Event.Position)
}

func TestCommandChangedBringsEveryChangeOnceAndInOrder(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	busy(t, site)
	stream := site.Operator.Subscribe(t, hubtest.CommandChanged, vars{"after": after})
	seen := []string{}
	for range positions(t, site, after, "COMMAND") {
		seen = append(seen, hubtest.Next[hubtest.Change](t, stream).Cursor)
	}
	busy(t, site)
	want := positions(t, site, after, "COMMAND")
	for len(seen) < len(want) {
		seen = append(seen, hubtest.Next[hubtest.Change](t, stream).Cursor)
	}
	same(t, "positions", seen, want)
	distinct := slices.Compact(sorted(seen...))
	same(t, "distinct positions", len(distinct), len(seen))
}

func TestCommandChangedResumesAtAnyPosition(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	busy(t, site)
	all := positions(t, site, after, "COMMAND")
	for _, from := range []int{0, len(all) / 2, len(all) - 2} {
		stream := site.Operator.Subscribe(t, hubtest.CommandChanged, vars{"after": all[from]})
		seen := each(all[from+1:], func(string) string { return hubtest.Next[hubtest.Change](t, stream).Cursor })
		same(t, fmt.Sprintf("after the change %d", from), seen, all[from+1:])
	}
}

func TestSubscribersWhileManyWriteSeeTheSameOrder(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	streams := each(make([]int, 3), func(int) *hubtest.Stream {
		return site.Operator.Subscribe(t, hubtest.CommandChanged, vars{"after": after})
	})
	const writers, batches, size = 4, 5, 3
	errs := make([]error, writers)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for n := range batches {
				input := hubtest.BatchInput([]vars{
					hubtest.Comment("AURORA-1", fmt.Sprint(i, n)), hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"),
				})
				if _, errs[i] = hubtest.Call[hubtest.BatchPayload](t.Context(), site.Operator, hubtest.CreateBatch,
					vars{"input": input}); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := positions(t, site, after, "COMMAND")
	same(t, "changes", len(want), writers*batches*size)
	for _, stream := range streams {
		seen := each(want, func(string) string { return hubtest.Next[hubtest.Change](t, stream).Cursor })
		same(t, "positions", seen, want)
	}
}

func TestCommandChangedOfOneBatchOneCommandOrSomeStatuses(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	first := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	second := site.Submit(t, hubtest.Comment("AURORA-1", "c"))
	for _, id := range []string{first.CommandID(0), first.CommandID(1), second.CommandID(0)} {
		site.ClaimOf(t, id)
		site.Done(t, id)
	}
	a, b, c := first.CommandID(0), first.CommandID(1), second.CommandID(0)
	for name, row := range map[string]struct {
		filter vars
		want   []string
	}{
		"a batch":    {vars{"batch": first.ID}, []string{a + " QUEUED", b + " QUEUED", a + " CLAIMED", a + " DONE", b + " CLAIMED", b + " DONE"}},
		"a command":  {vars{"command": b}, []string{b + " QUEUED", b + " CLAIMED", b + " DONE"}},
		"one status": {vars{"statuses": []string{"DONE"}}, []string{a + " DONE", b + " DONE", c + " DONE"}},
		"of a batch": {vars{"batch": second.ID, "statuses": []string{"CLAIMED", "DONE"}}, []string{c + " CLAIMED", c + " DONE"}},
	} {
		t.Run(name, func(t *testing.T) {
			filter := vars{"after": after}
			maps.Copy(filter, row.filter)
			stream := site.Operator.Subscribe(t, hubtest.CommandChanged, filter)
			seen := each(row.want, func(string) string {
				change := hubtest.Next[hubtest.Change](t, stream)
				return change.Command.ID + " " + change.To
			})
			same(t, "changes", seen, row.want)
		})
	}
}

func TestCommandChangedWithoutAPositionBeginsNow(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Submit(t, hubtest.Comment("AURORA-1", "before"))
	stream := site.Operator.Subscribe(t, hubtest.CommandChanged, nil)
	type received struct {
		change hubtest.Change
		err    error
	}
	first := make(chan received, 1)
	go func() {
		change, err := hubtest.Receive[hubtest.Change](stream)
		first <- received{change, err}
	}()
	// Whether the stream has begun cannot be seen, so changes go on until one
	// comes; it must be of those.
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	fresh := map[string]bool{}
	for {
		fresh[site.Submit(t, hubtest.Comment("AURORA-1", "after")).CommandID(0)] = true
		select {
		case got := <-first:
			if got.err != nil {
				t.Fatal(got.err)
			}
			same(t, "of a command of after", fresh[got.change.Command.ID], true)
			return
		case <-again.C:
		}
	}
}

func TestLogAppendedBringsEveryKindInOrder(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	busy(t, site)
	for name, kinds := range map[string][]string{
		"all": nil, "commands": {"COMMAND"}, "notes": {"NOTE"}, "issues": {"ISSUE"}, "paces": {"PACE"}, "two": {"NOTE", "PACE"},
	} {
		t.Run(name, func(t *testing.T) {
			filter := vars{"after": after}
			if kinds != nil {
				filter["kinds"] = kinds
			}
			want := positions(t, site, after, kinds...)
			if len(want) == 0 {
				t.Fatal("there is no such event")
			}
			stream := site.Operator.Subscribe(t, hubtest.LogAppended, filter)
			seen := each(want, func(string) string { return hubtest.Next[hubtest.Event](t, stream).Position() })
			same(t, "positions", seen, want)
		})
	}
}

func TestQueueChangedAnswersAtOnceAndThenWithTheNewest(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	stream := site.Operator.Subscribe(t, hubtest.QueueChanged, nil)
	same(t, "queued at first", hubtest.Next[hubtest.QueueChange](t, stream).Queue.Counts.Queued, 1)
	site.Submit(t, hubtest.Comment("AURORA-1", "b"))
	site.Pause(t)
	for {
		queue := hubtest.Next[hubtest.QueueChange](t, stream).Queue
		if queue.Counts.Queued == 2 && queue.Pace.Paused {
			return
		}
	}
}

func TestBatchChangedAnswersAtOnceAndThenWithTheNewest(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	stream := site.Operator.Subscribe(t, hubtest.BatchChanged, vars{"id": batch.ID})
	first := hubtest.Next[hubtest.BatchChange](t, stream).Batch
	same(t, "status at first", first.Status, "PENDING")
	same(t, "counts at first", first.Counts, hubtest.Counts{Queued: 2, Total: 2})
	site.CancelBatch(t, false, batch.ID)
	for {
		if hubtest.Next[hubtest.BatchChange](t, stream).Batch.Status == "FINISHED" {
			return
		}
	}
}

func TestIssueChangedAndNoteChangedFollowTheirKeys(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	site.Push(t, hubtest.Snapshot("AURORA-1", "summary", "one"), hubtest.Snapshot("AURORA-2"))
	site.SetNote(t, "AURORA-2", "on two")
	site.SetNote(t, "AURORA-1", "on one")
	only := vars{"after": after, "keys": []string{"AURORA-1"}}
	issue := hubtest.Next[hubtest.IssueChange](t, site.Operator.Subscribe(t, hubtest.IssueChanged, only))
	same(t, "issue", issue.Issue.Key+" "+issue.Issue.Summary, "AURORA-1 one")
	note := hubtest.Next[hubtest.NoteChange](t, site.Operator.Subscribe(t, hubtest.NoteChanged, only))
	same(t, "note", note.Key+" "+note.Note.Text, "AURORA-1 on one")
}

func TestASubscriberSeesNothingOfAnotherSite(t *testing.T) {
	t.Parallel()
	site, other := hub.NewSite(t), hub.NewSite(t)
	stream := other.Operator.Subscribe(t, hubtest.LogAppended, vars{"after": other.Queue(t).Cursor})
	busy(t, site)
	id := other.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	same(t, "first event", hubtest.Next[hubtest.Event](t, stream).Command.ID, id)
}
