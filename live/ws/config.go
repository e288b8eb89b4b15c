package ws

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/live/group"
)

// Config is what a Server is made of. Each field must be given.
type Config struct {
	Exec graphql.GraphExecutor
	// Present makes each error what the client sees, and Recover an error of a panic.
	Present graphql.ErrorPresenterFunc
	Recover graphql.RecoverFunc
	Times   Times
	Limits  Limits
}

// Times bound how long things take.
type Times struct {
	// Init is how long a client may take to send connection_init.
	Init time.Duration
	// Ping is how often a client is asked whether it is still there. One that was silent for twice as long is not.
	Ping time.Duration
	// Write is how long a client may take to read something, before it is cut off.
	Write time.Duration
	// Goodbye is how long it has to answer the close.
	Goodbye time.Duration
}

// Limits bound what one connection may take.
type Limits struct {
	// Message is the largest message in bytes.
	Message int64
	// Operations are how many may run at once.
	Operations int
}

// Login logs a connection in by the authorization of its connection_init, "" where it has none. end ends the connection
// at any later time. A refused login is answered by a *Close, which says how.
type Login func(ctx context.Context, authorization string, end func(*Close)) (Session, error)

// Session is what a connection is once it is logged in.
type Session interface {
	// Context gives a context that carries the caller.
	Context(ctx context.Context) context.Context
	// Admit is asked before each operation, with that context. Its error is the operation's, and the connection's where it
	// is a *Close.
	Admit(ctx context.Context) error
	// Audience is for whom a subscription is executed: the same for callers who see the same.
	Audience() group.Audience
	// Mends tells whether what is no UTF-8 is to be replaced by U+FFFD, and not refused.
	Mends() bool
	// Leave is called once, when the connection is over.
	Leave()
}
