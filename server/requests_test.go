package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestEveryAnswerBearsARequestIDAndTheSecurityHeaders(t *testing.T) {
	hub := startHub(t, nil)
	seen := make(map[string]bool)

	for name, answer := range map[string]reply{
		"GraphQL":      hub.Post(t, hub.Operator, viewer, nil),
		"refused":      hub.Post(t, "", viewer, nil),
		"not found":    hub.Get(t, "/nowhere", nil),
		"health":       hub.Get(t, "/healthz", nil),
		"ready":        hub.Get(t, "/readyz", nil),
		"the front":    hub.Get(t, "/", nil),
		"not a socket": hub.Get(t, "/graphql", http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}}),
	} {
		id := answer.Header.Get(requestIDHeader)
		if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(id) || seen[id] {
			t.Errorf("%s: id %q", name, id)
		}

		seen[id] = true

		for header, want := range map[string]string{
			"X-Content-Type-Options":  "nosniff",
			"Cache-Control":           "no-store",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
			"Referrer-Policy":         "no-referrer",
		} {
			if got := answer.Header.Get(header); got != want {
				t.Errorf("%s: %s is %q", name, header, got)
			}
		}
	}
}

func TestAProperRequestIDOfTheCallersIsKept(t *testing.T) {
	hub := startHub(t, nil)

	for id, kept := range map[string]bool{
		"abc-123_X.y": true, strings.Repeat("a", 128): true,
		"": false, strings.Repeat("a", 129): false, `a"b`: false, "a b": false, "ключ": false,
	} {
		if got := hub.Get(t, "/healthz", http.Header{requestIDHeader: {id}}).Header.Get(requestIDHeader); (got == id) != kept {
			t.Errorf("%q became %q", id, got)
		}
	}
}

func TestAnInternalErrorTellsItsIDAndNothingElse(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.Jira = func(context.Context) (*queue.Jira, error) {
			return nil, errors.New(`ERROR: relation "s3cret" does not exist (SQLSTATE 42P01)`)
		}
		setup.Answers.Queue = func(context.Context) (*graph.Queue, error) { panic("s3cret panic") }
	})

	for name, asked := range map[string]struct{ field, logged, cause string }{
		"an error": {"jira { version }", `"msg":"internal error"`, "SQLSTATE 42P01"},
		"a panic":  {"queue { cursor }", `"msg":"panic"`, "s3cret panic"},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(hub.Log.Lines(`"level":"ERROR"`))
			answer := hub.Post(t, hub.Operator, "{ viewer { name } "+asked.field+" }", nil)
			id := answer.Header.Get(requestIDHeader)

			if answer.Status != 200 || answer.Code() != "INTERNAL" || answer.Message() != "internal error" || len(answer.Errors) != 1 {
				t.Fatalf("got %d: %s", answer.Status, answer.Body)
			}

			extensions := answer.Errors[0].Extensions
			if extensions["requestId"] != id || extensions["status"] != 500.0 || len(extensions) != 3 {
				t.Errorf("extensions %v, request %s", extensions, id)
			}

			if strings.Contains(answer.Body, "s3cret") || strings.Contains(answer.Body, "goroutine") {
				t.Errorf("the inside is told: %s", answer.Body)
			}

			if answer.Data["viewer"] == nil {
				t.Errorf("the other field's answer is lost: %s", answer.Body)
			}

			lines := hub.Log.Lines(`"level":"ERROR"`)[before:]
			if len(lines) != 1 || !strings.Contains(lines[0], asked.logged) || !strings.Contains(lines[0], asked.cause) ||
				!strings.Contains(lines[0], id) {
				t.Errorf("logged: %s", lines)
			}
		})
	}
}

func TestAPanicOutsideAnyResolverIsAnsweredToo(t *testing.T) {
	hub := startHub(t, nil)
	hub.Tokens.Away(func(context.Context) error { panic("s3cret") })

	answer := hub.Post(t, hub.Operator, viewer, nil)
	if answer.Status != 500 || answer.Code() != "INTERNAL" || answer.HasData || strings.Contains(answer.Body, "s3cret") {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}

	if lines := hub.Log.Lines(`"level":"ERROR"`); len(lines) != 1 {
		t.Errorf("logged: %s", lines)
	}
}

func padded(size int) string {
	body := `{"query": "{ viewer { name } }", "variables": {"pad": ""}}`

	return strings.Replace(body, `""`, `"`+strings.Repeat("x", size-len(body))+`"`, 1)
}

func TestABodyOfMoreThan10MBIsTooLarge(t *testing.T) {
	hub := startHub(t, nil)

	answer := hub.PostBody(t, hub.Operator, padded(10<<20+1))
	if answer.Status != 413 || answer.Code() != "TOO_LARGE" || answer.Message() != "the body is larger than 10485760 bytes" {
		t.Errorf("got %d, %.200s", answer.Status, answer.Body)
	}

	if answer.HasData || answer.Errors[0].Extensions["status"] != 413.0 {
		t.Errorf("got %.200s", answer.Body)
	}
}

func TestABodyBeyondTheLimitIsTooLarge(t *testing.T) {
	const limit = 1 << 20

	hub := startHub(t, func(setup *hubSetup) { setup.Config.BodyLimit = limit })

	if answer := hub.PostBody(t, hub.Operator, padded(limit)); answer.Status != 200 {
		t.Errorf("of just the limit: %d, %.200s", answer.Status, answer.Body)
	}

	if answer := hub.PostBody(t, hub.Operator, padded(limit+1)); answer.Status != 413 || answer.Code() != "TOO_LARGE" {
		t.Errorf("a byte more: %d, %.200s", answer.Status, answer.Body)
	}

	// Without a length, as a stream has none.
	stream := io.MultiReader(strings.NewReader(padded(limit + 1)))

	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hub.URL+"/graphql", stream)
	if err != nil {
		t.Fatal(err)
	}

	request.Header = http.Header{"Authorization": {"Bearer " + hub.Operator}, "Content-Type": {"application/json"}}

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer func() { _ = response.Body.Close() }()

	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("without a length: %d", response.StatusCode)
	}
}

func TestABodyThatDoesNotArriveIsNotWaitedFor(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Body = 50 * time.Millisecond })
	body := "Content-Type: application/json\r\nContent-Length: 100\r\n"

	for name, sent := range map[string]struct{ head, status, message string }{
		"that is read": {
			"POST /graphql HTTP/1.1\r\nAuthorization: Bearer " + hub.Operator + "\r\n" + body, "400", "the body did not arrive within 50ms",
		},
		"of a caller who is turned away": {"POST /graphql HTTP/1.1\r\n" + body, "401", "UNAUTHENTICATED"},
		"that nobody reads":              {"POST /healthz HTTP/1.1\r\n" + body, "200", "ok"},
	} {
		t.Run(name, func(t *testing.T) {
			var dialer net.Dialer

			conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(hub.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()

			if _, err := io.WriteString(conn, sent.head+"Host: hub\r\n\r\n{"); err != nil {
				t.Fatal(err)
			}

			answer, err := io.ReadAll(conn) // until the hub closes it
			if err != nil {
				t.Fatal(err)
			}

			if !strings.HasPrefix(string(answer), "HTTP/1.1 "+sent.status+" ") || !strings.Contains(string(answer), sent.message) {
				t.Errorf("got %s", answer)
			}
		})
	}
}

func TestALongAnswerIsNotCutByAnEarlierDeadline(t *testing.T) {
	const short, long = 20 * time.Millisecond, 100 * time.Millisecond

	wait := func(ctx context.Context) error {
		select {
		case <-time.After(long):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Answer, setup.Config.Times.Body = short, short
		setup.Config.Ready = wait
		setup.Answers.Claim = func(ctx context.Context, _ int) (*graph.ClaimPayload, error) {
			return &graph.ClaimPayload{}, wait(ctx)
		}
	})

	// One connection, and each request takes longer than what is left of the deadlines of the one before.
	for range 3 {
		answer := hub.Post(t, hub.Agent, `mutation { claim { idleReason } }`, nil)
		if answer.Status != 200 || answer.Code() != "" {
			t.Fatalf("got %d: %s", answer.Status, answer.Body)
		}

		if answer := hub.Get(t, "/readyz", nil); answer.Status != 200 {
			t.Fatalf("readyz: %d, %s", answer.Status, answer.Body)
		}
	}
}

func TestNumbersOfFieldsStayExact(t *testing.T) {
	const number = "123456789012345678901234567890.5"

	var seen string

	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.CreateBatch = func(_ context.Context, input graph.BatchInput) error {
			told, err := json.Marshal(input.Commands[0].EnsureFields.Fields)
			seen = string(told)

			return err
		}
	})

	answer := hub.PostBody(t, hub.Operator, `{"query": "mutation($i: BatchInput!) { createBatch(input: $i) { batch { id } } }",
		"variables": {"i": {"commands": [{"ensureFields": {"key": "A-1", "fields": {"n": `+number+`}}}]}}}`)
	if answer.Code() != "" || !strings.Contains(seen, number) {
		t.Errorf("the resolver saw %s: %s", seen, answer.Body)
	}
}

func TestTheDomainsRefusalIsToldWithItsProblems(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.CreateBatch = func(context.Context, graph.BatchInput) error {
			refusal := queue.Refusef(queue.Unprocessable, "the batch has 1 problem")
			refusal.Problems = []queue.Problem{{Code: queue.Required, Message: "summary is empty", Position: new(0), Field: "summary"}}

			return refusal
		}
	})

	answer := hub.Post(t, hub.Operator, `mutation { createBatch(input: {commands: []}) { batch { id } } }`, nil)
	if answer.Status != 200 || answer.Code() != "UNPROCESSABLE" || answer.Errors[0].Extensions["status"] != 422.0 || !answer.HasData {
		t.Fatalf("got %d: %s", answer.Status, answer.Body)
	}

	want := `"problems":[{"command":null,"code":"REQUIRED","message":"summary is empty","position":0,"field":"summary"}]`
	if !strings.Contains(answer.Body, want) {
		t.Errorf("got %s", answer.Body)
	}
}

func TestAnArgumentThatItsScalarRefusesIsABadRequest(t *testing.T) {
	hub := startHub(t, nil)

	for name, query := range map[string]string{
		"a number for a key":  `{ issue(key: 5) { key } }`,
		"a text for fields":   `mutation { createBatch(input: {commands: [{ensureFields: {key: "A-1", fields: "x"}}]}) { batch { id } } }`,
		"a text for a moment": `mutation { setNote(key: "A-1", text: "x", ifUpdatedAt: "yesterday") { text } }`,
	} {
		answer := hub.Post(t, hub.Operator, query, nil)
		if answer.Status != 200 || answer.Code() != "BAD_REQUEST" || !answer.HasData {
			t.Errorf("%s: got %d, %s", name, answer.Status, answer.Body)
		}
	}

	if lines := hub.Log.Lines(`"level":"ERROR"`); len(lines) != 0 {
		t.Errorf("logged: %s", lines)
	}
}

func TestTheAuthorOfANoteIsTheTokensName(t *testing.T) {
	hub := startHub(t, nil)
	named := hub.Tokens.Make("Иван", access.Operator)

	answer := hub.Post(t, named, `mutation { setNote(key: "A-1", text: "x") { author } }`, nil)
	if note, _ := answer.Data["setNote"].(map[string]any); note["author"] != "Иван" {
		t.Errorf("got %s", answer.Body)
	}
}
