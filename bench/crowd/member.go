package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// Messages are short, and so are these.
	readBuffer, writeBuffer = 1024, 512

	connectWithin = 30 * time.Second
)

// member is one subscriber.
type member struct {
	conn  *websocket.Conn
	tally *tally
	// message is the one that is read, last the cursor of the one before.
	message bytes.Buffer
	last    []byte
}

// connect logs one in.
func (c Config) connect(ctx context.Context, counted *tally) (*member, error) {
	dialer := websocket.Dialer{
		Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: connectWithin,
		ReadBufferSize: readBuffer, WriteBufferSize: writeBuffer,
	}

	conn, _, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(c.URL, "http"), nil) //nolint:bodyclose // it is the connection
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}

	m := &member{conn: conn, tally: counted}

	err = conn.WriteJSON(map[string]any{"type": "connection_init", "payload": map[string]any{"authorization": "Bearer " + c.Token}})
	if err != nil {
		return nil, fmt.Errorf("log in: %w", err)
	}

	if err := m.next(); err != nil {
		return nil, fmt.Errorf("log in: %w", err)
	}

	if !bytes.Contains(m.message.Bytes(), []byte(`"connection_ack"`)) {
		return nil, fmt.Errorf("log in: %s", m.message.Bytes())
	}

	return m, nil
}

func (m *member) subscribe(c Config, turn int) error {
	payload := map[string]any{"query": c.Query}
	if len(c.After) > 0 {
		payload["variables"] = map[string]any{"after": c.After[turn%len(c.After)]}
	}

	// Nobody else writes yet: a ping that asks for an answer comes after many seconds.
	err := m.conn.WriteJSON(map[string]any{"id": "1", "type": "subscribe", "payload": payload})
	if err != nil {
		return fmt.Errorf("subscribe: %w", err)
	}

	return nil
}

// next reads a message.
func (m *member) next() error {
	_, reader, err := m.conn.NextReader()
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}

	m.message.Reset()

	if _, err := m.message.ReadFrom(reader); err != nil {
		return fmt.Errorf("read: %w", err)
	}

	return nil
}

// read counts what comes.
func (m *member) read(ctx context.Context) error {
	leave := func() { _ = m.conn.Close() } // it may be closed already

	stop := context.AfterFunc(ctx, leave)
	defer stop()
	defer leave()

	for {
		if err := m.next(); err != nil {
			return err
		}

		message := m.message.Bytes()

		if cursor, is := cursorOf(message); is {
			if bytes.Equal(cursor, m.last) {
				return fmt.Errorf("a subscriber has a change twice: %s", message)
			}

			m.last = append(m.last[:0], cursor...)
			m.tally.saw(cursor)

			continue
		}

		var other struct {
			Type string `json:"type"`
		}

		if err := json.Unmarshal(message, &other); err != nil || other.Type != "ping" {
			return fmt.Errorf("a subscriber is told: %s", message)
		}

		if err := m.conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"pong"}`)); err != nil {
			return fmt.Errorf("answer a ping: %w", err)
		}
	}
}

// cursorOf finds the cursor of the change that a message brings.
func cursorOf(message []byte) ([]byte, bool) {
	_, rest, found := bytes.Cut(message, []byte(`"cursor":"`))
	if !found {
		return nil, false
	}

	cursor, _, found := bytes.Cut(rest, []byte(`"`))

	return cursor, found
}
