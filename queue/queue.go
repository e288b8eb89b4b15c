package queue

import (
	"context"
	"math/rand/v2"
	"time"
)

// Queue is the hub's domain: its methods are the verbs.
type Queue struct {
	store  Store
	reader Reader
	waker  Waker
	timing Timing
	// drained is closed when long polls shall be answered.
	drained <-chan struct{}
	pause   func(p Pace) int
}

// Timing is how long the domain waits for what. Zero values mean the default.
type Timing struct {
	// Seat is how long an instance keeps its seat after its last call; 60 s.
	Seat time.Duration
	// Look is how often a waiting claim looks again where nothing woke it; 1 s.
	Look time.Duration
}

// Default times.
const (
	defaultSeat = 60 * time.Second
	defaultLook = time.Second
)

// New makes the domain over a store, a reader and a waker. When drained is closed, waiting claims are answered.
func New(store Store, reader Reader, waker Waker, timing Timing, drained <-chan struct{}) *Queue {
	if timing.Seat == 0 {
		timing.Seat = defaultSeat
	}

	if timing.Look == 0 {
		timing.Look = defaultLook
	}

	return &Queue{store: store, reader: reader, waker: waker, timing: timing, drained: drained, pause: drawPause}
}

// Actor is who calls a verb: the name on a token, and the site that the token is of.
type Actor struct {
	Site SiteID
	Name string
}

// change runs decide in one transaction of the actor's site.
func (q *Queue) change(ctx context.Context, by Actor, decide func(tx Tx) error) error {
	return q.store.Change(ctx, by.Site, decide)
}

// drawPause draws uniformly between the two bounds, both included.
func drawPause(p Pace) int {
	return p.MinPauseSeconds + rand.IntN(p.MaxPauseSeconds-p.MinPauseSeconds+1) //nolint:gosec // a pause is no secret
}
