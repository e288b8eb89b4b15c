package group

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

type runKey struct{}

func runOf(ctx context.Context) *run {
	r, _ := ctx.Value(runKey{}).(*run)

	return r
}

// Lead leaves the producing of a subscription's events to the run that executes it, which calls produce once, after the
// resolver has returned. produce puts one event at a time where the resolver's channel gives it, with room for one, and
// calls sent, which takes the answer from there; it ends when sent says false, and closes the channel at its end. Lead
// answers false where no run executes this context: then the resolver has to see to it itself.
func Lead(ctx context.Context, produce func(sent func() bool)) bool {
	r := runOf(ctx)
	if r == nil {
		return false
	}

	r.produce = produce

	return true
}

// Resumed is where a subscription goes on in place of where its arguments say; nil where it does not.
func Resumed(ctx context.Context) *queue.Cursor {
	if r := runOf(ctx); r != nil {
		return r.resume
	}

	return nil
}

// Shows tells that the event to be sent next shows everything up to that position, which may lie beyond the one at which
// it is yielded.
func Shows(ctx context.Context, at queue.Cursor) {
	if r := runOf(ctx); r != nil {
		r.groups.mu.Lock()
		defer r.groups.mu.Unlock()

		r.at = later(r.at, at)
	}
}
