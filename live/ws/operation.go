package ws

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gorilla/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/live/group"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// operation is one that runs. It takes the answers of its subscription.
type operation struct {
	socket *socket
	id     string
	// next is what every answer begins with.
	next string
	// ctx ends with the operation.
	ctx  context.Context //nolint:containedctx // the operation's own
	stop context.CancelFunc

	// member and over are guarded by the mutex of the socket's outbox, so that nothing is written after the end.
	member *group.Member
	over   bool
}

var _ group.Subscriber = (*operation)(nil)

// end ends the operation without a word.
func (o *operation) end() {
	o.socket.out.mu.Lock()
	o.over = true
	member := o.member
	o.socket.out.mu.Unlock()

	o.stop()

	if member != nil {
		member.Leave()
	}
}

// run carries the operation out, or begins its subscription.
func (o *operation) run(session Session, params *graphql.RawParams) {
	config := &o.socket.server.config
	ctx := session.Context(o.ctx)

	defer func() {
		if thrown := recover(); thrown != nil {
			o.Fail(gqlerror.List{config.Present(ctx, config.Recover(ctx, thrown))})
		}
	}()

	if err := session.Admit(ctx); err != nil {
		if wanted, ok := errors.AsType[*Close](err); ok {
			o.socket.close(wanted)

			return
		}

		o.Fail(gqlerror.List{config.Present(ctx, err)})

		return
	}

	start := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: start, End: start}
	ctx = graphql.StartOperationTrace(ctx)

	operation, problems := config.Exec.CreateOperationContext(ctx, params)
	if problems != nil {
		answer := config.Exec.DispatchError(graphql.WithOperationContext(ctx, operation), problems)
		o.Fail(answer.Errors)

		return
	}

	if operation.Operation.Operation == ast.Subscription {
		o.join(operation, session.Audience())
	} else {
		o.answer(ctx, operation)
	}
}

// join begins the subscription.
func (o *operation) join(asked *graphql.OperationContext, audience group.Audience) {
	member := o.socket.server.groups.Subscribe(asked, audience, o)

	o.socket.out.mu.Lock()
	o.member = member
	over := o.over
	o.socket.out.mu.Unlock()

	if over {
		member.Leave()
	}
}

// answer carries out an operation with one answer.
func (o *operation) answer(ctx context.Context, asked *graphql.OperationContext) {
	if !o.socket.server.begin(&o.socket.server.operations) {
		o.Fail(gqlerror.List{o.socket.server.config.Present(ctx, ErrEnding)})

		return
	}
	defer o.socket.server.operations.Done()

	next, ctx := o.socket.server.config.Exec.DispatchOperation(ctx, asked)

	answer := next(ctx)
	switch {
	case answer == nil:
		return // the context ended, and with it the connection or the client's wish
	case len(answer.Data) == 0:
		o.Fail(answer.Errors)

		return
	}

	body, err := group.Encode(answer)
	if err != nil {
		panic(err)
	}

	for !o.Next(body, queue.Cursor{}) {
		if o.Room(ctx) != nil {
			return
		}
	}

	o.Complete()
}

// Next writes an answer.
func (o *operation) Next(answer []byte, _ queue.Cursor) bool {
	o.socket.out.mu.Lock()
	defer o.socket.out.mu.Unlock()

	if o.over {
		return true
	}

	return o.socket.out.take(frame{kind: websocket.TextMessage, head: o.next, body: answer, tail: "}"}, false)
}

// Room waits for room in the outbox.
func (o *operation) Room(ctx context.Context) error { return o.socket.out.awaitRoom(ctx) }

// Idle tells whether the outbox is empty.
func (o *operation) Idle() bool { return o.socket.out.isIdle() }

// Fail ends the operation with an error message.
func (o *operation) Fail(errs gqlerror.List) {
	o.last(frame{kind: websocket.TextMessage, head: head(o.id, typeError) + `,"payload":`, body: encoded(errs), tail: "}"})
}

// Complete ends the operation.
func (o *operation) Complete() { o.last(text(head(o.id, typeComplete) + "}")) }

// last ends the operation by its last message, unless the client or the end of the connection was faster. Both at once, so
// that the id is free when the client reads that, and never meant for another operation of the same id.
func (o *operation) last(message frame) {
	o.socket.mu.Lock()
	defer o.socket.mu.Unlock()

	if o.socket.operations[o.id] != o {
		return
	}

	delete(o.socket.operations, o.id)
	o.stop()
	o.socket.out.put(message, true)
}

func encoded(errs gqlerror.List) []byte {
	text, err := json.Marshal(errs)
	if err != nil {
		panic(err) // presented errors hold what JSON can hold
	}

	return text
}
