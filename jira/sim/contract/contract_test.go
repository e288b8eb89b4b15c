package contract_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim/contract"
)

// heard passes one call with one answer through the contract and gives what it reports.
func heard(t *testing.T, c *contract.Contract, method, target, sent string, status int, answered string) []string {
	t.Helper()

	var (
		mu      sync.Mutex
		reports []string
	)

	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if passed, err := io.ReadAll(r.Body); err != nil || string(passed) != sent {
			t.Errorf("the handler was sent %q, %v", passed, err)
		}

		kind := "application/json;charset=UTF-8"
		if strings.HasPrefix(answered, "<") {
			kind = "text/html"
		}

		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answered)
	})

	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(sent))
	if sent != "" {
		r.Header.Set("Content-Type", "application/json")
	}

	w := httptest.NewRecorder()
	c.Handler(next, func(problem string) {
		mu.Lock()
		defer mu.Unlock()

		reports = append(reports, problem)
	}).ServeHTTP(w, r)

	if w.Code != status || w.Body.String() != answered {
		t.Errorf("the caller was answered %d %s", w.Code, w.Body)
	}

	return reports
}

// documents reads them once for a test: they are large.
func documents(t *testing.T) *contract.Contract {
	t.Helper()

	read, err := contract.New()
	if err != nil {
		t.Fatal(err)
	}

	return read
}

func TestWhatTheDocumentsAllowPasses(t *testing.T) {
	t.Parallel()

	read := documents(t)

	for _, c := range []struct {
		method, target, sent string
		status               int
		answered             string
	}{
		{"POST", "/rest/api/3/issue", `{"fields":{"summary":"а"},"properties":[{"key":"hub","value":1}]}`, 201, `{"id":"1","key":"A-1","self":"http://j/1"}`},
		{"POST", "/rest/api/3/issue", `{"fields":{}}`, 400, `{"errorMessages":[],"errors":{"summary":"нет"}}`},
		{"GET", "/rest/api/3/issue/A-1?fields=summary,status&fields=labels", "", 200, `{"id":"1","fields":{"summary":null}}`},
		{"GET", "/rest/api/3/issue/A-1", "", 502, `<html>`},
		{"GET", "/rest/api/3/issue/A-1", "", 429, `{"anything":1}`},
		{"GET", "/rest/api/3/issue/A-1", "", 200, `<html>`},
		{"POST", "/rest/api/3/issueLink", `{"type":{"name":"Blocks"},"inwardIssue":{"key":"A-1"},"outwardIssue":{"key":"A-2"}}`, 201, ``},
		{"GET", "/rest/api/3/mypermissions?permissions=X", "", 200, `{"permissions":{}}`},
		{"GET", "/rest/api/2/anything", "", 200, `{}`},
		{"GET", "/rest/agile/1.0/board/1/sprint?state=active,future", "", 200, `{"values":[{"id":1,"name":"а","state":"future"}],"isLast":true}`},
		{"PUT", "/rest/api/3/issue/A-1/properties/hub", `"а"`, 201, `{}`},
	} {
		if reports := heard(t, read, c.method, c.target, c.sent, c.status, c.answered); len(reports) > 0 {
			t.Errorf("%s %s: %q", c.method, c.target, reports)
		}
	}
}

func TestWhatTheDocumentsDoNotAllowIsReported(t *testing.T) {
	t.Parallel()

	read := documents(t)

	const created = `{"id":"1","key":"A-1","self":"http://j/1"}`

	for _, c := range []struct {
		method, target, sent string
		status               int
		answered             string
		want                 string
	}{
		{"GET", "/rest/api/3/search?jql=a", "", 200, `{}`, "no document knows this call"},
		{"PATCH", "/rest/api/3/issue/A-1", "", 200, `{}`, "no document knows this call"},
		{"GET", "/rest/api/3/issue/A-1?field=summary", "", 200, `{}`, "no such parameter: field"},
		{"GET", "/rest/api/3/issue/A-1/comment?startAt=x", "", 200, `{}`, "parameter startAt: x is no integer"},
		{"POST", "/rest/api/3/issue", ``, 201, created, "a body is required"},
		{"POST", "/rest/api/3/issue", `{`, 201, created, "the body is no JSON"},
		{"POST", "/rest/api/3/issue", `{"fields":[]}`, 201, created, "body.fields is no object"},
		{"POST", "/rest/api/3/issue", `{"properties":[{"key":"hub","valu":1}]}`, 201, created, "body.properties[0].valu is not in the document"},
		{"POST", "/rest/api/3/issue", `{"update":{"labels":[{"put":"a"}]}}`, 201, created, "body.update.labels[0].put is not in the document"},
		{"GET", "/rest/api/3/issue/A-1", `{}`, 200, `{}`, "this call takes no body"},
		{"POST", "/rest/api/3/search/jql", `{"jql":"a","startAt":0}`, 200, `{}`, "body.startAt is not in the document"},
		{"POST", "/rest/api/3/search/jql", `{"jql":"a","maxResults":"5"}`, 200, `{}`, "body.maxResults is no integer"},
		{"POST", "/rest/api/3/issueLink", `{"type":{"name":"a"},"inwardIssue":{"key":"A-1"}}`, 201, ``, "body.outwardIssue is missing"},
		{"POST", "/rest/agile/1.0/backlog/issue", `{"issues":["A-1","A-1"]}`, 204, ``, "body.issues[1] is there twice"},
		{"POST", "/rest/api/3/issue", `{}`, 200, created, "no document lists the answer 200"},
		{"POST", "/rest/api/3/issue", `{}`, 201, `{"id":1}`, "answer 201.id is no text"},
		{"POST", "/rest/api/3/issue", `{}`, 201, `{"key":null}`, "answer 201.key is null"},
		{"POST", "/rest/api/3/issue", `{}`, 201, ``, "answer 201 is no JSON"},
		{"POST", "/rest/api/3/issue", `{}`, 400, `{"message":"нет"}`, "answer 400.message is not in the document"},
		{"GET", "/rest/api/3/serverInfo", "", 200, `{"buildNumber":1.5}`, "answer 200.buildNumber is no integer"},
		{"GET", "/rest/api/3/serverInfo", "", 200, `{"serverTime":"вчера"}`, `answer 200.serverTime: "вчера" is no date-time`},
		{"GET", "/rest/api/3/myself", "", 200, `{"active":"yes"}`, "answer 200.active is neither true nor false"},
		{"GET", "/rest/api/3/myself", "", 200, `{"accountType":"robot"}`, `"robot" is none of`},
		{"GET", "/rest/agile/1.0/sprint/1", "", 200, `{"id":"1"}`, "answer 200.id is string, in the example json.Number"},
		{"GET", "/rest/agile/1.0/board/1/sprint", "", 200, `{"values":[{"title":"а"}]}`, "answer 200.values[0].title is not in the example"},
		{"GET", "/rest/api/3/issue/A-1/transitions", "", 200, `{"transitions":[{"id":"1","to":{"name":1}}]}`, "answer 200.transitions[0].to.name is no text"},
	} {
		reports := heard(t, read, c.method, c.target, c.sent, c.status, c.answered)
		if len(reports) != 1 || !strings.Contains(reports[0], c.want) {
			t.Errorf("%s %s %s -> %s: %q, not %q", c.method, c.target, c.sent, c.answered, reports, c.want)
		}
	}
}
