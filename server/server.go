package server

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/gorilla/websocket"
	"golang.org/x/sync/singleflight"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/live/sse"
	"github.com/sdlc-hub/sdlc-hub/live/ws"
	"github.com/sdlc-hub/sdlc-hub/server/graphqlhttp"
	"github.com/sdlc-hub/sdlc-hub/server/operation"
	"github.com/sdlc-hub/sdlc-hub/web"
)

// Server is the hub's HTTP side.
type Server struct {
	config    Config
	exec      *executor.Executor
	transport graphqlhttp.Transport
	sockets   *ws.Server
	sessions  *sessions
	readiness singleflight.Group

	// ending is done from when the server is to end; running, the context of every request, from when what runs is to
	// be cut off.
	ending, running context.Context //nolint:containedctx // the server's own two stages, not a caller's
	end, cutOff     context.CancelFunc

	listener net.Listener
}

// New makes a Server; it listens only in Listen or Run. It errs where Config lacks something, or asks for an address
// that CheckListen refuses.
func New(config Config) (*Server, error) {
	if err := config.check(); err != nil {
		return nil, err
	}

	config = config.orDefaults()
	server := &Server{config: config, exec: newExecutor(config)}

	server.ending, server.end = context.WithCancel(context.Background())
	server.running, server.cutOff = context.WithCancel(context.Background())
	server.sessions = newSessions(server.running, config)
	server.sockets = newSockets(config, server.exec)
	server.transport = graphqlhttp.Transport{
		BodyLimit:  config.BodyLimit,
		BodyTime:   config.Times.Body,
		AnswerTime: config.Times.Answer,
		ValueDepth: config.Operations.ValueDepth,
		Mends:      fromAgent,
		Present:    config.Present,
		Recover:    config.Recover,
		Events:     sse.Stream{KeepAlive: config.Times.KeepAlive, Write: config.Times.Write},
		Follow:     server.following,
	}

	return server, nil
}

// fromAgent tells the requests that pass on Jira's texts: the agent's are never refused for their characters.
func fromAgent(r *http.Request) bool {
	caller, loggedIn := access.From(r.Context())

	return loggedIn && caller.Role == access.Agent
}

// newExecutor is gqlgen's, with the hub's checks first. Introspection is on: whoever comes this far is logged in.
func newExecutor(config Config) *executor.Executor {
	exec := executor.New(config.Schema)
	exec.SetErrorPresenter(config.Present)
	exec.SetRecoverFunc(config.Recover)

	operation.Install(exec, config.Schema, config.Operations)
	exec.Use(extension.Introspection{})
	exec.Use(operationLog{log: config.Log})

	for _, added := range config.Extensions {
		exec.Use(added)
	}

	return exec
}

// Handler answers every request of the hub. Run serves it; it is given out for tests and for other listeners.
func (s *Server) Handler() http.Handler {
	routes, pages := http.NewServeMux(), web.Handler()
	routes.HandleFunc("/healthz", s.healthz)
	routes.HandleFunc("/readyz", s.readyz)
	routes.HandleFunc("/graphql", s.graphql)
	routes.Handle("/graphiql", pages)
	routes.Handle("/graphiql/{$}", pages)
	routes.Handle("/assets/", pages)
	routes.Handle("/licenses", pages)
	routes.HandleFunc("/{$}", s.front)
	routes.HandleFunc("/", nothing)

	return named(secured(s.logged(s.rescued(s.timed(routes)))))
}

// graphql answers over HTTP, or opens a websocket.
func (s *Server) graphql(w http.ResponseWriter, r *http.Request) {
	if websocket.IsWebSocketUpgrade(r) {
		s.websocket(w, r)

		return
	}

	s.loggedIn(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.transport.Do(w, r, s.exec)
	})).ServeHTTP(w, r)
}

// front says to whoever looks what this is.
func (s *Server) front(w http.ResponseWriter, _ *http.Request) {
	plain(w, http.StatusOK, fmt.Sprintf("sdlc-hub %s: a queue of changes to Jira.\n"+
		"GraphQL is at /graphql, for whoever sends a token as \"Authorization: Bearer hub_...\": POST, GET for queries, and "+
		"a websocket (graphql-transport-ws) or server-sent events (graphql-sse) for subscriptions.\n"+
		"/graphiql is a page to try it on.\n"+
		"/healthz tells whether the hub runs, /readyz whether it can work.", s.config.Version))
}

func nothing(w http.ResponseWriter, _ *http.Request) {
	plain(w, http.StatusNotFound, "there is nothing here; GraphQL is at /graphql")
}
