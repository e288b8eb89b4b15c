package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answering gives a client of a server that answers so.
func answering(t *testing.T, answer http.HandlerFunc) *Client {
	t.Helper()

	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)

	c, err := New(Config{URL: server.URL, Token: "secret", UserAgent: "tester/1", Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(c.Close)

	return c
}

func TestAnErrorSaysWhatToDoAboutIt(t *testing.T) {
	t.Parallel()

	refusal := func(code string) string {
		return `{"data": {"viewer": null}, "errors": [{"message": "no", "extensions": {"code": "` + code + `", "status": 400}}]}`
	}

	for name, tried := range map[string]struct {
		status    int
		body      string
		retry     string
		code      Code
		wait      time.Duration
		temporary bool
	}{
		"refused":       {200, refusal("UNPROCESSABLE"), "", Unprocessable, 0, false},
		"wrong token":   {401, refusal("UNAUTHENTICATED"), "", Unauthenticated, 0, false},
		"too fast":      {429, refusal("RATE_LIMITED"), "3", RateLimited, 3 * time.Second, true},
		"database away": {200, refusal("UNAVAILABLE"), "", Unavailable, 0, true},
		"inner error":   {500, refusal("INTERNAL"), "", Internal, 0, true},
		"a proxy":       {502, "<html>Bad Gateway</html>", "x", NoHub, 0, true},
		"another API":   {200, `{"hello": 1}`, "", NoHub, 0, true},
		"a null":        {200, `{"data": {"viewer": null}}`, "", NoHub, 0, true},
		"no code":       {400, `{"errors": [{"message": "no"}]}`, "", NoHub, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			c := answering(t, func(w http.ResponseWriter, _ *http.Request) {
				if tried.retry != "" {
					w.Header().Set("Retry-After", tried.retry)
				}

				w.WriteHeader(tried.status)
				_, _ = w.Write([]byte(tried.body))
			})

			_, err := c.Viewer(t.Context())

			failure, ok := err.(*Error) //nolint:errorlint // it is given as it is
			if !ok {
				t.Fatalf("got %v", err)
			}

			if failure.Code != tried.code || failure.RetryAfter != tried.wait || failure.Temporary() != tried.temporary {
				t.Errorf("got %+v, temporary %t", failure, failure.Temporary())
			}

			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "<html>") {
				t.Errorf("it says %q", err)
			}
		})
	}
}

func TestWhatNeverArrivedIsUnreachable(t *testing.T) {
	t.Parallel()

	c := answering(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if _, err := c.Viewer(t.Context()); CodeOf(err) != Unreachable {
		t.Errorf("got %v", err)
	}

	ended, end := context.WithCancel(t.Context())
	end()

	if _, err := c.Viewer(ended); CodeOf(err) != Unreachable {
		t.Errorf("got %v", err)
	}
}

func TestTheTokenGoesToTheHubAlone(t *testing.T) {
	t.Parallel()

	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another server was asked, with %q", r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)

	c := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/graphql" || r.Header.Get("Authorization") != "Bearer secret" || r.UserAgent() != "tester/1" {
			t.Errorf("asked %s with %v", r.URL.Path, r.Header)
		}

		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	if _, err := c.Viewer(t.Context()); CodeOf(err) != NoHub {
		t.Errorf("got %v", err)
	}
}

func TestNumbersStayExact(t *testing.T) {
	t.Parallel()

	c := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data": {"claim": {"idleReason": null, "claim": {
			"command": {"id": "7", "createdAt": "2026-01-01T00:00:00Z", "claimedAt": null, "retryOf": null},
			"params": {"__typename": "EnsureFields", "key": "A-1", "fields": {"n": 12345678901234567890.10}},
			"pauseSeconds": 1, "delivery": 1, "dedupeKey": "d"}}}}`))
	})

	payload, err := c.Claim(t.Context(), time.Second, "i")
	if err != nil {
		t.Fatal(err)
	}

	params, ok := payload.Claim.Params.(*ParamsEnsureFields)
	if !ok {
		t.Fatalf("got %T", payload.Claim.Params)
	}

	if number := params.Fields["n"]; number != json.Number("12345678901234567890.10") {
		t.Errorf("got %v", number)
	}
}

func TestAWrongConfigurationIsRefused(t *testing.T) {
	t.Parallel()

	for _, config := range []Config{
		{URL: "hub.example", Token: "x"},
		{URL: "ftp://hub.example", Token: "x"},
		{URL: "https://secret@hub.example", Token: "x"},
		{URL: "https://hub.example"},
		{URL: "https://hub.example", Token: "se cret"},
		{URL: "https://hub.example", Token: "secret\n"},
	} {
		if _, err := New(config); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: got %v", config, err)
		}
	}

	for given, called := range map[string]string{
		"https://hub.example": "https://hub.example/graphql", "https://hub.example/sub/": "https://hub.example/sub/graphql",
		"https://hub.example/graphql": "https://hub.example/graphql",
	} {
		c, err := New(Config{URL: given, Token: "x"})
		if err != nil || c.Endpoint() != called {
			t.Errorf("%s: %v, %v", given, c, err)
		}
	}
}
