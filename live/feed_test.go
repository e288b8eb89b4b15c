package live_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// returning has as many readers come back at once, each of which has missed the last hundred events, and gives how
// often the log was read until each had them and two more.
func returning(t *testing.T, readers int) (readings int) {
	t.Helper()

	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		for id := range queue.CommandID(3000) {
			log.write(command(id + 1))
		}

		tail := live.NewTail(log, log, live.Timing{})
		ctx, cancel := context.WithCancel(t.Context())
		all := sync.WaitGroup{}

		var counted sync.WaitGroup

		for range readers {
			counted.Add(1)
			all.Go(func() {
				events, err := tail.Follow(ctx, site, queue.LogQuery{After: &queue.Cursor{Seq: 2900, Mark: 99}})
				if err != nil {
					t.Error(err)
					counted.Done()

					return
				}

				next := queue.CommandID(2901)

				for event, err := range events {
					if err != nil || event.Command != next {
						t.Errorf("%+v, %v; want command %d", event, err, next)
					}

					if next++; next == 3003 {
						counted.Done()
					}
				}
			})
		}

		synctest.Wait()
		log.write(command(3001))
		log.write(command(3002))
		counted.Wait()
		log.set(func(m *memory) { readings = m.readings })
		cancel()
		all.Wait()
		tail.Close()
	})

	return readings
}

func TestHowOftenTheLogIsReadDoesNotGrowWithTheReaders(t *testing.T) {
	few, many := returning(t, 2), returning(t, 1000)
	t.Logf("2 readers: %d readings, 1,000 readers: %d", few, many)

	if many > few+5 {
		t.Errorf("%d readings for 1,000 readers, %d for 2", many, few)
	}
}

func TestAReaderSlowerThanTheRingReadsOnFromTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		events := follow(t.Context(), t, log, queue.LogQuery{})

		const behind = 40_000 // more than twice what a ring keeps

		log.write(command(1))
		events.wantCommand(1)

		for id := range queue.CommandID(behind) {
			log.write(command(id + 2))
		}

		synctest.Wait()

		for id := range queue.CommandID(behind) {
			events.wantCommand(id + 2)
		}

		// In the ring again: nothing is read but what is new.
		before := log.readings

		for id := range queue.CommandID(10) {
			log.write(command(behind + id + 2))
			events.wantCommand(behind + id + 2)
		}

		if read := log.readings - before; read > 15 {
			t.Errorf("the log was read %d times for ten events", read)
		}
	})
}

func TestAHeadIsTheOneOfTheMomentAlsoWhereNothingWokeTheTail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.deaf = true
		tail := live.NewTail(log, log, live.Timing{})
		begin := func() pulled {
			events, err := tail.Follow(t.Context(), site, queue.LogQuery{})
			if err != nil {
				t.Fatal(err)
			}

			return pull(t, events)
		}

		first := begin()
		log.write(command(1))

		second := begin()
		log.write(command(2))

		first.wantCommand(1)
		first.wantCommand(2)
		second.wantCommand(2)
	})
}

func TestAPositionOfAnotherDatabaseExpiresAtTheBeginningAndLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		tail := live.NewTail(log, log, live.Timing{})

		for id := range queue.CommandID(5) {
			log.write(command(id + 1))
		}

		events, err := tail.Follow(t.Context(), site, queue.LogQuery{})
		if err != nil {
			t.Fatal(err)
		}

		reader := pull(t, events)

		// Beside the ring's own marks.
		_, err = tail.Follow(t.Context(), site, queue.LogQuery{After: &queue.Cursor{Seq: 5, Mark: 98}})
		if queue.CodeOf(err) != queue.CursorExpired {
			t.Errorf("another mark: %v", err)
		}

		_, err = tail.Follow(t.Context(), site, queue.LogQuery{After: &queue.Cursor{Seq: 6, Mark: 99}})
		if queue.CodeOf(err) != queue.CursorExpired {
			t.Errorf("beyond the head: %v", err)
		}

		// The database is another one now, which has gone further.
		log.set(func(m *memory) { m.events, m.mark = nil, 98 })

		for id := range queue.CommandID(9) {
			log.write(command(id + 101))
		}

		reader.wantEnd(queue.CursorExpired)

		events, err = tail.Follow(t.Context(), site, queue.LogQuery{After: &queue.Cursor{Seq: 8, Mark: 98}})
		if err != nil {
			t.Fatal(err)
		}

		pull(t, events).wantCommand(109)
	})
}

func TestAReaderThatNobodyRangesOverEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		ctx, cancel := context.WithCancel(t.Context())
		tail := live.NewTail(log, log, live.Timing{})

		for range 10 {
			if _, err := tail.Follow(ctx, site, queue.LogQuery{}); err != nil {
				t.Fatal(err)
			}

			if _, err := tail.Watch(ctx, site, queue.LogQuery{}, 0); err != nil {
				t.Fatal(err)
			}
		}

		cancel()
		synctest.Wait()

		before := log.readings
		<-time.After(time.Minute)

		if log.readings != before {
			t.Errorf("the log is still read: %d times in a minute", log.readings-before)
		}
	})
}

func TestCloseEndsEveryReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		tail := live.NewTail(log, log, live.Timing{})

		events, err := tail.Follow(t.Context(), site, queue.LogQuery{})
		if err != nil {
			t.Fatal(err)
		}

		reader := pull(t, events)

		go tail.Close()

		reader.wantEnd(queue.Unavailable)
		tail.Close()

		if _, err := tail.Follow(t.Context(), site, queue.LogQuery{}); queue.CodeOf(err) != queue.Unavailable {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestASiteThatIsNotThereIsToldToEachWhoAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		tail := live.NewTail(log, log, live.Timing{})

		for range 3 {
			if _, err := tail.Follow(t.Context(), site+1, queue.LogQuery{}); queue.CodeOf(err) != queue.NotFound {
				t.Errorf("%v", err)
			}
		}
	})
}

// steps is a gate that lets one step pass each time it is told to.
type steps struct {
	wanted chan struct{}
	asked  chan queue.Cursor
	at     chan queue.Cursor
}

func (s steps) Pass(ctx context.Context, done queue.Cursor) error {
	s.asked <- done

	select {
	case <-ctx.Done():
		return errors.New("gone")
	case _, open := <-s.wanted:
		if !open {
			return errors.New("enough")
		}

		return nil
	}
}

func (s steps) Reach(at queue.Cursor) { s.at <- at }

func newSteps() steps {
	return steps{make(chan struct{}), make(chan queue.Cursor, 1), make(chan queue.Cursor, 1)}
}

func TestAGateMakesAFollowerGoStepByStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		note := queue.Event{Kind: queue.EventNote}

		for _, event := range []queue.Event{command(1), note, command(2), note, note} {
			log.write(event)
		}

		gate := newSteps()
		events := make(chan *queue.Event)

		go func() {
			defer close(events)

			wanted := queue.LogQuery{After: &queue.Cursor{Mark: 99}, Kinds: []queue.EventKind{queue.EventCommand}}

			followed, err := live.NewTail(log, log, live.Timing{}).Follow(live.WithGate(t.Context(), gate), site, wanted)
			if err != nil {
				t.Error(err)
			}

			for event, err := range followed {
				if err != nil {
					t.Error(err)
				}

				events <- event
			}
		}()

		step := func(done, at int64) {
			t.Helper()

			if got := <-gate.asked; got.Seq != done {
				t.Fatalf("it has handed over up to %d, want %d", got.Seq, done)
			}

			gate.wanted <- struct{}{}

			if reached, event := <-gate.at, <-events; reached.Seq != at || event.Cursor != reached {
				t.Fatalf("it reached %v with %v, want %d", reached, event.Cursor, at)
			}
		}

		step(0, 1)
		step(1, 3)

		// What is not wanted counts as handed over.
		if got := <-gate.asked; got.Seq != 5 {
			t.Fatalf("it has handed over up to %d", got.Seq)
		}

		close(gate.wanted)
		log.write(command(3))

		if event, more := <-events; more {
			t.Fatalf("it went on with %v", event)
		}
	})
}

func TestAGateMakesAWatcherGoStepByStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.write(ofBatch(1))

		gate := newSteps()
		rounds := watch(live.WithGate(t.Context(), gate), t, log, queue.LogQuery{}, 0)

		step := func(done, at int64) {
			t.Helper()

			go func() { gate.wanted <- struct{}{} }()

			if round := rounds.take(); round.Cursor.Seq != at {
				t.Fatalf("the round is at %v, want %d", round.Cursor, at)
			}

			if asked, reached := <-gate.asked, <-gate.at; asked.Seq != done || reached.Seq != at {
				t.Fatalf("asked at %v, reached %v", asked, reached)
			}
		}

		// Nothing has been shown before the first round.
		step(0, 1)
		log.write(ofBatch(1))
		log.write(ofBatch(1))
		step(1, 3)
		close(gate.wanted)

		if _, err, ok := rounds.next(); ok {
			t.Fatalf("it went on: %v", err)
		}
	})
}
