package jira

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestASearchOfServerGoesThroughAllPages(t *testing.T) {
	var f *fake

	f = server(t, routes{"POST /rest/api/2/search": func(w http.ResponseWriter, _ *http.Request) {
		body := f.seen[len(f.seen)-1].body
		start, _ := body["startAt"].(float64)

		// Fewer than asked for: its own limit.
		reply(w, 200, fmt.Sprintf(`{"startAt":%v,"maxResults":2,"total":5,"issues":[%s]}`, start, numbered(int(start), min(int(start)+2, 5))))
	}})

	keys, totals, err := searched(f, t)
	check(t, err)
	same(t, keys, `["A-0","A-1","A-2","A-3","A-4"]`)
	same(t, totals, `[5,5,5]`)
	same(t, f.seen[1].body, `{"jql":"project = A","startAt":0,"maxResults":50,"fields":["project","issuetype","summary","description","status","parent","issuelinks","customfield_10100","labels"]}`)
}

func TestASearchOfServerThatGivesTheWrongPageIsAnError(t *testing.T) {
	f := server(t, routes{"POST /rest/api/2/search": `{"startAt":0,"total":9,"issues":[{"id":"1","key":"A-1","fields":{}}]}`})

	if keys, _, err := searched(f, t); err == nil || len(keys) != 1 {
		t.Errorf("%v %v", keys, err)
	}
}

func TestASearchOfCloudFollowsTokensToTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		pages  []string
		keys   string
		failed bool
	}{
		"a missing token ends it":            {[]string{`"nextPageToken":"a","isLast":false`, `"nextPageToken":"b"`, `"isLast":true`}, `["A-0","A-1","A-2"]`, false},
		"an empty token ends it":             {[]string{`"nextPageToken":"a"`, `"nextPageToken":""`}, `["A-0","A-1"]`, false},
		"isLast alone does not":              {[]string{`"nextPageToken":"a","isLast":true`, `"isLast":true`}, `["A-0","A-1"]`, false},
		"a repeated token is an error":       {[]string{`"nextPageToken":"a"`, `"nextPageToken":"a"`}, `["A-0","A-1"]`, true},
		"a circle of tokens is an error":     {[]string{`"nextPageToken":"a"`, `"nextPageToken":"b"`, `"nextPageToken":"a"`}, `["A-0","A-1","A-2"]`, true},
		"a repeated one on the last page":    {[]string{`"nextPageToken":"a"`, `"nextPageToken":"a","isLast":true`}, `["A-0","A-1"]`, false},
		"a repeated one with an empty page":  {[]string{`"nextPageToken":"a"`, `"empty":1,"nextPageToken":"a"`}, `["A-0"]`, false},
		"an empty page with a new one is no": {[]string{`"empty":1,"nextPageToken":"a"`, `"isLast":true`}, `["A-1"]`, false},
	} {
		t.Run(name, func(t *testing.T) {
			given := 0
			f := cloud(t, routes{"POST /rest/api/3/search/jql": func(w http.ResponseWriter, _ *http.Request) {
				if given >= len(c.pages) {
					t.Error("another page was asked for")
					reply(w, 500, "")

					return
				}

				issues := numbered(given, given+1)
				if strings.Contains(c.pages[given], `"empty"`) {
					issues = ""
				}

				reply(w, 200, `{"issues":[`+issues+`],`+c.pages[given]+`}`)
				given++
			}})

			keys, _, err := searched(f, t)
			same(t, keys, c.keys)

			if (err != nil) != c.failed {
				t.Errorf("%v", err)
			}

			if given == 2 && f.seen[len(f.seen)-1].body["nextPageToken"] != "a" {
				t.Errorf("asked with %v", f.seen[len(f.seen)-1].body)
			}
		})
	}
}

func TestToGoOnAfterAnErrorAsksForTheSamePageAgain(t *testing.T) {
	for name, connected := range map[string]func(*testing.T, routes) *fake{"server": server, "cloud": cloud} {
		t.Run(name, func(t *testing.T) {
			var f *fake

			// Every other answer is an error.
			calls := 0
			shaky := func(answer func() string) func(http.ResponseWriter, *http.Request) {
				return func(w http.ResponseWriter, _ *http.Request) {
					calls++
					if calls%2 == 1 {
						reply(w, 503, "")
					} else {
						reply(w, 200, answer())
					}
				}
			}
			fields := shaky(func() string { return serverFields })
			page := shaky(func() string {
				body := f.seen[len(f.seen)-1].body
				if body["startAt"] == 1.0 || body["nextPageToken"] == "a" {
					return `{"startAt":1,"total":2,"issues":[` + numbered(1, 2) + `]}`
				}

				return `{"startAt":0,"total":2,"issues":[` + numbered(0, 1) + `],"nextPageToken":"a"}`
			})

			f = connected(t, routes{
				"GET /rest/api/2/field": fields, "GET /rest/api/3/field": fields,
				"POST /rest/api/2/search": page, "POST /rest/api/3/search/jql": page,
			})

			var keys []string

			failures := 0

			for page, err := range f.client.Search(t.Context(), "project = A", 1) {
				if err != nil {
					failures++

					if KindOf(err) != Unknown {
						t.Fatal(err)
					}
				}

				for _, issue := range page.Issues {
					keys = append(keys, issue.Key)
				}
			}

			same(t, keys, `["A-0","A-1"]`)
			same(t, failures, `3`)
		})
	}
}

func TestASearchStopsWhereItsCallerDoes(t *testing.T) {
	f := cloud(t, routes{"POST /rest/api/3/search/jql": `{"issues":[{"id":"1","key":"A-1","fields":{}}],"nextPageToken":"a"}`})

	for _, err := range f.client.Search(t.Context(), "project = A", 1) {
		check(t, err)

		break
	}

	f.only("POST", "/rest/api/3/search/jql")
}

func TestAnyTextIsOneValueInJQL(t *testing.T) {
	for text, want := range map[string]string{
		`AURORA`: `"AURORA"`, `a "b" \c`: `"a \"b\" \\c"`, "a\nb\tc\x00": `"a\u000Ab\u0009c\u0000"`, `a@b.c (d) 'e'`: `"a@b.c (d) 'e'"`, "Спринт": `"Спринт"`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
}

func searched(f *fake, t *testing.T) (keys []string, totals []int, err error) {
	t.Helper()

	for page, err := range f.client.Search(t.Context(), "project = A", 50, "labels") {
		if err != nil {
			return keys, totals, err
		}

		for _, issue := range page.Issues {
			keys = append(keys, issue.Key)
		}

		if page.Total != nil {
			totals = append(totals, *page.Total)
		}
	}

	return keys, totals, nil
}

// numbered are issues A-from to A-(to-1).
func numbered(from, to int) string {
	var issues []string
	for i := from; i < to; i++ {
		issues = append(issues, fmt.Sprintf(`{"id":"%d","key":"A-%d","fields":{}}`, i, i))
	}

	return strings.Join(issues, ",")
}
