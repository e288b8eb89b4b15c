package group

import (
	"context"
	"errors"
	"hash/maphash"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// run is one execution of a subscription, for one member or many.
type run struct {
	groups    *Groups
	operation *graphql.OperationContext
	audience  Audience
	key       key
	// state is true of subscriptions that show how something stands, and not each of its changes.
	state bool
	// resume is where the run goes on instead of at the operation's `after`; nil for where that says.
	resume *queue.Cursor

	ctx    context.Context //nolint:containedctx // the run's own: it ends with its last member
	cancel context.CancelFunc

	// These belong to the goroutine of the run. produce is nil where the resolver did not leave the driving to the run;
	// sending are the members of the present step.
	produce func(sent func() bool)
	answers func() *graphql.Response
	sending []*Member
	encoded []byte
	looks   uint64

	// The rest is guarded by groups.mu.
	members []*Member
	// placed is false until done is known: everything up to there has been handed out. at is the position of the step
	// that is being worked on, if any.
	placed, inStep bool
	done, at       queue.Cursor
	// fresh is true before the first step. Nobody joins a run that waits for its one member.
	fresh, waiting, joined bool
}

var _ live.Gate = (*run)(nil)

// errJoined ends the iterator of a run whose members have gone over to another.
var errJoined = errors.New("joined others")

//nolint:gochecknoglobals // one for all, so that what looks the same is the same
var seed = maphash.MakeSeed()

// drive runs the subscription to its end.
func (r *run) drive() {
	defer r.cancel()
	defer r.finish()
	defer r.rescue()

	ctx := live.WithGate(context.WithValue(r.ctx, runKey{}, r), r)
	answers, ctx := r.groups.config.Exec.DispatchOperation(ctx, r.operation)
	r.answers = func() *graphql.Response { return answers(ctx) }

	if r.produce == nil {
		r.pull()

		return
	}

	r.produce(r.answer)

	if !r.isJoined() {
		r.answer() // nothing comes any more; if that is for an error, it is the last answer
	}
}

// pull takes answers as they come, at positions that nobody knows.
func (r *run) pull() {
	for more := true; more; {
		response := r.answers()

		r.begin(r.at)
		more = r.take(response)
		r.endStep()
	}
}

// answer makes the answer of what was sent last and hands it out; false where there is none, or it was the last.
func (r *run) answer() bool { return r.take(r.answers()) }

func (r *run) take(response *graphql.Response) bool {
	switch {
	case response == nil:
		return false
	case len(response.Data) == 0 || len(response.Errors) > 0 && string(response.Data) == "null":
		r.fail(response.Errors)

		return false
	}

	var err error
	if r.encoded, err = appendAnswer(r.encoded[:0], response); err != nil {
		r.fail(gqlerror.List{r.groups.config.Present(r.ctx, err)})

		return false
	}

	if r.state {
		r.looks = maphash.Bytes(seed, r.encoded)
	}

	r.handOut()

	return r.ctx.Err() == nil
}

// rescue is to be deferred. Resolvers' panics are caught where they are thrown.
func (r *run) rescue() {
	if thrown := recover(); thrown != nil {
		r.fail(gqlerror.List{r.groups.config.Present(r.ctx, r.groups.config.Recover(r.ctx, thrown))})
	}
}

// fail ends the subscription of those for whom the answer was that cannot be made. Who was further goes on alone.
func (r *run) fail(errs gqlerror.List) {
	for _, member := range r.abandon() {
		if at := member.position(r.done); r.placed && (at.Seq > r.done.Seq && !r.inStep || r.inStep && at.Seq >= r.at.Seq) {
			r.goOnAlone(member, at)

			continue
		}

		member.to.Fail(errs)
	}
}

// finish lets the members know that it is over.
func (r *run) finish() {
	left := r.abandon()
	if r.ctx.Err() != nil {
		return // they are told by who ended it
	}

	for _, member := range left {
		member.to.Complete()
	}
}
