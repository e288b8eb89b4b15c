package live_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

type rounds struct {
	t    *testing.T
	next func() (live.Round, error, bool)
}

func watch(ctx context.Context, t *testing.T, log *memory, wanted queue.LogQuery, quiet time.Duration) rounds {
	t.Helper()

	seq, err := live.NewTail(log, log, live.Timing{}).Watch(ctx, site, wanted, quiet)
	if err != nil {
		t.Fatal(err)
	}

	next, stop := iter.Pull2(seq)
	t.Cleanup(stop)

	return rounds{t, next}
}

func (r rounds) take() live.Round {
	r.t.Helper()

	round, err, ok := r.next()
	if err != nil || !ok {
		r.t.Fatalf("no further round: %v", err)
	}

	return round
}

func ofBatch(id queue.BatchID) queue.Event { return queue.Event{Kind: queue.EventCommand, Batch: id} }

func TestTheFirstRoundComesAtOnceWithTheNewestPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.write(ofBatch(1))

		// Whatever its kind: what is read now includes it.
		newest := log.write(queue.Event{Kind: queue.EventAgent})

		began := time.Now()
		round := watch(t.Context(), t, log, queue.LogQuery{Kinds: []queue.EventKind{queue.EventCommand}}, 0).take()

		if round.Cursor != newest.Cursor || !round.At.Equal(newest.At) || round.Quiet || !time.Now().Equal(began) {
			t.Fatalf("the round is %+v after %s; want position %v", round, time.Since(began), newest.Cursor)
		}
	})
}

func TestAChangeBetweenTheHeadAndTheFirstReadingBringsAnotherRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		taken := watch(t.Context(), t, log, queue.LogQuery{}, 0)

		written := log.write(ofBatch(1))

		taken.take()

		if round := taken.take(); round.Cursor != written.Cursor || !slices.Equal(round.Batches, []queue.BatchID{1}) {
			t.Fatalf("the second round is %+v", round)
		}
	})
}

func TestRoundsComeAtMostTenTimesASecondAndEndWithTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		taken := watch(t.Context(), t, log, queue.LogQuery{}, 0)
		taken.take()

		const changes = 2000

		done := make(chan *queue.Event)

		go func() {
			var newest *queue.Event

			// One each millisecond, for two seconds.
			for range changes {
				<-time.After(time.Millisecond)
				newest = log.write(ofBatch(1))
			}

			done <- newest
		}()

		began := time.Now()
		count := 0

		var last live.Round
		for last.Cursor.Seq < changes {
			last = taken.take()
			count++
		}

		if newest := <-done; last.Cursor != newest.Cursor {
			t.Fatalf("the last round is at %v; the newest event is at %v", last.Cursor, newest.Cursor)
		}

		if took := time.Since(began); count < 18 || float64(count) > took.Seconds()*10+1 {
			t.Fatalf("%d rounds in %s", count, took)
		}
	})
}

func TestAfterAQuietTimeAChangeBringsARoundWithoutDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		taken := watch(t.Context(), t, log, queue.LogQuery{}, 0)
		taken.take()

		var written time.Time

		go func() {
			<-time.After(10*time.Second + 123*time.Millisecond)

			written = time.Now()
			log.write(ofBatch(1))
		}()

		taken.take()

		if !time.Now().Equal(written) {
			t.Fatalf("the round came %s late", time.Since(written))
		}
	})
}

func TestARoundNamesEachChangedBatchOnceTheLongestUnchangedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		taken := watch(t.Context(), t, log, queue.LogQuery{}, 0)
		taken.take()

		// More than one page of the log.
		for range 300 {
			log.write(ofBatch(3))
			log.write(ofBatch(1))
			log.write(queue.Event{Kind: queue.EventPace})
		}

		newest := log.write(ofBatch(2))

		if round := taken.take(); !slices.Equal(round.Batches, []queue.BatchID{3, 1, 2}) || round.Cursor != newest.Cursor {
			t.Fatalf("the round is %+v", round)
		}
	})
}

func TestAgentsChangesWakeThoseWhoAskForThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		taken := watch(t.Context(), t, log, queue.LogQuery{Kinds: []queue.EventKind{queue.EventAgent}}, 0)
		taken.take()

		log.write(ofBatch(1))
		written := log.write(queue.Event{Kind: queue.EventAgent})

		if round := taken.take(); round.Cursor != written.Cursor || len(round.Batches) != 0 {
			t.Fatalf("the round is %+v", round)
		}
	})
}

func TestAQuietRoundComesWhereNothingHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		taken := watch(t.Context(), t, log, queue.LogQuery{}, 15*time.Second)
		taken.take()

		began := time.Now()

		if round := taken.take(); !round.Quiet || time.Since(began) < 15*time.Second || time.Since(began) > 16*time.Second {
			t.Fatalf("after %s the round is %+v", time.Since(began), round)
		}

		log.write(ofBatch(1))

		if round := taken.take(); round.Quiet || !slices.Equal(round.Batches, []queue.BatchID{1}) {
			t.Fatalf("the round is %+v", round)
		}
	})
}

func TestRoundsGoOnAfterAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		taken := watch(t.Context(), t, log, queue.LogQuery{}, 0)
		taken.take()

		log.set(func(m *memory) { m.away = true })

		written := log.write(ofBatch(1))

		go func() {
			<-time.After(5 * time.Second)
			log.set(func(m *memory) { m.away = false })
		}()

		if round := taken.take(); round.Cursor != written.Cursor {
			t.Fatalf("the round is %+v", round)
		}
	})
}

func TestRoundsEndWithTheirContextAndWithALogThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		ctx, cancel := context.WithCancel(t.Context())
		ended := watch(ctx, t, log, queue.LogQuery{}, 0)
		expired := watch(t.Context(), t, log, queue.LogQuery{}, 0)

		ended.take()
		expired.take()
		cancel()

		if _, err, ok := ended.next(); ok {
			t.Fatalf("a round after the end: %v", err)
		}

		log.write(ofBatch(1))
		log.write(ofBatch(1))
		log.set(func(m *memory) { m.pruned = 1 })
		<-time.After(2 * time.Second) // so that the log is looked at again

		if _, err, ok := expired.next(); !ok || queue.CodeOf(err) != queue.CursorExpired {
			t.Fatalf("the end is %v, %t", err, ok)
		}
	})
}
