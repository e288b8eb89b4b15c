package live_test

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func command(id queue.CommandID) queue.Event {
	return queue.Event{Kind: queue.EventCommand, Command: id, Batch: 1}
}

// pulled takes one event at a time from a sequence.
type pulled struct {
	t    *testing.T
	next func() (*queue.Event, error, bool)
}

func pull(t *testing.T, events iter.Seq2[*queue.Event, error]) pulled {
	t.Helper()

	next, stop := iter.Pull2(events)
	t.Cleanup(stop)

	return pulled{t, next}
}

func (p pulled) wantCommand(id queue.CommandID) {
	p.t.Helper()

	event, err, ok := p.next()
	if !ok || err != nil || event.Command != id {
		p.t.Fatalf("the next event is %+v, %v, %t; want that of command %d", event, err, ok, id)
	}
}

func (p pulled) wantSeq(seq int64) {
	p.t.Helper()

	if event, err, ok := p.next(); !ok || err != nil || event.Cursor.Seq != seq {
		p.t.Fatalf("the next event is %+v, %v, %t; want number %d", event, err, ok, seq)
	}
}

func (p pulled) wantEnd(code queue.Code) {
	p.t.Helper()

	if _, err, ok := p.next(); code != "" && (!ok || queue.CodeOf(err) != code) || code == "" && ok {
		p.t.Fatalf("the sequence went on (%t) with %v; want an end with %q", ok, err, code)
	}

	if _, _, ok := p.next(); ok {
		p.t.Fatal("the sequence goes on behind its end")
	}
}

func follow(ctx context.Context, t *testing.T, log *memory, wanted queue.LogQuery) pulled {
	t.Helper()

	events, err := live.NewTail(log, log, live.Timing{}).Follow(ctx, site, wanted)
	if err != nil {
		t.Fatal(err)
	}

	return pull(t, events)
}

func TestEveryEventComesOnceAndInOrderHoweverManyThereAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		const before, meanwhile = 450, 1000

		for id := range queue.CommandID(before) {
			log.write(command(id + 1))
		}

		after := queue.Cursor{Mark: 99}
		events := follow(t.Context(), t, log, queue.LogQuery{After: &after})

		go func() {
			for id := range queue.CommandID(meanwhile) {
				log.write(command(before + id + 1))
			}
		}()

		for id := range queue.CommandID(before + meanwhile) {
			events.wantCommand(id + 1)
		}
	})
}

func TestWithoutAPositionItBeginsAtTheHeadThatWasWhenFollowReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.write(command(1))

		events := follow(t.Context(), t, log, queue.LogQuery{})

		log.write(command(2))
		events.wantCommand(2)
	})
}

func TestOnlyWhatTheQueryWantsComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		events := follow(t.Context(), t, log, queue.LogQuery{Kinds: []queue.EventKind{queue.EventCommand}})

		log.write(queue.Event{Kind: queue.EventPace})
		log.write(queue.Event{Kind: queue.EventBatch, Batch: 1})
		log.write(command(1))
		events.wantCommand(1)
	})
}

func TestAPositionNotKeptAnyMoreIsAnErrorAtTheBeginning(t *testing.T) {
	log := newMemory()
	log.write(command(1))
	log.write(command(2))
	log.pruned = 1

	after := queue.Cursor{Mark: 99}

	_, err := live.NewTail(log, log, live.Timing{}).Follow(t.Context(), site, queue.LogQuery{After: &after})
	if queue.CodeOf(err) != queue.CursorExpired {
		t.Fatalf("the error is %v", err)
	}
}

func TestAPositionNotKeptAnyMoreEndsASlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		events := follow(t.Context(), t, log, queue.LogQuery{})

		for id := range queue.CommandID(3) {
			log.write(command(id + 1))
		}

		log.set(func(m *memory) { m.pruned = 2 })
		<-time.After(2 * time.Second) // so that the log is looked at again
		events.wantEnd(queue.CursorExpired)
	})
}

func TestAWrittenEventComesWithoutDelayAlsoRightBehindAReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		events := follow(t.Context(), t, log, queue.LogQuery{})

		// The first is read, and nobody waits for the second yet.
		log.set(func(m *memory) { m.afterLog = func() { log.write(command(2)) } })

		began := time.Now()

		log.write(command(1))
		events.wantCommand(1)
		events.wantCommand(2)

		if waited := time.Since(began); waited != 0 {
			t.Fatalf("it came %s late", waited)
		}
	})
}

func TestWhatNobodyWakesForComesWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.deaf = true
		events := follow(t.Context(), t, log, queue.LogQuery{})

		go func() {
			<-time.After(300 * time.Millisecond)
			log.write(command(1))
		}()

		began := time.Now()

		events.wantCommand(1)

		if waited := time.Since(began); waited != time.Second {
			t.Fatalf("it came after %s", waited)
		}
	})
}

func TestAnOutageOfTheDatabaseLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		events := follow(t.Context(), t, log, queue.LogQuery{})

		log.write(command(1))
		events.wantCommand(1)

		log.set(func(m *memory) { m.away = true })
		log.write(command(2))

		go func() {
			<-time.After(10 * time.Second)
			log.set(func(m *memory) { m.away = false })
		}()

		events.wantCommand(2)
		log.write(command(3))
		events.wantCommand(3)

		if log.readings > 20 {
			t.Fatalf("the log was read %d times in ten seconds of outage", log.readings)
		}
	})
}

func TestAnOutageAtTheBeginningIsAnError(t *testing.T) {
	log := newMemory()
	log.away = true

	tail := live.NewTail(log, log, live.Timing{})
	after := queue.Cursor{Mark: 99}

	for _, wanted := range []queue.LogQuery{{}, {After: &after}} {
		if _, err := tail.Follow(t.Context(), site, wanted); queue.CodeOf(err) != queue.Unavailable {
			t.Errorf("Follow(%+v): %v", wanted, err)
		}
	}

	if _, err := tail.Watch(t.Context(), site, queue.LogQuery{}, 0); queue.CodeOf(err) != queue.Unavailable {
		t.Errorf("Watch: %v", err)
	}
}

func TestASequenceEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		ctx, cancel := context.WithCancel(t.Context())
		events := follow(ctx, t, log, queue.LogQuery{})

		go func() {
			<-time.After(time.Minute)
			cancel()
		}()

		events.wantEnd("")
	})
}

func TestAReaderThatStandsStillHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		still := follow(t.Context(), t, log, queue.LogQuery{})
		quick := follow(t.Context(), t, log, queue.LogQuery{})

		log.write(command(1))
		still.wantCommand(1)
		quick.wantCommand(1)

		for id := range queue.CommandID(1000) {
			log.write(command(id + 2))
			quick.wantCommand(id + 2)
		}

		still.wantCommand(2)
	})
}
