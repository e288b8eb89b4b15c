package resolvers

import (
	"context"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// operation is what one answer has of its own.
type operation struct {
	loaders atomic.Pointer[loaders]
	// began is the log's position before anything of the answer was read, where it is asked for.
	began    queue.Cursor
	beganErr error
}

type operationKey struct{}

// begin gives a context for one answer. Where the log's position is asked for it is read here, since the fields of a
// query are answered side by side: read any later, it might lie beyond a change that another field has not seen.
func (r *Resolver) begin(ctx context.Context, asksCursor bool) context.Context {
	var running operation

	running.loaders.Store(newLoaders(r.reader, site(ctx)))

	if asksCursor {
		running.began, running.beganErr = r.reader.Head(ctx, site(ctx))
	}

	return context.WithValue(ctx, operationKey{}, &running)
}

func operationOf(ctx context.Context) *operation {
	running, _ := ctx.Value(operationKey{}).(*operation)

	return running
}

// load gives the loaders of this answer.
func load(ctx context.Context) *loaders { return operationOf(ctx).loaders.Load() }

// renew makes this answer read anew from now on. A mutation does so after its verb: an earlier one of the same
// operation may have read what has changed since.
func (r *Resolver) renew(ctx context.Context) {
	operationOf(ctx).loaders.Store(newLoaders(r.reader, site(ctx)))
}

// site is the caller's; that there is a caller the @requires directive has seen to.
func site(ctx context.Context) queue.SiteID {
	caller, _ := access.From(ctx)

	return queue.SiteID(caller.SiteID)
}

// actor is the caller as the verbs know it.
func actor(ctx context.Context) queue.Actor {
	caller, _ := access.From(ctx)

	return queue.Actor{Site: queue.SiteID(caller.SiteID), Name: caller.Token}
}

// onlyID tells whether nothing but the id of this field's object is asked for, which needs no reading.
func onlyID(ctx context.Context, object string) bool {
	return asksOnly(ctx, object, func(field string) bool { return field == "id" || field == "__typename" })
}

// asksOnly tells whether of this field's object no other fields are asked for.
func asksOnly(ctx context.Context, object string, fields func(name string) bool) bool {
	for _, field := range graphql.CollectFieldsCtx(ctx, []string{object}) {
		if !fields(field.Name) {
			return false
		}
	}

	return true
}

// isSubscription tells whether this answer is one of a subscription's.
func isSubscription(ctx context.Context) bool {
	return graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription
}
