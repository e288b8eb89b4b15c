package trial

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestAThousandWhoComeBackAtOnce counts the statements that a hub has Postgres carry out for those who come back to it
// at one moment, each with a position of its own among events that it has missed: they do not grow with how many come.
func TestAThousandWhoComeBackAtOnce(t *testing.T) {
	const few, many = 10, 1_000

	postgres := startKeptPostgres(t)
	wire := tap(t, postgres)
	at := overDatabase(t, wire.url)
	h := at.serve(t)

	s, err := newSite(t.Context(), at, "missed", "operator", "agent", "viewer", "admin")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()

	takeSeats(t, []*site{s})

	work := &shift{t: t, operators: []*caller{s.operator}, agents: []*caller{s.agent}}
	for range 5 {
		work.round(t.Context())
	}

	wished := wishes()[0]

	known := newHistory([]*wish{wished})
	known.readAll(t, s.viewer)

	tokens := []string{s.viewer.token, s.operator.token, s.admin.token}
	hub := []string{at.address}

	var counts []statements

	var took []time.Duration

	for _, number := range []int{few, many} {
		// The new one knows nothing yet.
		h.endGently(t)
		h = at.serve(t)

		wire.take()

		begun := time.Now()
		comeBack(t, returning(number, hub, tokens, wished, known), known)

		took = append(took, time.Since(begun))
		counts = append(counts, wire.take())
		t.Logf("%d were back after %s, by %d statements\n%s", number, took[len(took)-1], counts[len(counts)-1].total(), counts[len(counts)-1])
	}

	// What a hub asks all the time, as whether tokens have ended and whether the log has grown, grows with the time that
	// they all take here.
	const aSecond = 10

	if most := 2*counts[0].total() + int(took[1].Seconds()*aSecond); counts[1].total() > most {
		t.Errorf("for %d there were %d statements; after those for %d no more than %d are due", many, counts[1].total(), few, most)
	}
}

// returning are so many who have read the log up to somewhere in its first half.
func returning(number int, hub, tokens []string, w *wish, known *history) []*subscriber {
	crowd := make([]*subscriber, 0, number)

	for i := range number {
		r := newRand(i)
		crowd = append(crowd, newSubscriber(i, w, hub, tokens[i%len(tokens)], known.cursors[r.IntN(len(known.cursors)/2)]))
	}

	return crowd
}

// comeBack has them all come back at one moment, and returns once each has everything that it missed.
func comeBack(t *testing.T, crowd []*subscriber, known *history) {
	t.Helper()

	ctx, stop := context.WithTimeout(t.Context(), lateAfter)

	var running sync.WaitGroup
	defer running.Wait()
	defer stop()

	for _, s := range crowd {
		running.Go(func() { s.run(ctx) })
	}

	if late := awaitAll(ctx, crowd, func(s *subscriber) bool { return s.has(known.newest(), known) }); late > 0 {
		t.Fatalf("%d of %d are late", late, len(crowd))
	}

	for _, s := range crowd {
		s.sawAll(t, known)
	}
}
