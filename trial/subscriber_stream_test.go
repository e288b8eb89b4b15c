package trial

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

//nolint:gochecknoglobals // each stream has a connection of its own
var streaming = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// readStream reads by server-sent events until they end.
func (s *subscriber) readStream(ctx context.Context, hub string) error {
	answer, err := s.openStream(ctx, hub)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // it has no more to say

	s.isConnected()

	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)

	var kind, id string

	for lines.Scan() {
		name, value, _ := bytes.Cut(lines.Bytes(), []byte(": "))

		switch string(name) {
		case "event":
			kind = string(value)
		case "id":
			id = string(value)
		case "data":
			if err := s.takeEvent(kind, id, value); err != nil {
				return err
			}
		}
	}

	return endOfStream
}

func (s *subscriber) openStream(ctx context.Context, hub string) (*http.Response, error) {
	asked := url.Values{"query": {s.wish.operation}}

	s.mu.Lock()
	if s.began != "" {
		asked.Set("variables", fmt.Sprintf(`{"after": %q}`, s.began))
	}

	lastEventID := ""
	if len(s.seen.record) > 0 {
		lastEventID = s.at
	}
	s.mu.Unlock()

	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+hub+"/graphql?"+asked.Encode(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}

	ask.Header.Set("Accept", "text/event-stream")
	ask.Header.Set("Authorization", "Bearer "+s.token)

	if lastEventID != "" {
		ask.Header.Set("Last-Event-ID", lastEventID)
	}

	answer, err := streaming.Do(ask)
	if err != nil {
		return nil, expectedEnd("no stream")
	}

	if answer.StatusCode == http.StatusOK && strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		return answer, nil
	}

	_ = answer.Body.Close() // its status says enough

	switch answer.StatusCode {
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return nil, expectedEnd(answer.Status)
	default:
		return nil, fmt.Errorf("a stream of events was answered with %s", answer.Status)
	}
}

func (s *subscriber) takeEvent(kind, id string, data []byte) error {
	if kind != "next" {
		return fmt.Errorf("an event of the type %q: %.300s", kind, data)
	}

	var answer answerOf
	if err := json.Unmarshal(data, &answer); err != nil {
		return fmt.Errorf("an answer that is none: %w", err)
	}

	err := s.take(&answer)

	if at := s.position(); len(answer.Errors) == 0 && at != id {
		return fmt.Errorf("an event has the id %s, and its answer the cursor %s", id, at)
	}

	return err
}
