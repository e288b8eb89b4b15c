package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"
)

// socket is one websocket as gqlgen's transport wants it, with an end of our own making: gqlgen closes with 1000 and
// cuts the connection at once, so that the client may never read why.
type socket struct {
	conn    *websocket.Conn
	write   time.Duration
	goodbye time.Duration
	// hub is done once the hub is to end.
	hub context.Context //nolint:containedctx // the server's, not a caller's
	// stop ends what runs on this websocket.
	stop context.CancelFunc

	reading sync.Mutex

	mu sync.Mutex
	// cut is set once the end has begun: it cuts the connection.
	cut *time.Timer
}

var _ interface {
	transport.WebsocketConn
	transport.WebsocketReadLimiter
	transport.WebsocketReadDeadliner
} = (*socket)(nil)

// NextReader waits for the next message and reads it whole: when a login takes too long, gqlgen leaves a reader of its
// own behind, and two may not read at once.
func (s *socket) NextReader() (int, io.Reader, error) {
	s.reading.Lock()
	defer s.reading.Unlock()

	kind, message, err := s.conn.ReadMessage()

	var closed *websocket.CloseError

	switch {
	case err == nil:
		return kind, bytes.NewReader(message), nil
	case errors.As(err, &closed), s.isClosing():
		return 0, nil, transport.ErrWebsocketClosed
	default:
		return 0, nil, fmt.Errorf("read from the websocket: %w", err)
	}
}

// WriteJSON sends a message; a client that does not take it in time is cut off.
func (s *socket) WriteJSON(message any) error {
	if s.isClosing() {
		return transport.ErrWebsocketClosed
	}

	_ = s.conn.SetWriteDeadline(time.Now().Add(s.write)) // only sets a field

	if err := s.conn.WriteJSON(message); err != nil {
		// Nothing can be written any more; let the reader notice too.
		_ = s.conn.Close()

		return fmt.Errorf("write to the websocket: %w", err)
	}

	return nil
}

// WriteClose begins the end: the close is sent, and the client has a moment to answer it, after which the connection is
// cut, whatever still reads from it or writes to it. Only the first counts. When the hub itself ends, that is the reason
// given, whatever ended first because of it.
func (s *socket) WriteClose(code int, reason string) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.cut != nil {
		return nil
	}

	if s.hub.Err() != nil {
		code, reason = websocket.CloseGoingAway, "the hub is shutting down"
	}

	s.cut = time.AfterFunc(s.goodbye, func() { _ = s.conn.Close() }) // closing twice is all that can fail

	message := websocket.FormatCloseMessage(code, reason)
	if err := s.conn.WriteControl(websocket.CloseMessage, message, time.Now().Add(s.goodbye)); err != nil {
		return fmt.Errorf("close the websocket: %w", err)
	}

	return nil
}

// Close does nothing by itself: WriteClose has begun the end, and finish completes it.
func (s *socket) Close() error { return nil }

// Subprotocol is the one agreed on.
func (s *socket) Subprotocol() string { return s.conn.Subprotocol() }

// SetReadLimit bounds messages, in bytes.
func (s *socket) SetReadLimit(limit int64) { s.conn.SetReadLimit(limit) }

// SetReadDeadline is how gqlgen notices a client that answers no ping. It does not put off the end.
func (s *socket) SetReadDeadline(deadline time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.cut != nil {
		return nil
	}

	if err := s.conn.SetReadDeadline(deadline); err != nil {
		return fmt.Errorf("set the websocket's deadline: %w", err)
	}

	return nil
}

// goAway tells the client that the hub goes away, and ends what runs.
func (s *socket) goAway() {
	_ = s.WriteClose(websocket.CloseGoingAway, "") // a client that is gone needs no goodbye
	s.stop()
}

// finish reads on until the client has answered the close or its moment is over, and gives the connection up.
func (s *socket) finish() {
	s.stop()

	_ = s.WriteClose(websocket.CloseNormalClosure, "") // as in goAway

	for {
		if _, _, err := s.NextReader(); err != nil {
			break
		}
	}

	s.cut.Stop()

	_ = s.conn.Close() // it may be closed already
}

func (s *socket) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.cut != nil
}
