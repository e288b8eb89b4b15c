package ws

import (
	"context"
	"errors"

	"github.com/gorilla/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// subscribe begins an operation.
func (s *socket) subscribe(session Session, read message) {
	if session == nil {
		s.close(&Close{Code: Unauthorized, Reason: "Unauthorized"})

		return
	}

	params, wrong := readParams(read.payload)
	if wrong != nil {
		s.close(wrong)

		return
	}

	begun, problem := s.begin(read.id)
	if problem != nil {
		s.refuse(read.id, problem)

		return
	}

	if begun != nil {
		s.work.Go(func() { begun.run(session, params) })
	}
}

// Why an operation does not begin. Whoever presents these gives them their codes.
var (
	// ErrTooMany refuses an operation because too many run on its connection.
	ErrTooMany = errors.New("too many operations at once on this connection; complete some first")
	// ErrEnding refuses an operation because the server ends.
	ErrEnding = errors.New("the hub is shutting down; try again")
)

// begin takes an operation in: nothing where its id is in use, for which the connection is closed.
func (s *socket) begin(id string) (*operation, error) {
	ending := s.server.isEnding()

	s.mu.Lock()

	if s.operations[id] != nil {
		s.mu.Unlock()
		s.close(&Close{Code: SubscriberExists, Reason: "Subscriber for " + id + " already exists"})

		return nil, nil
	}

	defer s.mu.Unlock()

	switch {
	case s.cut != nil:
		return nil, nil
	case len(s.operations) >= s.server.config.Limits.Operations:
		return nil, ErrTooMany
	case ending:
		return nil, ErrEnding
	}

	begun := &operation{socket: s, id: id, next: head(id, typeNext) + `,"payload":`}
	begun.ctx, begun.stop = context.WithCancel(s.ctx)
	s.operations[id] = begun

	return begun, nil
}

// refuse answers an operation that never began.
func (s *socket) refuse(id string, problem error) {
	shown := gqlerror.List{s.server.config.Present(s.ctx, problem)}
	s.out.send(s.ctx, frame{kind: websocket.TextMessage, head: head(id, typeError) + `,"payload":`, body: encoded(shown), tail: "}"})
}

// complete ends an operation that its client wants no more of.
func (s *socket) complete(id string) {
	s.mu.Lock()
	running := s.operations[id]
	delete(s.operations, id)
	s.mu.Unlock()

	if running != nil {
		running.end()
	}
}
