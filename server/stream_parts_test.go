package server_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
	"github.com/sdlc-hub/sdlc-hub/server"
)

// panicking is an extension that panics where no resolver's recovery catches it.
type panicking struct{}

var _ interface {
	graphql.HandlerExtension
	graphql.ResponseInterceptor
} = panicking{}

func (panicking) ExtensionName() string { return "Panicking" }

func (panicking) Validate(graphql.ExecutableSchema) error { return nil }

func (panicking) InterceptResponse(context.Context, graphql.ResponseHandler) *graphql.Response {
	panic("thrown by an extension")
}

// idleHandler is that of a server that does not run, with a token for it.
func idleHandler(t *testing.T) (handler http.Handler, token string) {
	t.Helper()

	log := slog.New(slog.DiscardHandler)
	presenter := resolvers.NewPresenter(log)
	tokens := newMemoryTokens()

	made, err := server.New(server.Config{
		Schema: trialSchema(answers{}), Login: access.NewAuthenticator(tokens, access.Limits{}),
		Present: presenter.Present, Recover: presenter.Recover, Log: log, Listen: "127.0.0.1:0",
	})
	if err != nil {
		t.Fatal(err)
	}

	return made.Handler(), tokens.Make("operator", access.Operator)
}

func streamRequest(t *testing.T, token string) *http.Request {
	t.Helper()

	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(quoted("{ viewer { name } }")))
	request.Header = http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": {streamType},
	}

	return request
}

// plainWriter is a response that can do no more than it must.
type plainWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newPlainWriter() *plainWriter { return &plainWriter{header: make(http.Header)} }

func (p *plainWriter) Header() http.Header { return p.header }

func (p *plainWriter) WriteHeader(status int) { p.status = status }

func (p *plainWriter) Write(body []byte) (int, error) { return p.body.Write(body) }
