package graphqlhttp

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/live/sse"
)

// lastEventID is where the reader of a stream was cut off.
const lastEventID = "Last-Event-ID"

// stream answers an operation by a stream of events.
func (t Transport) stream(
	ctx context.Context, w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, operation *graphql.OperationContext,
) {
	mark := &live.Bookmark{}

	if operation.Operation.Operation == ast.Subscription {
		var err error
		if mark, err = live.ParseBookmark(r.Header.Get(lastEventID)); err != nil {
			t.serve(ctx, w, r, once(&graphql.Response{Errors: gqlerror.List{t.Present(ctx, err)}}))

			return
		}

		following, done := t.Follow(ctx, r)
		defer done()

		ctx = following
	}

	t.serve(ctx, w, r, t.contained(answersOf(exec, operation, mark)))
}

// serve writes the events.
func (t Transport) serve(ctx context.Context, w http.ResponseWriter, r *http.Request, next func(context.Context) *sse.Event) {
	if err := t.Events.Serve(ctx, w, next); err != nil {
		t.Refuse(w, r, err)
	}
}

// once gives the answer to a request that is not carried out.
func once(answer *graphql.Response) func(context.Context) *sse.Event {
	given := false

	return func(context.Context) *sse.Event {
		if given {
			return nil
		}

		given = true

		return eventOf(answer, withoutData, "")
	}
}

// answersOf carries the operation out when the first answer is asked for, so that the caller is told meanwhile that it
// is connected.
func answersOf(
	exec graphql.GraphExecutor, operation *graphql.OperationContext, mark *live.Bookmark,
) func(context.Context) *sse.Event {
	var next func() *graphql.Response

	return func(ctx context.Context) *sse.Event {
		if next == nil {
			answers, ctx := exec.DispatchOperation(live.WithBookmark(ctx, mark), operation)
			next = func() *graphql.Response { return answers(ctx) }
		}

		mark.At = nil

		answer := next()
		if answer == nil {
			return nil
		}

		return eventOf(answer, withData, mark.String())
	}
}

// contained makes a last answer of a panic: this is not the goroutine of the request, where net/http would see to it.
func (t Transport) contained(next func(context.Context) *sse.Event) func(context.Context) *sse.Event {
	ended := false

	return func(ctx context.Context) (event *sse.Event) {
		if ended {
			return nil
		}

		defer func() {
			if thrown := recover(); thrown != nil {
				ended = true
				presented := t.Present(ctx, t.Recover(ctx, thrown))
				event = eventOf(&graphql.Response{Errors: gqlerror.List{presented}}, withData, "")
			}
		}()

		return next(ctx)
	}
}

// eventOf copies the answer, whose data gqlgen writes the next one over.
func eventOf(answer *graphql.Response, data dataEntry, id string) *sse.Event {
	body, err := encode(answer, data)
	if err != nil {
		panic(err) // as in write
	}

	return &sse.Event{ID: id, Data: body}
}
