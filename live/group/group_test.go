package group_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	changes = `subscription($after: Cursor) { commandChanged(after: $after) { cursor to actor command { id kind batch { id } } } }`
	plenty  = 1 << 20
)

// settle lets pass what it takes until nothing moves any more, loaders and all.
func settle() {
	<-time.After(100 * time.Millisecond)
	synctest.Wait()
}

func from(seq int64) map[string]any { return map[string]any{"after": cursorAt(seq).String()} }

func TestMembersAreGivenWhatEachWouldBeGivenAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)

		var readers []*reader
		for range 50 {
			readers = append(readers, world.subscribe(changes, nil, plenty))
			settle()
		}

		for n := range 20 {
			world.log.write(changed(queue.BatchID(n + 1)))
		}

		settle()

		if executed := world.executed.take(); executed != 20 {
			t.Errorf("%d answers were made for 20 events", executed)
		}

		want := world.alone(from(0), 20)
		for _, reader := range readers {
			if got := reader.pending(); !slices.Equal(got, want) {
				t.Fatalf("got %d answers:\n%s", len(got), strings.Join(got, "\n"))
			}
		}
	})
}

func TestWhoComesBackJoinsWhenItHasCaughtUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)

		for n := range 300 {
			world.log.write(changed(queue.BatchID(n + 1)))
		}

		var readers []*reader

		positions := []int64{300, 0, 299, 150, 300, 7, 0, 295}
		for _, position := range positions {
			readers = append(readers, world.subscribe(changes, from(position), plenty))
			settle()
		}

		<-time.After(time.Minute) // each event takes its time
		world.executed.take()

		for n := range 10 {
			world.log.write(changed(queue.BatchID(301 + n)))
			settle()
		}

		if executed := world.executed.take(); executed != 10 {
			t.Errorf("%d answers were made for ten events: they have not joined", executed)
		}

		want := world.alone(from(0), 310)
		for i, reader := range readers {
			if got := reader.pending(); !slices.Equal(got, want[positions[i]:]) {
				t.Errorf("after %d there are %d answers", positions[i], len(got))
			}
		}
	})
}

func TestThoseWhoComeBackTogetherReadTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)

		for n := range 200 {
			world.log.write(changed(queue.BatchID(n + 1)))
		}

		world.subscribe(changes, nil, plenty)
		settle()
		world.executed.take()

		var readers []*reader
		for n := range 1000 {
			readers = append(readers, world.subscribe(changes, from(int64(100+n%10)), plenty))
		}

		settle()

		if executed := world.executed.take(); executed > 2000 {
			t.Errorf("%d answers were made for a hundred events", executed)
		}

		want := world.alone(from(100), 100)
		for n, reader := range readers {
			if got := reader.pending(); !slices.Equal(got, want[n%10:]) {
				t.Fatalf("reader %d has %d answers", n, len(got))
			}
		}
	})
}

func TestRolesDoNotShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)
		viewer := world.subscribeAs(access.Viewer, changes, nil, plenty)
		operator := world.subscribeAs(access.Operator, changes, nil, plenty)
		agent := world.subscribeAs(access.Agent, changes, nil, plenty)
		settle()
		world.log.write(changed(1))
		settle()

		if executed := world.executed.take(); executed != 2 { // and a refusal
			t.Errorf("%d answers were made", executed)
		}

		if viewer.take() != operator.take() {
			t.Error("they see different things")
		}

		if errs := agent.failure(); errs[0].Extensions["code"] != "FORBIDDEN" {
			t.Errorf("got %v", errs)
		}
	})
}

func TestOtherOperationsDoNotShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)

		const ofBatch = `subscription($batch: ID, $after: Cursor, $more: Boolean = true) {
			commandChanged(batch: $batch, after: $after) { cursor to @include(if: $more) }
		}`

		readers := []*reader{
			world.subscribe(ofBatch, map[string]any{"batch": "1"}, plenty),
			world.subscribe(ofBatch, map[string]any{"batch": "2"}, plenty),
			world.subscribe(ofBatch, map[string]any{"batch": "1", "more": false}, plenty),
		}

		settle()
		world.log.write(changed(1), changed(2), changed(3))
		settle()

		for i, want := range []string{
			fmt.Sprintf(`{"data":{"commandChanged":{"cursor":"%s","to":"CLAIMED"}}}`, cursorAt(1)),
			fmt.Sprintf(`{"data":{"commandChanged":{"cursor":"%s","to":"CLAIMED"}}}`, cursorAt(2)),
			fmt.Sprintf(`{"data":{"commandChanged":{"cursor":"%s"}}}`, cursorAt(1)),
		} {
			if got := readers[i].pending(); !slices.Equal(got, []string{want}) {
				t.Errorf("reader %d has %v", i, got)
			}
		}
	})
}

func TestASlowMemberGoesOnAloneAndNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)
		fast := []*reader{world.subscribe(changes, nil, plenty), world.subscribe(changes, nil, plenty)}
		slow := world.subscribe(changes, nil, 3)
		settle()

		for n := range 100 {
			world.log.write(changed(queue.BatchID(n + 1)))
			settle()
		}

		want := world.alone(from(0), 100)

		for _, reader := range fast {
			if got := len(reader.pending()); got != 100 {
				t.Errorf("a fast one has %d answers", got)
			}
		}

		if got := len(slow.pending()); got != 3 {
			t.Errorf("the slow one was given %d answers", got)
		}

		for n := range 100 {
			if got := slow.take(); got != want[n] {
				t.Fatalf("its answer %d is %s", n, got)
			}
		}

		settle()
		world.executed.take()
		world.log.write(changed(101), changed(102))
		settle()

		// It may still be alone for the first of them.
		if executed := world.executed.take(); executed > 3 {
			t.Errorf("%d answers were made for two events: it has not joined again", executed)
		}
	})
}

func TestAMemberThatEndsTakesNobodyWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)
		first, second, third := world.subscribe(changes, nil, plenty), world.subscribe(changes, nil, plenty), world.subscribe(changes, nil, plenty)
		settle()

		world.log.write(changed(1))
		settle()
		first.leave() // whose run it was
		first.leave()
		world.log.write(changed(2))
		settle()
		second.leave()
		world.log.write(changed(3))
		settle()

		if a, b, c := len(first.pending()), len(second.pending()), len(third.pending()); a != 1 || b != 2 || c != 3 {
			t.Errorf("they have %d, %d and %d answers", a, b, c)
		}

		third.leave()
		world.groups.Wait() // nothing runs on

		again := world.subscribe(changes, nil, plenty)
		settle()
		world.log.write(changed(4))
		again.take()
	})
}

func TestAnEventThatCannotBeShownFailsEachWhoWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)
		readers := []*reader{world.subscribe(changes, nil, plenty), world.subscribe(changes, nil, plenty)}
		settle()

		world.log.set(func() { world.log.refused = queue.Away(errGone) })
		world.log.write(changed(1), changed(2))

		for _, reader := range readers {
			if errs := reader.failure(); len(errs) != 1 || errs[0].Extensions["code"] != "UNAVAILABLE" {
				t.Errorf("got %v", errs)
			}
		}

		world.groups.Wait()
	})
}
