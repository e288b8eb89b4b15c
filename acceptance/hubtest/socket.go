package hubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

const (
	subprotocol  = "graphql-transport-ws"
	frameWithin  = 20 * time.Second
	subscription = "1"
)

type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Stream is one subscription on a connection of its own.
type Stream struct {
	connection *websocket.Conn
}

// Subscribe connects, logs in with the token in connection_init and starts the
// subscription. The connection ends with the test.
func (c *Client) Subscribe(t testing.TB, operation string, vars Vars) *Stream {
	t.Helper()
	stream := c.Connect(t)
	if ack := stream.read(t); ack.Type != "connection_ack" {
		t.Fatalf("the hub answered connection_init with %s %s", ack.Type, ack.Payload)
	}
	payload, err := json.Marshal(Vars{"query": operation, "variables": vars})
	if err != nil {
		t.Fatal(err)
	}
	stream.write(t, frame{ID: subscription, Type: "subscribe", Payload: payload})
	return stream
}

// Connect connects and sends connection_init, and looks at no answer.
func (c *Client) Connect(t testing.TB) *Stream {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{subprotocol}, HandshakeTimeout: frameWithin}
	address := "ws" + strings.TrimPrefix(c.hub.URL, "http") + "/graphql"
	connection, answer, err := dialer.DialContext(t.Context(), address, http.Header{})
	if err != nil {
		t.Fatalf("connect to %s: %v", address, err)
	}
	_ = answer.Body.Close()
	t.Cleanup(func() { _ = connection.Close() })
	if connection.Subprotocol() != subprotocol {
		t.Fatalf("the hub chose the subprotocol %q", connection.Subprotocol())
	}
	stream := &Stream{connection: connection}
	payload := []byte(`{}`)
	if c.Token != "" {
		if payload, err = json.Marshal(Vars{"authorization": "Bearer " + c.Token}); err != nil {
			t.Fatal(err)
		}
	}
	stream.write(t, frame{Type: "connection_init", Payload: payload})
	return stream
}

// Acknowledged says whether the hub let the connection in, and not that it
// ended or refused it.
func (s *Stream) Acknowledged(t testing.TB) bool {
	t.Helper()
	if err := s.connection.SetReadDeadline(time.Now().Add(frameWithin)); err != nil {
		t.Fatal(err)
	}
	var got frame
	if err := s.connection.ReadJSON(&got); err != nil {
		return false
	}
	return got.Type == "connection_ack"
}

// Next waits for the stream's next value, at most 20 seconds.
func Next[T any](t testing.TB, s *Stream) T {
	t.Helper()
	value, err := Receive[T](s)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Receive is Next for a goroutine that is not the test's: what would fail the
// test is the error.
func Receive[T any](s *Stream) (T, error) {
	var response struct {
		Data struct {
			Answer T `json:"answer"`
		} `json:"data"`
		Errors []*Refusal `json:"errors"`
	}
	got, err := s.receive()
	if err != nil {
		return response.Data.Answer, err
	}
	if got.Type != "next" {
		return response.Data.Answer, fmt.Errorf("the stream brought %s %s instead of a value", got.Type, got.Payload)
	}
	if err := json.Unmarshal(got.Payload, &response); err != nil {
		return response.Data.Answer, fmt.Errorf("read a value of the stream: %w\n%s", err, got.Payload)
	}
	if len(response.Errors) > 0 {
		return response.Data.Answer, fmt.Errorf("the stream brought an error: %w", response.Errors[0])
	}
	return response.Data.Answer, nil
}

// Refused waits for the subscription's refusal, which must have the code.
func (s *Stream) Refused(t testing.TB, code string) {
	t.Helper()
	refusals := s.refusals(t)
	if len(refusals) != 1 {
		t.Fatalf("%d errors instead of one %s", len(refusals), code)
	}
	refusals[0].check(t, code)
}

// refusals reads the one answer of a refused subscription, whether it is an
// error or a value that carries errors.
func (s *Stream) refusals(t testing.TB) []*Refusal {
	t.Helper()
	var response struct {
		Errors []*Refusal `json:"errors"`
	}
	got := s.read(t)
	var into any
	switch got.Type {
	case "next":
		into = &response
	case "error":
		into = &response.Errors
	default:
		t.Fatalf("the stream brought %s %s instead of an error", got.Type, got.Payload)
	}
	if err := json.Unmarshal(got.Payload, into); err != nil {
		t.Fatalf("read the stream's error: %v\n%s", err, got.Payload)
	}
	return response.Errors
}

func (s *Stream) read(t testing.TB) frame {
	t.Helper()
	got, err := s.receive()
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// receive returns the next message that is neither ping nor pong, and answers
// pings.
func (s *Stream) receive() (frame, error) {
	if err := s.connection.SetReadDeadline(time.Now().Add(frameWithin)); err != nil {
		return frame{}, fmt.Errorf("limit the reading of the stream: %w", err)
	}
	for {
		var got frame
		if err := s.connection.ReadJSON(&got); err != nil {
			return frame{}, fmt.Errorf("read from the stream: %w", err)
		}
		switch got.Type {
		case "ping":
			if err := s.connection.WriteJSON(frame{Type: "pong"}); err != nil {
				return frame{}, fmt.Errorf("answer a ping of the stream: %w", err)
			}
		case "pong":
		default:
			return got, nil
		}
	}
}

func (s *Stream) write(t testing.TB, message frame) {
	t.Helper()
	if err := s.connection.WriteJSON(message); err != nil {
		t.Fatalf("write to the stream: %v", err)
	}
}
