package sim_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
	"github.com/sdlc-hub/sdlc-hub/jira/sim/contract"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = map[string]any

// fixture is a simulated Jira that listens, and somebody with the agent's login.
type fixture struct {
	*sim.Sim

	t       *testing.T
	dialect sim.Dialect
	url     string
	api     string
}

// documents are Atlassian's, read once: they are large.
var documents = sync.OnceValues(contract.New) //nolint:gochecknoglobals // read only

func start(t *testing.T, config sim.Config) *fixture {
	t.Helper()

	s, err := sim.New(config)
	if err != nil {
		t.Fatal(err)
	}

	f := &fixture{Sim: s, t: t, dialect: config.Dialect, api: "/rest/api/2"}
	if config.Dialect == sim.Cloud {
		f.api = "/rest/api/3"
	}

	c, err := documents()
	if err != nil {
		t.Fatal(err)
	}

	server := httptest.NewServer(c.Handler(s, func(problem string) { t.Error("against Atlassian's document:", problem) }))
	t.Cleanup(server.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)

	f.url = server.URL

	return f
}

// both runs a test on either dialect.
func both(t *testing.T, test func(t *testing.T, f *fixture)) {
	t.Helper()
	t.Parallel()

	for _, dialect := range []sim.Dialect{sim.Cloud, sim.DataCenter} {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			test(t, start(t, sim.Config{Dialect: dialect}))
		})
	}
}

type reply struct {
	status int
	header http.Header
	body   []byte
}

// at reads a member of a JSON answer by a path such as fields.status.name.
func (r reply) at(t *testing.T, path string) any {
	t.Helper()

	var value any
	if err := json.Unmarshal(r.body, &value); err != nil {
		t.Fatalf("the answer is no JSON: %v\n%s", err, r.body)
	}

	for part := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case object:
			value = at[part]
		case []any:
			index := 0
			if err := json.Unmarshal([]byte(part), &index); err != nil || index >= len(at) {
				return nil
			}

			value = at[index]
		default:
			return nil
		}
	}

	return value
}

// try makes a call and gives the error of the connection, if that is what comes.
func (f *fixture) try(method, path string, body any) (reply, error) {
	f.t.Helper()

	var sent io.Reader

	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			f.t.Fatal(err)
		}

		sent = bytes.NewReader(encoded)
	}

	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, sent)
	if err != nil {
		f.t.Fatal(err)
	}

	user, token := f.Login()
	r.SetBasicAuth(user, token)

	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = answer.Body.Close() }()

	read, err := io.ReadAll(answer.Body)

	return reply{status: answer.StatusCode, header: answer.Header, body: read}, err
}

// do makes a call that is answered with the status.
func (f *fixture) do(method, path string, body any, status int) reply {
	f.t.Helper()

	r, err := f.try(method, path, body)
	if err != nil {
		f.t.Fatal(err)
	}

	if r.status != status {
		f.t.Fatalf("%s %s: %d, not %d\n%s", method, path, r.status, status, r.body)
	}

	return r
}

func (f *fixture) get(path string) reply {
	f.t.Helper()

	return f.do(http.MethodGet, path, nil, http.StatusOK)
}

// text is a text as the dialect wants it sent.
func (f *fixture) text(plain string) any {
	if f.dialect == sim.DataCenter {
		return plain
	}

	return object{"type": "doc", "version": 1, "content": []any{
		object{"type": "paragraph", "content": []any{object{"type": "text", "text": plain}}},
	}}
}

// create makes an ordinary task and gives its key.
func (f *fixture) create(summary string, more object) string {
	f.t.Helper()

	fields := object{"project": object{"key": "AURORA"}, "issuetype": object{"name": "Задача"}, "summary": summary}
	maps.Copy(fields, more)

	key, _ := f.do(http.MethodPost, f.api+"/issue", object{"fields": fields}, http.StatusCreated).at(f.t, "key").(string)

	return key
}

// find searches by JQL and gives the keys, all pages.
func (f *fixture) find(jql string) []string {
	f.t.Helper()

	keys := []string{}
	path, body := f.api+"/search", object{"jql": jql, "fields": []string{"summary"}}

	if f.dialect == sim.Cloud {
		path += "/jql"
	}

	for {
		page := f.do(http.MethodPost, path, body, http.StatusOK)

		issues, _ := page.at(f.t, "issues").([]any)
		for _, i := range issues {
			i, _ := i.(object)
			key, _ := i["key"].(string)
			keys = append(keys, key)
		}

		if f.dialect == sim.Cloud {
			token := page.at(f.t, "nextPageToken")
			if token == nil {
				return keys
			}

			body["nextPageToken"] = token
		} else {
			total, _ := page.at(f.t, "total").(float64)
			if len(keys) >= int(total) {
				return keys
			}

			body["startAt"] = len(keys)
		}
	}
}

// clock is a time that passes when it is told to.
type clock struct{ now time.Time }

func (c *clock) tell() time.Time { return c.now }
