package ws

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/live/group"
)

// Subprotocol is the one that is spoken.
const Subprotocol = "graphql-transport-ws"

const (
	// readBuffer serves most messages at once; each connection has one.
	readBuffer = 1 << 10
	// settled is for how long no subscription has anything to hand out before the connections are closed.
	settled = 100 * time.Millisecond
)

// Server keeps the connections. Shutdown must be called to end it.
type Server struct {
	config   Config
	groups   *group.Groups
	upgrader websocket.Upgrader

	mu      sync.Mutex
	open    map[*socket]struct{}
	ending  bool
	sockets sync.WaitGroup
	// opening are the handshakes under way: who has its answer is a client, and is told when the server ends.
	opening sync.WaitGroup
	// operations are those that have one answer.
	operations sync.WaitGroup
	// stopPings, once closed, ends the one goroutine that pings all connections; nil before the first of them.
	stopPings chan struct{}
}

// New makes a Server.
func New(config Config) *Server {
	return &Server{
		config: config,
		groups: group.New(group.Config{Exec: config.Exec, Present: config.Present, Recover: config.Recover}),
		upgrader: websocket.Upgrader{
			HandshakeTimeout: config.Times.Write,
			ReadBufferSize:   readBuffer,
			WriteBufferPool:  &sync.Pool{}, // what is written goes through the outbox
			Subprotocols:     []string{Subprotocol},
			CheckOrigin:      func(*http.Request) bool { return true }, // the login sees to it
		},
		open: make(map[*socket]struct{}),
	}
}

// Open makes a connection of a request for one, and returns once it is served elsewhere. The context is the connection's
// and must not end with the request. Where the request cannot be upgraded, refuse is called to answer it.
func (s *Server) Open(
	ctx context.Context, w http.ResponseWriter, r *http.Request, header http.Header, login Login,
	refuse func(status int, reason error),
) {
	if !s.begin(&s.opening) {
		refuse(http.StatusServiceUnavailable, ErrEnding)

		return
	}
	defer s.opening.Done()

	taken := &taking{ResponseWriter: w}
	upgrader := s.upgrader
	upgrader.Error = func(_ http.ResponseWriter, _ *http.Request, status int, reason error) { refuse(status, reason) }

	conn, err := upgrader.Upgrade(taken, r, header)
	if err != nil {
		return // refuse has answered, or nobody is there any more
	}

	opened := s.take(ctx, conn, taken.wire, login)

	if !slices.Contains(websocket.Subprotocols(r), Subprotocol) {
		opened.close(&Close{Code: BadSubprotocol, Reason: "Subprotocol not acceptable: there is " + Subprotocol})
	}
}

// take begins to serve a connection.
func (s *Server) take(ctx context.Context, conn *websocket.Conn, wire *wire, login Login) *socket {
	wire.upgraded = true

	opened := &socket{server: s, conn: conn, login: login, operations: make(map[string]*operation)}
	opened.ctx, opened.stop = context.WithCancel(ctx)
	opened.out = outbox{wire: wire.Conn, direct: newDirect(wire.Conn), stall: s.config.Times.Write}
	opened.heard.Store(time.Now().UnixNano())

	s.mu.Lock()
	defer s.mu.Unlock()

	if s.stopPings == nil {
		s.stopPings = make(chan struct{})
		s.sockets.Go(s.ping)
	}

	s.open[opened] = struct{}{}
	opened.awaitInit(s.config.Times.Init)
	s.sockets.Go(opened.serve)

	return opened
}

func (s *Server) forget(closed *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()

	delete(s.open, closed)
}

// Shutdown ends all connections. No operation begins any more, those that run have their answer, for as long as the
// context lasts, and what was written to the log is handed out, for as long as Times.Goodbye; then each connection is
// closed with 1001. It returns when the last is gone and nothing runs any more.
func (s *Server) Shutdown(ctx context.Context) {
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()

	s.opening.Wait() // each is bounded by the handshake's time

	s.mu.Lock()
	opened := slices.Collect(maps.Keys(s.open))

	if s.stopPings != nil {
		close(s.stopPings)
	}

	s.mu.Unlock()

	answered := make(chan struct{})

	go func() {
		defer close(answered)

		s.operations.Wait() // which the closing below ends at the latest
	}()

	select {
	case <-answered:
	case <-ctx.Done():
	}

	settling, stop := context.WithTimeout(context.WithoutCancel(ctx), s.config.Times.Goodbye)
	s.groups.Settle(settling, settled)
	stop()

	for _, one := range opened {
		one.close(goingAway())
	}

	s.sockets.Wait()
	<-answered
	s.groups.Wait()
}

func (s *Server) isEnding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.ending
}

// begin counts one more of what Shutdown waits for; false where none may begin any more.
func (s *Server) begin(what *sync.WaitGroup) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	if !s.ending {
		what.Add(1)
	}

	return !s.ending
}

// ping asks the clients whether they are still there.
func (s *Server) ping() {
	const rounds = 4 // within the time between two pings of a connection

	again := time.NewTicker(max(s.config.Times.Ping/rounds, time.Millisecond))
	defer again.Stop()

	for {
		select {
		case <-s.stopPings:
			return
		case <-again.C:
		}

		s.mu.Lock()
		opened := slices.Collect(maps.Keys(s.open))
		s.mu.Unlock()

		now := time.Now()
		for _, one := range opened {
			one.ping(now)
		}
	}
}
