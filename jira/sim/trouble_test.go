package sim_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

func TestAnAnswerIsLostAfterTheIssueWasCreated(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.Add(sim.Lost().On(http.MethodPost, f.api+"/issue", 1))

		body := object{"fields": object{
			"project": object{"key": "AURORA"}, "issuetype": object{"name": "Задача"}, "summary": "Потерянная", "labels": []string{"hub-lost"},
		}}

		if r, err := f.try(http.MethodPost, f.api+"/issue", body); err == nil {
			t.Fatalf("answered %d", r.status)
		}

		made := f.Labelled("hub-lost")
		if len(made) != 1 {
			t.Fatalf("%d issues were made", len(made))
		}

		f.do(http.MethodPost, f.api+"/issue", body, http.StatusCreated)

		if n := len(f.Labelled("hub-lost")); n != 2 {
			t.Errorf("the rule acted more than once: %d issues", n)
		}

		writes := f.Writes()
		if len(writes) != 2 || !writes[0].Lost || writes[0].Status != http.StatusCreated || writes[0].Key != made[0].Key || writes[0].Did != "issue created" ||
			writes[0].Labels[0] != "hub-lost" || writes[1].Lost {
			t.Errorf("the log says %+v", writes)
		}
	})
}

func TestACutCallDidNothing(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		before := f.Count()

		end := f.Add(sim.Cut().On(http.MethodPost, f.api+"/**", 0))
		for range 2 {
			if _, err := f.try(http.MethodPost, f.api+"/issue", object{"fields": object{}}); err == nil {
				t.Error("it was answered")
			}
		}

		if f.Count() != before || len(f.Writes()) != 0 {
			t.Error("something was done")
		}

		end()
		f.create("Теперь можно", nil)
	})
}

func TestRulesActOnTheCallsTheyName(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		rule := sim.TooFast("2").On(http.MethodGet, f.api+"/issue/*", 2)
		rule.Skip = 1
		f.Add(rule)

		f.get(f.api + "/issue/AURORA-1537")
		f.get(f.api + "/issue/AURORA-1537/comment")

		for range 2 {
			no := f.do(http.MethodGet, f.api+"/issue/AURORA-1537", nil, http.StatusTooManyRequests)
			if no.header.Get("Retry-After") != "2" {
				t.Error("Retry-After is", no.header.Get("Retry-After"))
			}
		}

		f.get(f.api + "/issue/AURORA-1537")

		f.Add(sim.TooFast("").On("", f.api+"/myself", 1))

		if no := f.do(http.MethodGet, f.api+"/myself", nil, http.StatusTooManyRequests); no.header.Values("Retry-After") != nil {
			t.Error("Retry-After was not to come")
		}
	})
}

func TestTheUsualTroubleLooksAsItDoesInJira(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		me := f.api + "/myself"
		for name, want := range map[string]struct {
			rule   sim.Rule
			status int
			header string
			value  string
			body   string
		}{
			"unavailable":  {sim.Unavailable("7"), 503, "Retry-After", "7", "<title>503"},
			"login page":   {sim.LoginPage(), 200, "Content-Type", "text/html;charset=UTF-8", "<title>You are already logged in - Jira</title>"},
			"captcha":      {sim.Captcha(), 403, "X-Seraph-LoginReason", "AUTHENTICATION_DENIED", "AUTHENTICATION_DENIED"},
			"unauthorized": {sim.Unauthorized(), 401, "X-Seraph-LoginReason", "AUTHENTICATED_FAILED", "must be authenticated"},
			"html":         {sim.HTMLPage(502), 502, "Content-Type", "text/html;charset=UTF-8", "<title>Bad Gateway</title>"},
		} {
			f.Add(want.rule.On(http.MethodGet, me, 1))

			got := f.do(http.MethodGet, me, nil, want.status)
			if got.header.Get(want.header) != want.value || !strings.Contains(string(got.body), want.body) {
				t.Errorf("%s: %v %s", name, got.header, got.body)
			}
		}
	})
}

func TestASlowAnswerComesInTheEnd(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.Cloud})
	f.Add(sim.Slow(30*time.Millisecond).On("", f.api+"/myself", 1))

	begun := time.Now()
	f.get(f.api + "/myself")

	if took := time.Since(begun); took < 30*time.Millisecond {
		t.Error("it took", took)
	}
}

func TestAPageTokenThatComesAgainAndAgain(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.Cloud})
	f.Add(sim.RepeatedToken().On("", f.api+"/search/jql", 3))

	ask := object{"jql": "project = AURORA", "fields": []string{"summary"}, "maxResults": 5}
	first := f.do(http.MethodPost, f.api+"/search/jql", ask, http.StatusOK)
	ask["nextPageToken"] = first.at(t, "nextPageToken")
	second := f.do(http.MethodPost, f.api+"/search/jql", ask, http.StatusOK)

	if first.at(t, "nextPageToken") != second.at(t, "nextPageToken") || second.at(t, "isLast") != false {
		t.Errorf("%s\n%s", first.body, second.body)
	}
}

// catalogue is what real servers answered, by the public reports that each entry names; the whole of it is read from a file
// beside the project where that is there.
func catalogue(t *testing.T) []entry {
	t.Helper()

	entries := []entry{
		{ID: "xsrf", Status: 403, Body: "XSRF check failed"},
		{ID: "proxy", Status: 502, Headers: map[string]string{"Content-Type": "text/html"}, Body: "<!DOCTYPE html><html>...</html>"},
		{ID: "edit-empty", Status: 400, Body: object{"errorMessages": []any{"one of 'fields' or 'update' required"}, "errors": object{}}},
		{ID: "rate-dc", Status: 429, Headers: map[string]string{"Retry-After": "0"}},
	}

	file, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "jira", "error_catalog.json"))
	if err != nil {
		t.Log("the whole catalogue is not there; trying four of its kinds")

		return entries
	}

	if err := json.Unmarshal(file, &entries); err != nil {
		t.Fatal(err)
	}

	return entries
}

type entry struct {
	ID       string            `json:"id"`
	Status   int               `json:"status"`
	Headers  map[string]string `json:"headers"`
	Body     any               `json:"body"`
	Fragment string            `json:"message_fragment"` //nolint:tagliatelle // the file's own name
}

func TestEveryAnswerOfTheCatalogueCanBeGiven(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		for _, e := range catalogue(t) {
			if e.Body == nil && e.Fragment != "" {
				e.Body = object{"errorMessages": []any{e.Fragment}, "errors": object{}}
			}

			f.turn(object{"rules": []any{object{
				"path": f.api + "/issue/*", "calls": 1, "answer": object{"status": e.Status, "headers": e.Headers, "body": e.Body},
			}}}, http.StatusOK)

			got := f.do(http.MethodPut, f.api+"/issue/AURORA-1537", object{"fields": object{"summary": "а"}}, e.Status)
			for name, value := range e.Headers {
				if got.header.Get(name) != value {
					t.Errorf("%s: %s is %q, not %q", e.ID, name, got.header.Get(name), value)
				}
			}

			want, _ := e.Body.(string)
			if want == "" && e.Body != nil {
				encoded, err := json.Marshal(e.Body)
				if err != nil {
					t.Fatal(err)
				}

				want = string(encoded)
			}

			if !same(t, want, string(got.body)) {
				t.Errorf("%s: answered\n%s\nnot\n%s", e.ID, got.body, want)
			}
		}

		if seen, _ := f.Issue("AURORA-1537"); seen.Summary == "а" {
			t.Error("a fixed answer let the edit through")
		}
	})
}

// same compares two bodies, as JSON where they are.
func same(t *testing.T, a, b string) bool {
	t.Helper()

	var one, other any
	if json.Unmarshal([]byte(a), &one) != nil || json.Unmarshal([]byte(b), &other) != nil {
		return a == b
	}

	return reflect.DeepEqual(one, other)
}

// turn posts knobs.
func (f *fixture) turn(knobs any, status int) reply {
	f.t.Helper()

	return f.do(http.MethodPost, "/_sim/knobs", knobs, status)
}

func TestKnobsAreTurnedAndShownByHTTP(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		shown := f.turn(object{
			"indexLagMs": 1500, "crlf": true, "holdIndex": true,
			"screens":     []any{object{"project": "AURORA", "screen": "create", "field": "labels", "off": true}},
			"resolutions": []any{object{"to": "Готово"}},
			"rules":       []any{object{"does": "lost", "method": "POST", "path": f.api + "/issue", "calls": 2}, object{"does": "repeatedToken"}},
			"moves":       []any{object{"key": "AURORA-1543", "project": "VEGA"}},
			"sprints":     []any{object{"board": "Аврора: сайт", "name": "Спринт 3", "state": "future"}},
			"reindex":     true,
		}, http.StatusOK)

		for path, want := range map[string]any{
			"indexLagMs": 1500.0, "crlf": true, "holdIndex": true, "stripLineEnds": false, "screens.0.field": "labels", "resolutions.0.to": "Готово",
			"rules.0.after": true, "rules.0.calls": 2.0, "rules.1.repeatToken": true,
		} {
			if got := shown.at(t, path); got != want {
				t.Errorf("%s is %v, not %v", path, got, want)
			}
		}

		if seen, _ := f.Issue("AURORA-1543"); seen.Project != "VEGA" {
			t.Error("not moved")
		}

		f.turn(object{"clear": true}, http.StatusOK)

		if cleared := f.get("/_sim/knobs"); cleared.at(t, "rules") != nil || cleared.at(t, "indexLagMs") != 0.0 || cleared.at(t, "screens") != nil {
			t.Errorf("%s", cleared.body)
		}

		for _, wrong := range []any{
			object{"unknown": 1},
			object{"rules": []any{object{"does": "nothing"}}},
			object{"resolutions": []any{object{"to": "Нет такого"}}},
			object{"moves": []any{object{"key": "AURORA-404", "project": "VEGA"}}},
			object{"screens": []any{object{"field": "nope"}}},
			object{"sprints": []any{object{"board": "Вега: поток", "name": "а", "state": "future"}}},
			object{"rules": []any{object{"answer": object{"status": 7}}}},
		} {
			if no := f.turn(wrong, http.StatusBadRequest); no.at(t, "error") == "" {
				t.Errorf("%v: refused without a word", wrong)
			}
		}

		f.create("Для журнала", nil)

		if log := f.get("/_sim/log"); log.at(t, "0.did") != "issue created" {
			t.Errorf("%s", log.body)
		}
	})
}

func TestAFormOfAnotherSiteTurnsNoKnob(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.Cloud})

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.url+"/_sim/knobs", strings.NewReader(`{"crlf":true}`))
	if err != nil {
		t.Fatal(err)
	}

	r.Header.Set("Content-Type", "text/plain")

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}

	_ = answer.Body.Close()

	if answer.StatusCode != http.StatusUnsupportedMediaType || *f.Knobs().CRLF {
		t.Error("it was taken:", answer.StatusCode)
	}
}
