package live

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Gate is asked by the iterators of Follow and Watch: it makes them go step by step, and tells where they are.
type Gate interface {
	// Pass is called before an iterator looks for what comes next, with the position up to which everything has been
	// handed over. It may hold the iterator until the next step is wanted; an error ends the iterator silently (no
	// error is yielded). It is called once for each step.
	Pass(ctx context.Context, done queue.Cursor) error
	// Reach is called right before an event (or a round) is yielded, with its position.
	Reach(at queue.Cursor)
}

type gateKey struct{}

// WithGate gives a context in which Follow and Watch ask the gate; without one they run freely.
func WithGate(ctx context.Context, gate Gate) context.Context {
	return context.WithValue(ctx, gateKey{}, gate)
}

// gateOf is the gate of a context, open where there is none.
func gateOf(ctx context.Context) Gate {
	if gate, ok := ctx.Value(gateKey{}).(Gate); ok {
		return gate
	}

	return open{}
}

// open is a gate that holds nobody.
type open struct{}

func (open) Pass(context.Context, queue.Cursor) error { return nil }

func (open) Reach(queue.Cursor) {}
