package ws

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// socket is one connection.
type socket struct {
	server *Server
	conn   *websocket.Conn
	out    outbox
	ctx    context.Context //nolint:containedctx // the connection's own
	stop   context.CancelFunc
	// work are the login and the operations that are being prepared or have one answer.
	work sync.WaitGroup
	// heard is when the client last sent anything, and asked when it was last pinged, in nanoseconds.
	heard atomic.Int64
	asked atomic.Int64

	mu sync.Mutex
	// login is nil once connection_init has come, and session is there once it was accepted.
	login   Login
	session Session
	// operations are those that run, by the client's ids.
	operations map[string]*operation
	// await ends the wait for connection_init, and cut the one for the answer to the close, which has begun once it is
	// there.
	await, cut *time.Timer
}

// serve reads until there is nothing to read any more, and ends what runs.
func (s *socket) serve() {
	s.conn.SetPingHandler(s.pong)
	s.conn.SetPongHandler(func(string) error {
		s.heard.Store(time.Now().UnixNano())

		return nil
	})
	s.conn.SetCloseHandler(func(code int, _ string) error {
		s.close(&Close{Code: code})

		return nil
	})

	s.read()
	s.close(&Close{Code: websocket.CloseNormalClosure})

	s.out.writers.Wait()
	s.cut.Stop()

	_ = s.out.wire.Close() // it may be closed already

	s.work.Wait()

	if s.session != nil {
		s.session.Leave()
	}

	s.server.forget(s)
}

// read takes messages until the connection is over. Once the close has begun it only looks for the client's answer:
// what is on its way has to be read, or the client's system drops the close unread.
func (s *socket) read() {
	for {
		kind, reader, err := s.conn.NextReader()
		if err != nil {
			s.readOn(err)

			return
		}

		s.heard.Store(time.Now().UnixNano())

		if s.isClosing() {
			continue
		}

		if kind != websocket.TextMessage {
			s.close(invalid("a message must be text"))

			continue
		}

		raw, err := io.ReadAll(io.LimitReader(reader, s.server.config.Limits.Message+1))
		if err != nil {
			continue // NextReader says it again
		}

		if int64(len(raw)) > s.server.config.Limits.Message {
			s.close(&Close{Code: websocket.CloseMessageTooBig, Reason: "the message is too big"})

			continue
		}

		s.take(raw)
	}
}

// readOn is for where frames cannot be told apart any more, and does nothing where the connection itself is over.
func (s *socket) readOn(err error) {
	if _, closed := errors.AsType[*websocket.CloseError](err); closed {
		return
	}

	s.close(&Close{Code: websocket.CloseProtocolError, Reason: err.Error()})

	_, _ = io.Copy(io.Discard, s.out.wire)
}

// take does what a message asks for.
func (s *socket) take(raw []byte) {
	session := s.loggedIn()

	read, wrong := readMessage(raw, session != nil && session.Mends())
	if wrong != nil {
		s.close(wrong)

		return
	}

	switch read.kind {
	case typeInit:
		s.init(read)
	case typePing:
		s.answerPing(read)
	case typeSubscribe:
		s.subscribe(session, read)
	case typeComplete:
		s.complete(read.id)
	}
}

// init logs in. It is done beside the reading, so that the protocol is kept to meanwhile.
func (s *socket) init(read message) {
	s.mu.Lock()
	login := s.login
	s.login = nil
	s.mu.Unlock()

	if login == nil {
		s.close(&Close{Code: TooManyInits, Reason: "Too many initialisation requests"})

		return
	}

	s.await.Stop()
	s.work.Go(func() {
		defer s.rescue()

		session, err := login(s.ctx, authorizationOf(read.payload), s.close)
		if err != nil {
			s.close(asClose(err))

			return
		}

		s.mu.Lock()
		s.session = session
		s.mu.Unlock()

		s.out.send(s.ctx, text(`{"type":"`+typeAck+`"}`))
	})
}

// rescue is to be deferred: nobody else would catch a panic here.
func (s *socket) rescue() {
	if thrown := recover(); thrown != nil {
		s.close(asClose(s.server.config.Recover(s.ctx, thrown)))
	}
}

func asClose(err error) *Close {
	if wanted, ok := errors.AsType[*Close](err); ok {
		return wanted
	}

	return &Close{Code: websocket.CloseInternalServerErr, Reason: "internal error"}
}

func (s *socket) loggedIn() Session {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.session
}

// awaitInit closes the connection where connection_init does not come in time.
func (s *socket) awaitInit(within time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.await = time.AfterFunc(within, func() {
		s.close(&Close{Code: InitTimeout, Reason: "Connection initialisation timeout"})
	})
}

// close begins the end: the close is sent after what waits to be written, and the client has a moment to answer it, after
// which the connection is cut. Only the first counts.
func (s *socket) close(how *Close) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.cut != nil {
		return
	}

	s.cut = time.AfterFunc(s.server.config.Times.Goodbye, func() { _ = s.out.wire.Close() })
	s.login = nil

	if s.await != nil {
		s.await.Stop()
	}

	for id, running := range s.operations {
		delete(s.operations, id)
		running.end()
	}

	s.out.close(frame{kind: websocket.CloseMessage, body: how.frame()})
	s.stop()
}

func (s *socket) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.cut != nil
}
