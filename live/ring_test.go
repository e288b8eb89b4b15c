package live

import (
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func issue(seq int64, key queue.Key) *queue.Event {
	return &queue.Event{Kind: queue.EventIssue, Key: key, Cursor: queue.Cursor{Seq: seq, Mark: 10 * seq}}
}

func pageOf(names map[queue.Key][]queue.Key, events ...*queue.Event) *queue.LogPage {
	return &queue.LogPage{Events: events, Names: names}
}

func ringOf(t *testing.T, pages ...*queue.LogPage) ring {
	t.Helper()

	made := ring{{Event: &queue.Event{}}}

	for _, page := range pages {
		next, ok := made.follow(page)
		if !ok {
			t.Fatalf("%v does not follow %v", page.Events[0].Cursor, made.head().Cursor)
		}

		made = next
	}

	return made
}

// under gives the numbers of the events that somebody who asks for the key is given.
func (r ring) under(key queue.Key) (seqs []int64) {
	query := queue.LogQuery{Keys: []queue.Key{key}}

	for _, e := range r[1:] {
		if query.Wants(e.Event, e.key, e.from) {
			seqs = append(seqs, e.Cursor.Seq)
		}
	}

	return seqs
}

func wantSeqs(t *testing.T, what string, got []int64, want ...int64) {
	t.Helper()

	if !slices.Equal(got, want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func TestARingHoldsOnlyPositionsOfItsOwnMarks(t *testing.T) {
	r := ringOf(t, pageOf(nil, issue(1, "A-1"), issue(2, "A-2"), issue(3, "A-3")))[1:]

	for at, want := range map[queue.Cursor]bool{
		{Seq: 0, Mark: 0}: false, {Seq: 1, Mark: 10}: true, {Seq: 3, Mark: 30}: true, {Seq: 3, Mark: 31}: false, {Seq: 4, Mark: 40}: false,
	} {
		place, ok := r.find(at)
		if ok != want || ok && r[place].Cursor != at {
			t.Errorf("%v: %d, %t", at, place, ok)
		}
	}
}

func TestARingTakesNothingBehindAGap(t *testing.T) {
	r := ringOf(t, pageOf(nil, issue(1, "A-1"), issue(2, "A-2")))[2:]

	if _, ok := r.follow(pageOf(nil, issue(4, "A-4"))); ok {
		t.Error("the fourth follows the second")
	}

	if _, ok := r.precede(pageOf(nil, issue(0, "A-0"))); ok {
		t.Error("the second follows the one before the first")
	}

	if before, ok := r.precede(pageOf(nil, issue(1, "A-1"))); !ok || len(before) != 2 || before[0].Cursor.Seq != 1 {
		t.Errorf("%v, %t", before, ok)
	}
}

func TestARingIsTrimmedToItsShareAndToTheLogButKeepsItsHead(t *testing.T) {
	r := ringOf(t, pageOf(nil, issue(1, "A-1"), issue(2, "A-2"), issue(3, "A-3")))

	for _, tried := range []struct {
		most  int
		begin int64
		first int64
	}{{10, 0, 0}, {2, 0, 2}, {10, 2, 2}, {0, 0, 3}, {10, 9, 3}} {
		if got := r.trim(tried.most, queue.Cursor{Seq: tried.begin})[0].Cursor.Seq; got != tried.first {
			t.Errorf("%+v: it begins at %d", tried, got)
		}
	}
}

func TestAnIssueThatMovesIsFoundUnderAllItsKeysAlsoBefore(t *testing.T) {
	moved := issue(3, "B-1")
	moved.MovedFrom = "A-1"

	class := []queue.Key{"B-1", "A-1"}
	before := ringOf(t, pageOf(nil, issue(1, "A-1"), issue(2, "C-1")))
	after := ringOf(t, pageOf(nil, issue(1, "A-1"), issue(2, "C-1")),
		pageOf(map[queue.Key][]queue.Key{"B-1": class, "A-1": class}, moved))

	wantSeqs(t, "before the move", before.under("B-1"))
	wantSeqs(t, "the new key", after.under("B-1"), 1, 3)
	wantSeqs(t, "the old key", after.under("A-1"), 1, 3)
	wantSeqs(t, "another", after.under("C-1"), 2)
}

func TestAKeyThatAnotherIssueTookOverFindsThatOneAlone(t *testing.T) {
	class := []queue.Key{"B-1", "A-1", "A-2"}
	r := ringOf(t, pageOf(map[queue.Key][]queue.Key{"B-1": class}, issue(1, "B-1")), pageOf(nil, issue(2, "A-1")))

	wantSeqs(t, "the key", r.under("A-1"), 2)
	wantSeqs(t, "the issue that had it", r.under("B-1"), 1)
	wantSeqs(t, "another key of that", r.under("A-2"), 1)
}

func TestWhatReadersSeeOfARingNeverChanges(t *testing.T) {
	seen := ringOf(t, pageOf(nil, issue(1, "A-1")))
	class := []queue.Key{"B-1", "A-1"}

	if _, ok := seen.follow(pageOf(map[queue.Key][]queue.Key{"B-1": class}, issue(2, "B-1"))); !ok {
		t.Fatal("it does not follow")
	}

	wantSeqs(t, "seen before", seen.under("B-1"))
}
