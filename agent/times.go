package agent

import (
	"context"
	"math/rand/v2"
	"time"
)

// Times are how long the agent waits for what. A zero value of any means the one that DefaultTimes has.
type Times struct {
	// ClaimWait is how long a claim may be held back by the hub, at most 55 s.
	ClaimWait time.Duration
	// Heartbeat is how often the hub hears of an agent that does not claim.
	Heartbeat time.Duration
	// SettleServer and SettleCloud are how long an issue that may have been created is looked for: search indexes lag.
	SettleServer, SettleCloud time.Duration
	// SettleLook is the pause between two such looks.
	SettleLook time.Duration
	// FirstPause is the pause after the first failed try; it doubles with each further one up to LongestPause.
	FirstPause, LongestPause time.Duration
	// Tries are how often a call or a command is tried whose outcome is unknown, before it is reported as failed.
	Tries int
	// Learn is how often the agent looks whether its Jira changed.
	Learn time.Duration
	// Grace is how long a command under way may go on after the agent was told to end.
	Grace time.Duration
}

// DefaultTimes are those of an agent in service.
func DefaultTimes() Times {
	return Times{
		ClaimWait: 55 * time.Second, Heartbeat: 20 * time.Second,
		SettleServer: 30 * time.Second, SettleCloud: 3 * time.Minute, SettleLook: 3 * time.Second,
		FirstPause: time.Second, LongestPause: time.Minute, Tries: 4,
		Learn: time.Hour, Grace: 8 * time.Second,
	}
}

func (t Times) withDefaults() Times {
	defaults := DefaultTimes()

	for _, pair := range []struct{ own, standard *time.Duration }{
		{&t.ClaimWait, &defaults.ClaimWait},
		{&t.Heartbeat, &defaults.Heartbeat},
		{&t.SettleServer, &defaults.SettleServer},
		{&t.SettleCloud, &defaults.SettleCloud},
		{&t.SettleLook, &defaults.SettleLook},
		{&t.FirstPause, &defaults.FirstPause},
		{&t.LongestPause, &defaults.LongestPause},
		{&t.Learn, &defaults.Learn},
		{&t.Grace, &defaults.Grace},
	} {
		if *pair.own == 0 {
			*pair.own = *pair.standard
		}
	}

	if t.Tries == 0 {
		t.Tries = defaults.Tries
	}

	return t
}

// pauses are the growing pauses between tries of one thing.
type pauses struct{ next, longest time.Duration }

func (t Times) pauses() *pauses { return &pauses{next: t.FirstPause, longest: t.LongestPause} }

// pause waits longer each time, and at least for least.
func (p *pauses) pause(ctx context.Context, least time.Duration) error {
	now := max(p.next, least)
	p.next = min(2*p.next, p.longest)

	return sleep(ctx, jittered(now))
}

// jittered adds up to a quarter, so that agents which were sent away together do not come back together.
func jittered(d time.Duration) time.Duration {
	return d + rand.N(d/4+1) //nolint:gosec // nothing secret hangs on it
}

// sleep waits, and gives the context's cause where that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()

	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx) //nolint:wrapcheck // whoever ended it knows why
	}
}
