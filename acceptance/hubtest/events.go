package hubtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Events is one operation's stream of server-sent events.
type Events struct {
	answer *http.Response
	lines  *bufio.Scanner
}

// SentEvent is one of them; the zero value is the end of a stream.
type SentEvent struct {
	// Type is "next" or "complete".
	Type string
	// ID is the position that a reader gives back.
	ID string
	// Data is the answer.
	Data string
}

// Stream asks for an operation as a stream of events. A reader who was cut off
// gives the id of its last event, another "". The stream ends with the test.
func (c *Client) Stream(t testing.TB, operation string, vars Vars, lastEventID string) *Events {
	t.Helper()
	body, err := json.Marshal(Vars{"query": operation, "variables": vars})
	if err != nil {
		t.Fatal(err)
	}
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.hub.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	ask.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "Authorization": {"Bearer " + c.Token},
	}
	if lastEventID != "" {
		ask.Header.Set("Last-Event-ID", lastEventID)
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatalf("ask for a stream: %v", err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if got := answer.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/event-stream") {
		t.Fatalf("the hub answered with %d and %s", answer.StatusCode, got)
	}
	return &Events{answer: answer, lines: bufio.NewScanner(answer.Body)}
}

// Leave goes away, as a reader does whose connection is cut.
func (e *Events) Leave() { _ = e.answer.Body.Close() }

// Next waits for the next event.
func (e *Events) Next(t testing.TB) SentEvent {
	t.Helper()
	var event SentEvent
	for e.lines.Scan() {
		name, value, _ := strings.Cut(e.lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "event":
			event.Type = value
		case "id":
			event.ID = value
		case "data":
			event.Data = value
		case "":
			if event.Type != "" {
				return event
			}
		}
	}
	if err := e.lines.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("read a stream: %v", err)
	}
	return SentEvent{}
}
