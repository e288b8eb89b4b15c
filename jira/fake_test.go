package jira

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
)

// fake is a Jira that answers with what a test gives it, and keeps what it was asked.
type fake struct {
	t      *testing.T
	mux    *http.ServeMux
	url    string
	client *Client

	mu   sync.Mutex
	seen []request
}

type request struct {
	method string
	path   string
	query  url.Values
	header http.Header
	body   map[string]any
}

// routes say what is answered, by method and path: a text is JSON, anything else a handler.
type routes map[string]any

const serverFields = `[
	{"id":"summary","name":"Summary","schema":{"type":"string","system":"summary"}},
	{"id":"description","name":"Description","schema":{"type":"string","system":"description"}},
	{"id":"assignee","name":"Assignee","schema":{"type":"user","system":"assignee"}},
	{"id":"labels","name":"Labels","schema":{"type":"array","items":"string","system":"labels"}},
	{"id":"priority","name":"Priority","schema":{"type":"priority","system":"priority"}},
	{"id":"fixVersions","name":"Fix Version/s","schema":{"type":"array","items":"version","system":"fixVersions"}},
	{"id":"resolution","name":"Resolution","schema":{"type":"resolution","system":"resolution"}},
	{"id":"customfield_10100","name":"Sprint","schema":{"type":"array","items":"string","custom":"com.pyxis.greenhopper.jira:gh-sprint"}},
	{"id":"customfield_10101","name":"Epic Link","schema":{"type":"any","custom":"com.pyxis.greenhopper.jira:gh-epic-link"}},
	{"id":"customfield_10102","name":"Epic Name","schema":{"type":"string","custom":"com.pyxis.greenhopper.jira:gh-epic-label"}},
	{"id":"customfield_10201","name":"Team","schema":{"type":"option","custom":"com.atlassian.jira.plugin.system.customfieldtypes:select"}},
	{"id":"customfield_10202","name":"Team","schema":{"type":"string","custom":"com.atlassian.jira.plugin.system.customfieldtypes:textfield"}},
	{"id":"customfield_10203","name":"Area","schema":{"type":"option","custom":"com.atlassian.jira.plugin.system.customfieldtypes:select"}},
	{"id":"customfield_10204","name":"Criteria","schema":{"type":"string","custom":"com.atlassian.jira.plugin.system.customfieldtypes:textarea"}},
	{"id":"customfield_10205","name":"Reviewers","schema":{"type":"array","items":"user","custom":"com.atlassian.jira.plugin.system.customfieldtypes:multiuserpicker"}},
	{"id":"customfield_10206","name":"Story Points","schema":{"type":"number","custom":"com.atlassian.jira.plugin.system.customfieldtypes:float"}}
]`

// server is a Data Center with those routes besides serverInfo and its fields.
func server(t *testing.T, given routes) *fake {
	return connect(t, `{"deploymentType":"Server","version":"9.12.2","baseUrl":"https://jira.example.com"}`, "/rest/api/2/field", given)
}

// cloud is a Cloud with those routes.
func cloud(t *testing.T, given routes) *fake {
	return connect(t, `{"deploymentType":"Cloud","version":"1001.0.0","baseUrl":"https://example.atlassian.net"}`, "/rest/api/3/field", given)
}

func connect(t *testing.T, info, fields string, given routes) *fake {
	t.Helper()

	f := start(t)
	f.route("GET /rest/api/2/serverInfo", info)

	if _, own := given["GET "+fields]; !own {
		f.route("GET "+fields, serverFields)
	}

	for pattern, answer := range given {
		f.route(pattern, answer)
	}

	client, err := Connect(t.Context(), Config{URL: f.url, User: "agent", Token: "secret", UserAgent: "test-agent/1"})
	if err != nil {
		t.Fatal(err)
	}

	f.client = client
	f.seen = nil

	t.Cleanup(client.Close)

	return f
}

func start(t *testing.T) *fake {
	t.Helper()

	f := &fake{t: t, mux: http.NewServeMux()}
	listening := httptest.NewServer(http.HandlerFunc(f.serve))
	f.url = listening.URL

	t.Cleanup(listening.Close)

	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		f.t.Errorf("reading a request: %v", err)
	}

	seen := request{method: r.Method, path: r.URL.Path, query: r.URL.Query(), header: r.Header}

	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &seen.body); err != nil {
			f.t.Errorf("%s %s was sent no object: %s", r.Method, r.URL.Path, raw)
		}
	}

	f.mu.Lock()
	f.seen = append(f.seen, seen)
	f.mu.Unlock()

	f.mux.ServeHTTP(w, r)
}

func (f *fake) route(pattern string, answer any) {
	switch answer := answer.(type) {
	case string:
		f.mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, answer) })
	case func(http.ResponseWriter, *http.Request):
		f.mux.HandleFunc(pattern, answer)
	default:
		f.t.Fatalf("%s: %T is no answer", pattern, answer)
	}
}

// only gives the one request with that method and path.
func (f *fake) only(method, path string) request {
	f.t.Helper()

	f.mu.Lock()
	defer f.mu.Unlock()

	var found []request
	for _, r := range f.seen {
		if r.method == method && r.path == path {
			found = append(found, r)
		}
	}

	if len(found) != 1 {
		f.t.Fatalf("%s %s was called %d times, not once", method, path, len(found))
	}

	return found[0]
}

func reply(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// answers replies with that status and body.
func answers(status int, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { reply(w, status, body) }
}

// same compares values by their JSON.
func same(t *testing.T, got any, want string) {
	t.Helper()

	encoded, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}

	var a, b any
	if err := json.Unmarshal(encoded, &a); err != nil {
		t.Fatal(err)
	}

	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatalf("%v: %s", err, want)
	}

	if got, want := inJSON(a), inJSON(b); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func check(t *testing.T, err error) {
	t.Helper()

	if err != nil {
		t.Fatal(err)
	}
}

func inJSON(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}

	return string(raw)
}
