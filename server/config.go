package server

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/server/operation"
)

// Config is what a Server is made of.
type Config struct {
	// Schema is what /graphql executes. Required.
	Schema graphql.ExecutableSchema
	// Login logs callers in and counts their operations. Required.
	Login *access.Authenticator
	// Present makes each error what the client sees. Required.
	Present graphql.ErrorPresenterFunc
	// Recover makes an error of a panic. Required.
	Recover graphql.RecoverFunc
	// Log takes what the server has to say. Required.
	Log *slog.Logger
	// Extensions are added to gqlgen's executor after the server's own.
	Extensions []graphql.HandlerExtension
	// Ready tells whether the hub can do its work; /readyz shows its error, through Present, to anyone who asks. Nil
	// means always.
	Ready func(ctx context.Context) error
	// Drain is called first of all when the server is to end: it has long polls answered as idle. Nil means that there
	// is nothing to do.
	Drain func()
	// Version is shown at /.
	Version string

	// Listen is the address to listen on, such as 127.0.0.1:8080; port 0 means any that is free.
	Listen string
	// Exposure says what makes it right to listen on other than loopback.
	Exposure Exposure

	// Operations bound each operation; zero fields mean defaults.
	Operations operation.Limits
	// BodyLimit is the largest body in bytes, and a tenth of it the largest message of a websocket. Zero means 10 MB.
	BodyLimit int64
	// Websockets bound how many there are; zero fields mean defaults.
	Websockets Websockets
	// Times bound how long things take; zero fields mean defaults.
	Times Times
}

// Websockets bound what callers may have open at once.
type Websockets struct {
	// Connections a token has at most. 15,000.
	Connections int
	// Operations a connection has at most, subscriptions among them. 1,000.
	Operations int
}

// Times bound how long things take.
type Times struct {
	// Header is how long a request's header may take to arrive. 10 s.
	Header time.Duration
	// Body is how long a request's body may take to arrive. 60 s.
	Body time.Duration
	// Answer is how long an answer may take to be read, once it is there. 30 s.
	Answer time.Duration
	// Idle is how long a connection is kept without a request; longer than a claim waits. 2 min.
	Idle time.Duration
	// Ready is how long Ready may take. 1 s.
	Ready time.Duration
	// Init is how long a websocket may take to log in. 10 s.
	Init time.Duration
	// Login is how often the token of an open websocket or stream of events is looked up again; one whose token has ended
	// is to be closed within 5 s. 2 s.
	Login time.Duration
	// Ping is how often a websocket is asked whether it is still there. 25 s.
	Ping time.Duration
	// KeepAlive is how often a stream of events that is silent is sent a comment, so that no proxy cuts it. 12 s.
	KeepAlive time.Duration
	// Write is how long a message to a websocket or a stream of events may take. 5 s.
	Write time.Duration
	// Finish is how long what runs may go on once the server is to end. 6 s.
	Finish time.Duration
	// Goodbye is how long a websocket has to answer the close, and a request that was cut off to come to its end. 1 s.
	// Finish and twice this stay under the 10 s in which the whole hub ends.
	Goodbye time.Duration
}

// The defaults.
const (
	defaultBodyLimit = 10 << 20
	socketShare      = 10

	defaultHeaderTime  = 10 * time.Second
	defaultBodyTime    = time.Minute
	defaultAnswerTime  = 30 * time.Second
	defaultIdleTime    = 2 * time.Minute
	defaultReadyTime   = time.Second
	defaultInitTime    = 10 * time.Second
	defaultLoginTime   = 2 * time.Second
	defaultPingTime    = 25 * time.Second
	defaultAliveTime   = 12 * time.Second
	defaultWriteTime   = 5 * time.Second
	defaultFinishTime  = 6 * time.Second
	defaultGoodbyeTime = time.Second

	defaultConnections = 15_000
	defaultOperations  = 1_000

	// headerLimit is the largest header in bytes; a query by GET stands in it.
	headerLimit = 64 << 10
)

func (c Config) orDefaults() Config {
	if c.BodyLimit == 0 {
		c.BodyLimit = defaultBodyLimit
	}

	if c.Ready == nil {
		c.Ready = func(context.Context) error { return nil }
	}

	if c.Drain == nil {
		c.Drain = func() {}
	}

	if c.Websockets.Connections == 0 {
		c.Websockets.Connections = defaultConnections
	}

	if c.Websockets.Operations == 0 {
		c.Websockets.Operations = defaultOperations
	}

	c.Operations = c.Operations.OrDefaults()
	c.Times = c.Times.orDefaults()

	return c
}

func (t Times) orDefaults() Times {
	for _, span := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{
		{&t.Header, defaultHeaderTime},
		{&t.Body, defaultBodyTime},
		{&t.Answer, defaultAnswerTime},
		{&t.Idle, defaultIdleTime},
		{&t.Ready, defaultReadyTime},
		{&t.Init, defaultInitTime},
		{&t.Login, defaultLoginTime},
		{&t.Ping, defaultPingTime},
		{&t.KeepAlive, defaultAliveTime},
		{&t.Write, defaultWriteTime},
		{&t.Finish, defaultFinishTime},
		{&t.Goodbye, defaultGoodbyeTime},
	} {
		if *span.value == 0 {
			*span.value = span.fallback
		}
	}

	return t
}

func (c Config) check() error {
	for _, part := range []struct {
		name    string
		missing bool
	}{
		{"Schema", c.Schema == nil},
		{"Login", c.Login == nil},
		{"Present", c.Present == nil},
		{"Recover", c.Recover == nil},
		{"Log", c.Log == nil},
	} {
		if part.missing {
			return errors.New("a server needs " + part.name + " in its Config")
		}
	}

	return CheckListen(c.Listen, c.Exposure)
}
