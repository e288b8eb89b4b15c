package server_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	jsonType    = "application/json; charset=utf-8"
	graphqlType = "application/graphql-response+json; charset=utf-8"
)

// quoted is a body with that query.
func quoted(query string) string { return `{"query": "` + strings.ReplaceAll(query, `"`, `\"`) + `"}` }

func headers(hub *testHub, accept string) http.Header {
	header := http.Header{"Authorization": {"Bearer " + hub.Operator}, "Content-Type": {"application/json"}}
	if accept != "" {
		header.Set("Accept", accept)
	}

	return header
}

func TestTheStatusOfAnAnswerIsTheSpecifications(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.HoldBatch = func(context.Context, string) error { return queue.Refusef(queue.Conflict, "it has ended") }
		setup.Answers.Queue = func(context.Context) (*graph.Queue, error) { return nil, nil }
	})

	const (
		newer   = "application/graphql-response+json"
		missing = `{"query": "query($n: Int!) { commands(first: $n) { totalCount } }"}`
	)

	for name, asked := range map[string]struct {
		body, accept string
		status       int
		code         string
		data         bool
	}{
		"carried out":                     {quoted("{ viewer { name } }"), "", 200, "", true},
		"carried out, newer format":       {quoted("{ viewer { name } }"), newer, 200, "", true},
		"a refusal of the domain":         {quoted(`mutation { holdBatch(id: 1) { id } }`), "", 200, "CONFLICT", true},
		"the same, newer format":          {quoted(`mutation { holdBatch(id: 1) { id } }`), newer, 200, "CONFLICT", true},
		"another role's":                  {quoted(`mutation { claim { idleReason } }`), "", 200, "FORBIDDEN", true},
		"does not parse":                  {quoted("{"), "", 200, "BAD_REQUEST", false},
		"does not parse, newer format":    {quoted("{"), newer, 400, "BAD_REQUEST", false},
		"does not validate":               {quoted("{ nope }"), "", 200, "BAD_REQUEST", false},
		"does not validate, newer format": {quoted("{ nope }"), newer, 400, "BAD_REQUEST", false},
		"a wrong variable":                {missing, "", 200, "BAD_REQUEST", false},
		"a wrong variable, newer format":  {missing, newer, 400, "BAD_REQUEST", false},
		"too complex":                     {quoted("{" + strings.Repeat(" __typename", 51) + "}"), "", 200, "TOO_COMPLEX", false},
		"too complex, newer format":       {quoted("{" + strings.Repeat(" __typename", 51) + "}"), newer, 400, "TOO_COMPLEX", false},
		"no JSON":                         {"{", "", 400, "BAD_REQUEST", false},
		"no JSON, newer format":           {"{", newer, 400, "BAD_REQUEST", false},
		"several at once":                 {"[" + quoted("{ viewer { name } }") + "]", "", 400, "BAD_REQUEST", false},
		"invalid UTF-8":                   {"{\"query\": \"{ viewer { name } } #\xff\"}", "", 400, "BAD_REQUEST", false},
		"a subscription":                  {quoted("subscription { queueChanged { cursor } }"), "", 400, "BAD_REQUEST", false},
		"nothing acceptable":              {quoted("{ viewer { name } }"), "text/html", 406, "BAD_REQUEST", false},
	} {
		t.Run(name, func(t *testing.T) {
			answer := hub.Do(t, http.MethodPost, "/graphql", asked.body, headers(hub, asked.accept))
			if answer.Status != asked.status || answer.Code() != asked.code || answer.HasData != asked.data {
				t.Errorf("got %d: %s", answer.Status, answer.Body)
			}

			want := jsonType
			if asked.accept == newer {
				want = graphqlType
			}

			if got := answer.Header.Get("Content-Type"); got != want {
				t.Errorf("Content-Type %s", got)
			}
		})
	}
}

func TestABodyIsTakenAsJSONInUTF8Alone(t *testing.T) {
	hub := startHub(t, nil)

	for contentType, status := range map[string]int{
		"application/json":                   200,
		"application/json; charset=utf-8":    200,
		"APPLICATION/JSON;charset=\"UTF-8\"": 200,
		"application/json; charset=utf-16":   415,
		"application/graphql":                415,
		"text/plain":                         415,
		"application/x-www-form-urlencoded":  415,
		"multipart/form-data; boundary=x":    415,
		"nonsense;;":                         415,
		"":                                   415,
	} {
		header := headers(hub, "")
		header.Set("Content-Type", contentType)

		answer := hub.Do(t, http.MethodPost, "/graphql", quoted("{ viewer { name } }"), header)
		if answer.Status != status || status != 200 && answer.Code() != "BAD_REQUEST" {
			t.Errorf("%q: got %d, %s", contentType, answer.Status, answer.Body)
		}
	}

	packed := headers(hub, "")
	packed.Set("Content-Encoding", "gzip")

	if answer := hub.Do(t, http.MethodPost, "/graphql", "x", packed); answer.Status != 415 {
		t.Errorf("a packed body: %d, %s", answer.Status, answer.Body)
	}
}

func TestGETIsForQueriesAlone(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.HoldBatch = func(context.Context, string) error {
			t.Error("a mutation was carried out by GET")

			return nil
		}
	})

	for name, asked := range map[string]struct {
		values  url.Values
		status  int
		allow   string
		message string
	}{
		"a query": {url.Values{"query": {"query A($k: Boolean!) { viewer { name @skip(if: $k) } }"}, "variables": {`{"k": false}`}}, 200, "", ""},
		"a mutation": {
			url.Values{"query": {"mutation { holdBatch(id: 1) { id } }"}}, 405, "POST", "a mutation is not allowed by GET: use POST",
		},
		"the mutation of two": {
			url.Values{"query": {"query Q { viewer { name } } mutation M { holdBatch(id: 1) { id } }"}, "operationName": {"M"}},
			405, "POST", "a mutation is not allowed by GET: use POST",
		},
		"a subscription": {
			url.Values{"query": {"subscription { queueChanged { cursor } }"}},
			405, "POST",
			"a subscription is not allowed by GET: use a websocket with graphql-transport-ws, or Accept: text/event-stream",
		},
		"nothing": {url.Values{}, 400, "", `"query" is missing: it holds the GraphQL document`},
	} {
		t.Run(name, func(t *testing.T) {
			answer := hub.Get(t, "/graphql?"+asked.values.Encode(), http.Header{"Authorization": {"Bearer " + hub.Operator}})
			if answer.Status != asked.status || answer.Header.Get("Allow") != asked.allow || answer.Message() != asked.message {
				t.Errorf("got %d, Allow %q: %s", answer.Status, answer.Header.Get("Allow"), answer.Body)
			}
		})
	}
}

func TestOtherMethodsAreNotAllowed(t *testing.T) {
	hub := startHub(t, nil)

	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodHead} {
		answer := hub.Do(t, method, "/graphql", "", headers(hub, ""))
		if answer.Status != 405 || answer.Header.Get("Allow") != "GET, POST, OPTIONS" {
			t.Errorf("%s: %d, Allow %q", method, answer.Status, answer.Header.Get("Allow"))
		}
	}

	answer := hub.Do(t, http.MethodOptions, "/graphql", "", nil)
	if answer.Status != 204 || answer.Header.Get("Allow") != "GET, POST, OPTIONS" || answer.Body != "" {
		t.Errorf("OPTIONS: %d, %v, %s", answer.Status, answer.Header, answer.Body)
	}

	for name := range answer.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("pages of other origins are let in: %s", name)
		}
	}
}

func TestAnUpgradeThatIsNoWebsocketIsPassedOver(t *testing.T) {
	hub := startHub(t, nil)
	header := headers(hub, "")
	header.Set("Connection", "Upgrade, HTTP2-Settings")
	header.Set("Upgrade", "h2c")

	if answer := hub.Do(t, http.MethodPost, "/graphql", quoted("{ viewer { name } }"), header); answer.Status != 200 {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}
}
