package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// The hub pings every 25 seconds. Who has heard nothing for so long has lost it.
const silence = time.Minute

//nolint:gochecknoglobals // without a buffer of its own for each of ten thousand
var dialer = websocket.Dialer{
	Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: silence, ReadBufferSize: 1 << 10, WriteBufferPool: &sync.Pool{},
}

// frame is a message of graphql-transport-ws.
type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// line is a websocket that is logged in.
type line struct {
	conn *websocket.Conn
	// writing is held by whoever writes.
	writing sync.Mutex
}

// connect opens a websocket and logs in. An error of a hub that is not there is an expectedEnd.
func connect(ctx context.Context, hub, token string) (*line, error) {
	conn, answer, err := dialer.DialContext(ctx, "ws://"+hub+"/graphql", nil) //nolint:bodyclose // gorilla has read it

	switch {
	case err != nil && answer != nil && answer.StatusCode != http.StatusServiceUnavailable:
		return nil, fmt.Errorf("open a websocket: status %d: %w", answer.StatusCode, err)
	case err != nil:
		return nil, expectedEnd("no connection")
	}

	l := &line{conn: conn}

	payload, err := json.Marshal(vars{"authorization": "Bearer " + token})
	if err != nil {
		return nil, fmt.Errorf("write the login: %w", err)
	}

	if err := l.write(frame{Type: "connection_init", Payload: payload}); err != nil {
		return nil, errors.Join(err, conn.Close())
	}

	got, err := l.next()
	if err == nil && got.Type != "connection_ack" {
		err = fmt.Errorf("the login was answered with %s", got.Type)
	}

	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}

	return l, nil
}

func (l *line) write(f frame) error {
	l.writing.Lock()
	defer l.writing.Unlock()

	if err := l.conn.WriteJSON(f); err != nil {
		return expectedEnd("cut while writing")
	}

	return nil
}

func (l *line) subscribe(id, operation, after string) error {
	variables := vars{}
	if after != "" {
		variables["after"] = after
	}

	payload, err := json.Marshal(vars{"query": operation, "variables": variables})
	if err != nil {
		return fmt.Errorf("write the subscription: %w", err)
	}

	return l.write(frame{ID: id, Type: "subscribe", Payload: payload})
}

// next gives the next message that is no ping, which it answers.
func (l *line) next() (frame, error) {
	for {
		if err := l.conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
			return frame{}, fmt.Errorf("set a deadline: %w", err)
		}

		_, text, err := l.conn.ReadMessage()
		if err != nil {
			return frame{}, endOf(err)
		}

		var got frame
		if err := json.Unmarshal(text, &got); err != nil {
			return frame{}, fmt.Errorf("a message that is none: %.300s", text)
		}

		if got.Type != "ping" {
			return got, nil
		}

		if err := l.write(frame{Type: "pong"}); err != nil {
			return frame{}, err
		}
	}
}

// What a hub may end a connection with: it goes, was killed or has no database, or the machine is so busy that the login
// does not come through in time.
var mayEnd = []int{ //nolint:gochecknoglobals // constants
	websocket.CloseGoingAway, websocket.CloseAbnormalClosure, websocket.CloseTryAgainLater, closeInitTimeout,
}

const closeInitTimeout = 4408

// endOf says how a connection ended.
func endOf(err error) error {
	closed, said := errors.AsType[*websocket.CloseError](err)

	switch {
	case !said:
		return expectedEnd("cut")
	case slices.Contains(mayEnd, closed.Code):
		return expectedEnd(fmt.Sprintf("close %d", closed.Code))
	default:
		return fmt.Errorf("the hub ended the websocket: %w", err)
	}
}

// readSocket reads by a websocket until it ends.
func (s *subscriber) readSocket(ctx context.Context, hub string) error {
	l, err := connect(ctx, hub, s.token)
	if err != nil {
		return err
	}
	defer l.conn.Close() //nolint:errcheck // it has no more to say

	// Reading does not end with the context by itself.
	defer context.AfterFunc(ctx, func() { _ = l.conn.Close() })()

	s.isConnected()

	id := fmt.Sprintf("%d %q %d", s.number, s.wish.name, s.seen.connected)
	if err := l.subscribe(id, s.wish.operation, s.position()); err != nil {
		return err
	}

	s.reachableBy(func() { _ = l.write(frame{Type: "ping"}) })
	defer s.reachableBy(nil)

	for {
		got, err := l.next()
		if err != nil {
			return err
		}

		if err := s.takeFrame(&got, id); err != nil {
			return err
		}
	}
}

func (s *subscriber) takeFrame(got *frame, id string) error {
	switch {
	case got.Type == "pong":
		s.wasAnswered()

		return nil
	case got.ID != id:
		return fmt.Errorf("a message for %q came to %q", got.ID, id)
	case got.Type == "error":
		var errs []*refusal
		if err := json.Unmarshal(got.Payload, &errs); err != nil {
			return fmt.Errorf("an error that is none: %s", got.Payload)
		}

		return refusedEnd(errs)
	case got.Type != "next":
		return fmt.Errorf("a message of type %s", got.Type)
	}

	var answer answerOf
	if err := json.Unmarshal(got.Payload, &answer); err != nil {
		return fmt.Errorf("an answer that is none: %w", err)
	}

	return s.take(&answer)
}

// reachableBy says how to ping, nil where there is nobody to.
func (s *subscriber) reachableBy(ping func()) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.ping = ping
	if ping == nil {
		s.answered()
	}
}

func (s *subscriber) wasAnswered() {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.answered()
}

// answered is for where mu is held.
func (s *subscriber) answered() {
	if s.pong != nil {
		close(s.pong)
		s.pong = nil
	}
}
