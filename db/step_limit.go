package db

import (
	"context"
	"time"
)

// stepLimit bounds the steps of one change, of which each has at least half of the time. A timer each would cost a claim
// more than its own decision does: arming one wakes a thread.
type stepLimit struct {
	of     time.Duration
	until  time.Time
	ctx    context.Context //nolint:containedctx // it lives as long as the change, whose own it is
	cancel context.CancelFunc
}

// within gives what bounds the next step. ctx is the change's, the same each time.
func (l *stepLimit) within(ctx context.Context) context.Context {
	if l.cancel == nil || time.Until(l.until) < l.of/2 {
		l.extend(ctx, 0)
	}

	return l.ctx
}

// extend gives what bounds a step that needs so much more.
func (l *stepLimit) extend(ctx context.Context, by time.Duration) context.Context {
	l.end()
	l.until = time.Now().Add(l.of + by)
	l.ctx, l.cancel = context.WithDeadline(ctx, l.until)

	return l.ctx
}

// end lets go of the timer.
func (l *stepLimit) end() {
	if l.cancel != nil {
		l.cancel()
	}
}
