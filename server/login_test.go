package server_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const viewer = "{ viewer { name role site } }"

func TestNothingOfGraphQLIsToBeHadWithoutAToken(t *testing.T) {
	hub := startHub(t, nil)

	for name, authorization := range map[string]string{
		"no token":         "",
		"another scheme":   "Basic b3BzOm9wcw==",
		"no token's form":  "Bearer secret",
		"an unknown token": "Bearer " + access.NewToken(),
		"an expired token": "Bearer " + hub.Tokens.Refused(access.ErrExpired),
		"a revoked token":  "Bearer " + hub.Tokens.Refused(access.ErrRevoked),
	} {
		t.Run(name, func(t *testing.T) {
			header := http.Header{"Content-Type": {"application/json"}}
			if authorization != "" {
				header.Set("Authorization", authorization)
			}

			answers := map[string]reply{
				"a query":      hub.Do(t, http.MethodPost, "/graphql", `{"query": "{ viewer { name } }"}`, header),
				"the schema":   hub.Do(t, http.MethodPost, "/graphql", `{"query": "{ __schema { types { name } } }"}`, header),
				"nonsense":     hub.Do(t, http.MethodPost, "/graphql", "nonsense", header),
				"a query, GET": hub.Get(t, "/graphql?query=%7B__typename%7D", header),
				"another verb": hub.Do(t, http.MethodDelete, "/graphql", "", header),
			}

			if authorization != "" { // else it may still come in the payload
				answers["over a websocket"] = hub.Get(t, "/graphql", upgrading(header))
			}

			for what, answer := range answers {
				if answer.Status != 401 || answer.Code() != "UNAUTHENTICATED" || answer.HasData {
					t.Errorf("%s: got %d, %s", what, answer.Status, answer.Body)
				}

				if answer.Header.Get(authenticateHeader) != "Bearer" || answer.Errors[0].Extensions["status"] != 401.0 {
					t.Errorf("%s: got %v, %s", what, answer.Header, answer.Body)
				}
			}
		})
	}
}

func upgrading(header http.Header) http.Header {
	header = header.Clone()
	header.Set("Connection", "Upgrade")
	header.Set("Upgrade", "websocket")
	header.Set("Sec-WebSocket-Version", "13")
	header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")

	return header
}

func TestATokenLogsInWhoeverSendsIt(t *testing.T) {
	hub := startHub(t, nil)

	for token, want := range map[string]map[string]any{
		hub.Operator: {"name": "operator", "role": "OPERATOR", "site": "main"},
		hub.Agent:    {"name": "agent", "role": "AGENT", "site": "main"},
	} {
		for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
			answer := hub.Do(t, http.MethodPost, "/graphql", `{"query": "`+viewer+`"}`,
				http.Header{"Authorization": {scheme + token}, "Content-Type": {"application/json"}})

			got, _ := answer.Data["viewer"].(map[string]any)
			if got["name"] != want["name"] || got["role"] != want["role"] || got["site"] != want["site"] {
				t.Errorf("got %s", answer.Body)
			}
		}
	}
}

func TestARoleDoesNoMoreThanItsOwn(t *testing.T) {
	hub := startHub(t, nil)

	answer := hub.Post(t, hub.Agent, `mutation { resumeQueue { paused } }`, nil)
	if answer.Status != 200 || answer.Code() != "FORBIDDEN" || answer.Errors[0].Extensions["status"] != 403.0 {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}

	if answer.Message() != "this is not for the role agent; it is for operator, admin" {
		t.Errorf("got %s", answer.Message())
	}
}

func TestWithTheDatabaseAwayALoginIsUnavailableAndNotRefused(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Login.LookupTime = 20 * time.Millisecond })

	for name, away := range map[string]func(context.Context) error{
		"at once": func(context.Context) error {
			return queue.Away(errors.New("dial unix /run/secret: connection refused"))
		},
		"silently": func(ctx context.Context) error {
			<-ctx.Done()

			return ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			hub.Tokens.Away(away)

			answer := hub.Post(t, hub.Operator, viewer, nil)
			if answer.Status != 503 || answer.Code() != "UNAVAILABLE" || answer.Message() != "the database is away; try again" {
				t.Errorf("got %d: %s", answer.Status, answer.Body)
			}

			if answer.Header.Get(authenticateHeader) != "" {
				t.Error("the caller is asked to log in")
			}
		})
	}

	hub.Tokens.Away(func(context.Context) error { return nil })

	if answer := hub.Post(t, hub.Operator, viewer, nil); answer.Status != 200 {
		t.Errorf("with the database back: %d, %s", answer.Status, answer.Body)
	}
}

func TestTooManyFailedLoginsAreTurnedAwayAndAValidTokenPasses(t *testing.T) {
	hub := startHub(t, nil)

	for range 30 {
		if answer := hub.Post(t, access.NewToken(), viewer, nil); answer.Status != 401 {
			t.Fatalf("within the limit: %d, %s", answer.Status, answer.Body)
		}
	}

	answer := hub.Post(t, access.NewToken(), viewer, nil)
	if answer.Status != 429 || answer.Code() != "RATE_LIMITED" {
		t.Fatalf("beyond the limit: %d, %s", answer.Status, answer.Body)
	}

	if after, err := strconv.Atoi(answer.Header.Get("Retry-After")); err != nil || after < 1 || after > 2 {
		t.Errorf("Retry-After %q", answer.Header.Get("Retry-After"))
	}

	if answer := hub.Post(t, hub.Operator, viewer, nil); answer.Status != 200 {
		t.Errorf("a valid token: %d, %s", answer.Status, answer.Body)
	}
}

func TestBehindAProxyEachCallerHasItsOwnFailures(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Login.FailuresPerMinute = 1
		setup.Config.Exposure.BehindProxy = true
	})

	status := func(from string) int {
		return hub.Do(t, http.MethodPost, "/graphql", "{}", http.Header{
			"Authorization": {"Bearer " + access.NewToken()}, "X-Forwarded-For": {from},
		}).Status
	}

	if first, second, other := status("192.0.2.1"), status("192.0.2.1"), status("192.0.2.2"); first != 401 || second != 429 || other != 401 {
		t.Errorf("got %d, %d, %d", first, second, other)
	}
}

func TestTooManyOperationsOfATokenAreTurnedAway(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Login.OperationsPerSecond = 0.5
		setup.Login.OperationBurst = 2
	})

	for range 2 {
		if answer := hub.Post(t, hub.Operator, viewer, nil); answer.Status != 200 {
			t.Fatalf("within the burst: %d, %s", answer.Status, answer.Body)
		}
	}

	answer := hub.Post(t, hub.Operator, viewer, nil)
	if answer.Status != 429 || answer.Code() != "RATE_LIMITED" || answer.Header.Get("Retry-After") != "2" {
		t.Errorf("beyond the burst: %d, Retry-After %s, %s", answer.Status, answer.Header.Get("Retry-After"), answer.Body)
	}

	if answer.Errors[0].Extensions["retryAfterSeconds"] != 2.0 || answer.Errors[0].Extensions["status"] != 429.0 {
		t.Errorf("got %s", answer.Body)
	}

	if answer := hub.Post(t, hub.Agent, viewer, nil); answer.Status != 200 {
		t.Errorf("another token: %d, %s", answer.Status, answer.Body)
	}
}

func TestNoSecretStandsInTheLog(t *testing.T) {
	hub := startHub(t, nil)
	wrong := access.NewToken()

	hub.Post(t, hub.Operator, `query Named($k: String = "s3cret-default") { viewer { name } note(key: "s3cret-key") { text } }`,
		map[string]any{"k": "s3cret-variable"})
	hub.Post(t, wrong, viewer, nil)
	hub.Get(t, "/graphql?query=%7Bs3cret%7D", http.Header{"Authorization": {"Bearer " + hub.Operator}})

	written := hub.Log.String()
	for _, secret := range []string{hub.Operator, wrong, hub.Operator[4:], "s3cret"} {
		if strings.Contains(written, secret) {
			t.Errorf("%s is in the log:\n%s", secret, written)
		}
	}

	if len(hub.Log.Lines(`"msg":"request"`)) != 3 {
		t.Errorf("not a line a request:\n%s", written)
	}
}
