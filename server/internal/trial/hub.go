package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
	"github.com/sdlc-hub/sdlc-hub/server"
)

// Setup is what a test may change before the hub runs.
type Setup struct {
	Answers Answers
	Login   access.Limits
	Config  server.Config
}

// Hub is a running server.
type Hub struct {
	// URL is its root, without a slash at the end.
	URL string
	// Tokens are those it knows; Operator and Agent are two of them.
	Tokens          *Tokens
	Operator, Agent string
	// Log is what it has logged so far.
	Log *Log

	client *http.Client
	stop   context.CancelFunc
	ended  chan struct{}
	result error
}

// Start runs a hub until the test ends, and fails it where Run errs.
func Start(t *testing.T, change func(*Setup)) *Hub {
	t.Helper()

	tokens := NewTokens()
	hub := &Hub{
		Tokens: tokens, Operator: tokens.Make("operator", access.Operator), Agent: tokens.Make("agent", access.Agent),
		Log: &Log{}, client: &http.Client{Transport: &http.Transport{}}, ended: make(chan struct{}),
	}

	log := slog.New(slog.NewJSONHandler(hub.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	presenter := resolvers.NewPresenter(log)
	setup := &Setup{Config: server.Config{
		Present: presenter.Present, Recover: presenter.Recover, Log: log, Version: "1.2.3", Listen: "127.0.0.1:0",
	}}

	if change != nil {
		change(setup)
	}

	setup.Config.Schema = Schema(setup.Answers)
	setup.Config.Login = access.NewAuthenticator(tokens, setup.Login)

	hub.run(t, setup.Config)

	return hub
}

func (h *Hub) run(t *testing.T, config server.Config) {
	t.Helper()

	running, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}

	if err := running.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}

	scheme := "http://"
	if config.Exposure.CertFile != "" {
		scheme = "https://"
	}

	h.URL = scheme + running.Addr().String()

	// Not the test's context: that one ends before the clean-up, in which the hub is to end in good order.
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop

	go func() {
		defer close(h.ended)

		h.result = running.Run(ctx)
	}()

	t.Cleanup(func() {
		h.client.CloseIdleConnections()

		if err := h.Stop(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
}

// Ask begins the end, as SIGTERM would.
func (h *Hub) Ask() { h.stop() }

// Stop ends the hub and gives what Run answered.
func (h *Hub) Stop() error {
	h.stop()
	<-h.ended

	return h.result
}

// Ended is closed once Run has returned.
func (h *Hub) Ended() <-chan struct{} { return h.ended }

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   string
	Data   map[string]any
	Errors []Error
	// HasData tells whether the answer had data at all, be it null.
	HasData bool
}

// Error is one of the answer's errors.
type Error struct {
	Message    string
	Path       []any
	Extensions map[string]any
}

// Code is the first error's code, or "" without one.
func (a Answer) Code() string {
	if len(a.Errors) == 0 {
		return ""
	}

	code, _ := a.Errors[0].Extensions["code"].(string)

	return code
}

// Message is the first error's, or "".
func (a Answer) Message() string {
	if len(a.Errors) == 0 {
		return ""
	}

	return a.Errors[0].Message
}

// Post posts an operation with that token; variables may be nil.
func (h *Hub) Post(t *testing.T, token, query string, variables map[string]any) Answer {
	t.Helper()

	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}

	return h.PostBody(t, token, string(body))
}

// PostBody posts that body as it is.
func (h *Hub) PostBody(t *testing.T, token, body string) Answer {
	t.Helper()

	return h.Do(t, http.MethodPost, "/graphql", body, http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"},
	})
}

// Get asks for a path.
func (h *Hub) Get(t *testing.T, path string, header http.Header) Answer {
	t.Helper()

	return h.Do(t, http.MethodGet, path, "", header)
}

// Do sends a request.
func (h *Hub) Do(t *testing.T, method, path, body string, header http.Header) Answer {
	t.Helper()

	request, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}

	if header != nil {
		request.Header = header.Clone()
	}

	response, err := h.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()

	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}

	return read(t, response, text)
}

func read(t *testing.T, response *http.Response, text []byte) Answer {
	t.Helper()

	answer := Answer{Status: response.StatusCode, Header: response.Header, Body: string(text)}
	if len(text) == 0 || !strings.Contains(response.Header.Get("Content-Type"), "json") {
		return answer
	}

	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatalf("the answer is not JSON: %v\n%s", err, text)
	}

	_, answer.HasData = raw["data"]

	for name, into := range map[string]any{"data": &answer.Data, "errors": &answer.Errors} {
		if len(raw[name]) == 0 {
			continue
		}

		if err := json.Unmarshal(raw[name], into); err != nil {
			t.Fatalf("%s cannot be read: %v\n%s", name, err, text)
		}
	}

	return answer
}

// Log keeps what was logged.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.text.Write(line)
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.text.String()
}

// Lines are those that hold the text.
func (l *Log) Lines(holding string) []string {
	var found []string

	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, holding) {
			found = append(found, line)
		}
	}

	return found
}

// PostAndForget posts an operation whose answer may never come.
func (h *Hub) PostAndForget(t *testing.T, token, query string) {
	t.Helper()

	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Error(err)

		return
	}

	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Error(err)

		return
	}

	request.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}

	if response, err := h.client.Do(request); err == nil {
		_ = response.Body.Close()
	}
}

// TryListen makes a server for that address and gives what its Listen answers.
func TryListen(t *testing.T, address string) error {
	t.Helper()

	presenter := resolvers.NewPresenter(slog.New(slog.DiscardHandler))

	other, err := server.New(server.Config{
		Schema: Schema(Answers{}), Login: access.NewAuthenticator(NewTokens(), access.Limits{}),
		Present: presenter.Present, Recover: presenter.Recover, Log: slog.New(slog.DiscardHandler), Listen: address,
	})
	if err != nil {
		t.Fatal(err)
	}

	return other.Listen(t.Context())
}
