package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
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

// hubSetup is what a test may change before the hub runs.
type hubSetup struct {
	// Trusted is whose certificate the test's client trusts.
	Trusted *x509.CertPool
	Answers answers
	Login   access.Limits
	Config  server.Config
}

// testHub is a running server.
type testHub struct {
	// URL is its root, without a slash at the end.
	URL string
	// Tokens are those it knows; Operator and Agent are two of them.
	Tokens          *memoryTokens
	Operator, Agent string
	// Log is what it has logged so far.
	Log *logBuffer

	client *http.Client
	stop   context.CancelFunc
	ended  chan struct{}
	result error
}

// startHub runs a hub until the test ends, and fails it where Run errs.
func startHub(t *testing.T, change func(*hubSetup)) *testHub {
	t.Helper()

	tokens := newMemoryTokens()
	hub := &testHub{
		Tokens: tokens, Operator: tokens.Make("operator", access.Operator), Agent: tokens.Make("agent", access.Agent),
		Log: &logBuffer{}, client: &http.Client{Transport: &http.Transport{}}, ended: make(chan struct{}),
	}

	log := slog.New(slog.NewJSONHandler(hub.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	presenter := resolvers.NewPresenter(log)
	setup := &hubSetup{Config: server.Config{
		Present: presenter.Present, Recover: presenter.Recover, Log: log, Version: "1.2.3", Listen: "127.0.0.1:0",
	}}

	if change != nil {
		change(setup)
	}

	if setup.Trusted != nil {
		hub.client.Transport = &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: setup.Trusted, MinVersion: tls.VersionTLS13}, ForceAttemptHTTP2: true,
		}
	}

	setup.Config.Schema = trialSchema(setup.Answers)
	setup.Config.Login = access.NewAuthenticator(tokens, setup.Login)

	hub.run(t, setup.Config)

	return hub
}

func (h *testHub) run(t *testing.T, config server.Config) {
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
func (h *testHub) Ask() { h.stop() }

// Stop ends the hub and gives what Run answered.
func (h *testHub) Stop() error {
	h.stop()
	<-h.ended

	return h.result
}

// Ended is closed once Run has returned.
func (h *testHub) Ended() <-chan struct{} { return h.ended }

// reply is what came back.
type reply struct {
	Status   int
	Protocol string
	Header   http.Header
	Body     string
	Data     map[string]any
	Errors   []replyError
	// HasData tells whether the answer had data at all, be it null.
	HasData bool
}

// replyError is one of the answer's errors.
type replyError struct {
	Message    string         `json:"message"`
	Path       []any          `json:"path"`
	Extensions map[string]any `json:"extensions"`
}

// Code is the first error's code, or "" without one.
func (a reply) Code() string {
	if len(a.Errors) == 0 {
		return ""
	}

	code, _ := a.Errors[0].Extensions["code"].(string)

	return code
}

// Message is the first error's, or "".
func (a reply) Message() string {
	if len(a.Errors) == 0 {
		return ""
	}

	return a.Errors[0].Message
}

// Post posts an operation with that token; variables may be nil.
func (h *testHub) Post(t *testing.T, token, query string, variables map[string]any) reply {
	t.Helper()

	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}

	return h.PostBody(t, token, string(body))
}

// PostBody posts that body as it is.
func (h *testHub) PostBody(t *testing.T, token, body string) reply {
	t.Helper()

	return h.Do(t, http.MethodPost, "/graphql", body, http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"},
	})
}

// Get asks for a path.
func (h *testHub) Get(t *testing.T, path string, header http.Header) reply {
	t.Helper()

	return h.Do(t, http.MethodGet, path, "", header)
}

// Do sends a request.
func (h *testHub) Do(t *testing.T, method, path, body string, header http.Header) reply {
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
	defer func() { _ = response.Body.Close() }()

	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}

	return read(t, response, text)
}

func read(t *testing.T, response *http.Response, text []byte) reply {
	t.Helper()

	answer := reply{Status: response.StatusCode, Protocol: response.Proto, Header: response.Header, Body: string(text)}
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

// logBuffer keeps what was logged.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.text.Write(line)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.text.String()
}

// Lines are those that hold the text.
func (l *logBuffer) Lines(holding string) []string {
	var found []string

	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, holding) {
			found = append(found, line)
		}
	}

	return found
}

// PostAndForget posts an operation whose answer may never come.
func (h *testHub) PostAndForget(t *testing.T, token, query string) {
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

// tryListen gives what Listen of a server for that address answers.
func tryListen(t *testing.T, address string) error {
	t.Helper()

	return idle(t, address, server.Exposure{}).Listen(t.Context())
}

// runFor gives what Run of a server with that exposure answers.
func runFor(t *testing.T, exposure server.Exposure) error {
	t.Helper()

	return idle(t, "127.0.0.1:0", exposure).Run(t.Context())
}

// idle makes a server that nobody calls.
func idle(t *testing.T, address string, exposure server.Exposure) *server.Server {
	t.Helper()

	log := slog.New(slog.DiscardHandler)
	presenter := resolvers.NewPresenter(log)

	made, err := server.New(server.Config{
		Schema: trialSchema(answers{}), Login: access.NewAuthenticator(newMemoryTokens(), access.Limits{}),
		Present: presenter.Present, Recover: presenter.Recover, Log: log, Listen: address, Exposure: exposure,
	})
	if err != nil {
		t.Fatal(err)
	}

	return made
}
