package trial

import (
	"testing"
	"time"
)

// moreRounds are enough for something of each kind that is only read by those who have come back.
const moreRounds = 2

// TestACrowd has a crowd follow the log of a site over two hubs while work goes on and the hubs, in turn, and their
// Postgres are ended in every way. Each of the crowd keeps a record, comes back with its last cursor to either hub, and
// must have seen every event that it asked for, once and in order, as the log itself has them.
func TestACrowd(t *testing.T) {
	t.Logf("seed %d, a crowd of %d", *seed, *crowd)

	postgres := startKeptPostgres(t)
	hubs := openPair(t, postgres)

	s, err := newSite(t.Context(), hubs.at[0], "crowded", "operator", "agent", "viewer", "admin")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()

	takeSeats(t, []*site{s})

	work := newShift(t, s, hubs)

	// So that there is something to have missed.
	for range 20 {
		work.round(t.Context())
	}

	all := gather(t, *crowd, part{
		Hubs: []string{hubs.at[0].address, hubs.at[1].address}, Seed: *seed,
		Tokens: []string{s.viewer.token, s.operator.token, s.admin.token},
	})

	stop := work.begin(time.Duration(*crowd) * readARound * time.Second / hubs.readsASecond)
	defer stop()

	begun := time.Now()
	all.ask(t, order{Begun: true})
	t.Logf("%6.1f s until the last of the crowd had its first event", time.Since(begun).Seconds())

	for _, fault := range []struct {
		name   string
		strike func()
	}{
		// Those of an ended hub go to the other, so from the second fault on it strikes nearly all.
		{"SIGTERM of the first hub", func() { hubs.terminate(0) }},
		{"SIGTERM of the second hub", func() { hubs.terminate(1) }},
		{"an immediate stop of Postgres", postgres.stopAtOnce},
		{"kill -9 of the first hub", func() { hubs.kill(0) }},
		{"kill -9 of the second hub", func() { hubs.kill(1) }},
	} {
		struck := time.Now()

		fault.strike()

		back := time.Since(struck)

		work.await(moreRounds)

		asked := time.Now()
		seen := all.ask(t, order{UpTo: work.newest()})
		t.Logf("%6.1f s after %s all had every event; it was away for %.1f s, and the last was read %.1f s late\n%s",
			time.Since(struck).Seconds(), fault.name, back.Seconds(), time.Since(asked).Seconds(), seen)
	}

	stop()

	seen := all.ask(t, order{UpTo: work.newest(), Last: true})
	t.Logf("at the end, of %d rounds of work:\n%s", work.rounds.Load(), seen)

	for _, end := range []expectedEnd{"close 1001", "close 1006", endOfStream, leftByItself} {
		if seen.Ended[string(end)] == 0 {
			t.Errorf("no connection ended with: %s", end)
		}
	}
}
