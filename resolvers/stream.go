package resolvers

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/live/group"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ending is where a running subscription leaves the error that ended it, for the answer that finds its channel closed.
type ending struct{ err atomic.Pointer[error] }

type endingKey struct{}

// stream runs a subscription. It ends with an error where the events cannot go on, and where one of them could not be
// shown: its reader would otherwise take the next event's cursor and miss this one for good.
func (s schema) stream(ctx context.Context) graphql.ResponseHandler {
	ctx, marked := withMarking(ctx)

	end := &ending{}
	next := s.ExecutableSchema.Exec(context.WithValue(ctx, endingKey{}, end))
	ended := false

	return func(ctx context.Context) *graphql.Response {
		if ended {
			return nil
		}

		answer := next(s.resolver.begin(ctx, false))
		if answer == nil {
			err := end.err.Load()
			if err == nil || ctx.Err() != nil {
				return nil
			}

			graphql.AddError(ctx, *err)
		} else if !isLost(ctx, answer) {
			marked.turn()

			return answer
		}

		ended = true

		return lastAnswer()
	}
}

// isLost tells whether an error has taken the whole event: gqlgen then answers with null under its name.
func isLost(ctx context.Context, answer *graphql.Response) bool {
	return len(graphql.GetErrors(ctx)) > 0 && bytes.HasSuffix(answer.Data, []byte(":null}"))
}

// lastAnswer ends a subscription with the errors of this context, which the executor puts in.
func lastAnswer() *graphql.Response { return &graphql.Response{Data: []byte("null")} }

// emit runs produce for the subscription of this context until that ends, and gives what it sends. send is false where
// nobody takes any more. An error of produce ends the subscription.
func emit[T any](ctx context.Context, r *Resolver, produce func(send func(T) bool) error) <-chan T {
	if led, ok := lead(ctx, produce); ok {
		return led
	}

	out := make(chan T)

	r.streams.Go(func() {
		defer close(out)

		keep(ctx, contained(func() error {
			return produce(func(item T) bool {
				offer(ctx, item)

				select {
				case out <- item:
					return true
				case <-ctx.Done():
					return false
				}
			})
		}))
	})

	return out
}

// lead leaves the producing to the transport, where that asks for one event after the other.
func lead[T any](ctx context.Context, produce func(send func(T) bool) error) (<-chan T, bool) {
	out := make(chan T, 1)

	return out, group.Lead(ctx, func(sent func() bool) {
		defer close(out)

		keep(ctx, contained(func() error {
			return produce(func(item T) bool {
				out <- item

				return sent()
			})
		}))
	})
}

// keep keeps the error that ended the subscription for its last answer.
func keep(ctx context.Context, err error) {
	if end, ok := ctx.Value(endingKey{}).(*ending); ok && err != nil && ctx.Err() == nil {
		end.err.Store(&err)
	}
}

// contained makes an error of a panic: gqlgen does so for resolvers, and here nobody would.
func contained(run func() error) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("a subscription panicked: %v\n%s", thrown, debug.Stack())
		}
	}()

	return run()
}

// follow gives each event of the query to the subscriber in the form that show gives it.
func follow[T any](ctx context.Context, r *Resolver, wanted queue.LogQuery, show func(*queue.Event) T) (<-chan T, error) {
	if at := group.Resumed(ctx); at != nil {
		wanted.After = at
	}

	events, err := r.live.Follow(ctx, site(ctx), wanted)
	if err != nil {
		return nil, err
	}

	return emit(ctx, r, func(send func(T) bool) error { return sendAll(events, show, send) }), nil
}

func sendAll[T any](events iter.Seq2[*queue.Event, error], show func(*queue.Event) T, send func(T) bool) error {
	for event, err := range events {
		if err != nil {
			return err
		}

		if !send(show(event)) {
			return nil
		}
	}

	return nil
}
