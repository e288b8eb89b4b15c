package sim

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const (
	maxSearchPage = 1000
	maxJQLPage    = 100
	maxIDPage     = 5000
)

// lastSearch keeps what the last query found, so that its next page does not look at every issue again.
type lastSearch struct {
	jql        string
	generation int
	found      []*issue
}

// search finds the issues of a query in its order. Problems are values that do not exist; err is what cannot be read.
func (s *store) search(jql string) (found []*issue, problems []string, err error) {
	s.index.catchUp(s.now(), false)

	if s.last.jql == jql && s.last.generation == s.index.generation && s.last.found != nil {
		return s.last.found, nil, nil
	}

	q, err := parseJQL(jql)
	if err != nil {
		return nil, nil, err
	}

	m := &matcher{store: s}

	matches, err := m.test(q.where)
	if err != nil {
		return nil, nil, err
	}

	less, err := s.order(q.order)
	if err != nil {
		return nil, nil, err
	}

	found = []*issue{}

	for _, i := range s.issues {
		if seen := s.index.seen[i.id]; seen != nil && matches(seen) {
			found = append(found, i)
		}
	}

	slices.SortStableFunc(found, less)

	if len(m.problems) == 0 && !m.drifting {
		s.last = lastSearch{jql: jql, generation: s.index.generation, found: found}
	}

	return found, m.problems, nil
}

// order compares as ORDER BY says; the newest come first where it says nothing.
func (s *store) order(by []ordering) (func(a, b *issue) int, error) {
	if len(by) == 0 {
		by = []ordering{{field: "created", desc: true}, {field: "key", desc: true}}
	}

	terms := make([]*term, len(by))

	for at, one := range by {
		t, err := s.term(one.field)
		if err != nil {
			return nil, fmt.Errorf("ordering: %w", err)
		}

		terms[at] = t
	}

	return func(a, b *issue) int {
		for at, t := range terms {
			result := t.compare(a, b)
			if by[at].desc {
				result = -result
			}

			if result != 0 {
				return result
			}
		}

		return 0
	}, nil
}

func (t *term) compare(a, b *issue) int {
	switch {
	case t.key:
		pa, na, _ := splitKey(a.key)
		pb, nb, _ := splitKey(b.key)

		return cmp.Or(strings.Compare(pa, pb), na-nb)
	case t.moment != nil:
		return t.moment(a).Compare(t.moment(b))
	case t.words != nil:
		return strings.Compare(strings.Join(t.words(a), "\x00"), strings.Join(t.words(b), "\x00"))
	default:
		return strings.Compare(t.text(a), t.text(b))
	}
}

// searchSent is a search of either dialect, by GET or by POST.
type searchSent struct {
	JQL        string   `json:"jql"`
	StartAt    int      `json:"startAt"`
	Max        *int     `json:"maxResults"`
	Fields     []string `json:"fields"`
	Properties []string `json:"properties"`
	Expand     any      `json:"expand"`
	Token      string   `json:"nextPageToken"`
	Validate   any      `json:"validateQuery"`
}

func (c *call) searchSent() (searchSent, answer, bool) {
	var sent searchSent

	if c.r.Method == http.MethodPost {
		no, read := c.decode(&sent)

		return sent, no, read
	}

	sent = searchSent{
		JQL: c.query("jql"), Fields: c.values("fields"), Properties: c.values("properties"), Expand: c.query("expand"),
		Token: c.query("nextPageToken"), Validate: c.query("validateQuery"),
	}

	var most int

	sent.StartAt, most = c.page(50, maxIDPage)
	sent.Max = &most

	return sent, answer{}, true
}

func (s searchSent) limit(most int) int {
	if s.Max == nil || *s.Max <= 0 {
		return 50
	}

	return min(*s.Max, most)
}

func (s searchSent) wanted(standard string) wanted {
	return wanted{ids: s.Fields, standard: standard, properties: s.Properties, names: strings.Contains(fmt.Sprint(s.Expand), "names")}
}

// search is Data Center's.
func search(c *call) answer {
	sent, no, read := c.searchSent()
	if !read {
		return no
	}

	found, problems, err := c.store.search(sent.JQL)
	if err != nil {
		return refusedQuery(err)
	}

	shown := object{"expand": "schema,names"}

	if len(problems) > 0 {
		switch fmt.Sprint(sent.Validate) {
		case "warn":
			shown["warningMessages"] = problems
		case "none", "false":
		default:
			return refused(http.StatusBadRequest, problems...)
		}
	}

	start, limit, wanted := max(sent.StartAt, 0), sent.limit(maxSearchPage), sent.wanted(navigableFields)
	shown["startAt"], shown["maxResults"], shown["total"] = start, limit, len(found)
	shown["issues"] = each(cut(found, start, limit), func(i *issue) any { return c.issue(i, wanted) })

	return ok(shown)
}

// searchPage is Cloud's: no total, a token for the next page, and the ids alone unless fields are asked for.
func searchPage(c *call) answer {
	sent, no, read := c.searchSent()
	if !read {
		return no
	}

	q, err := parseJQL(sent.JQL)
	if err != nil {
		return refusedQuery(err)
	}

	if q.where == nil {
		return refused(http.StatusBadRequest, "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.")
	}

	found, problems, err := c.store.search(sent.JQL)
	if err != nil {
		return refusedQuery(err)
	}

	if len(problems) > 0 {
		return refused(http.StatusBadRequest, problems...)
	}

	start, valid := readToken(sent.Token)
	if !valid {
		return refused(http.StatusBadRequest, "The provided next page token is invalid or expired.")
	}

	idsOnly := len(sent.Fields) == 0 || slices.Equal(sent.Fields, []string{"id"})
	limit := sent.limit(maxJQLPage)

	if idsOnly {
		limit = sent.limit(maxIDPage)
	}

	page := cut(found, start, limit)
	shown := object{"isLast": start+len(page) >= len(found), "issues": each(page, func(i *issue) any {
		if idsOnly {
			return object{"id": strconv.Itoa(i.id)}
		}

		return c.issue(i, sent.wanted(navigableFields))
	})}

	if start+len(page) < len(found) {
		shown["nextPageToken"] = pageToken(start + len(page))
	}

	return ok(shown)
}

func pageToken(start int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("page:" + strconv.Itoa(start)))
}

func readToken(token string) (start int, valid bool) {
	if token == "" {
		return 0, true
	}

	decoded, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return 0, false
	}

	written, valid := strings.CutPrefix(string(decoded), "page:")
	start, err = strconv.Atoi(written)

	return start, valid && err == nil && start >= 0
}

func refusedQuery(err error) answer {
	if unread, ok := errors.AsType[*jqlError](err); ok {
		return refused(http.StatusBadRequest, unread.message)
	}

	return refused(http.StatusBadRequest, err.Error())
}

func approximateCount(c *call) answer {
	sent, no, read := c.searchSent()
	if !read {
		return no
	}

	found, problems, err := c.store.search(sent.JQL)
	if err != nil {
		return refusedQuery(err)
	}

	if len(problems) > 0 {
		return refused(http.StatusBadRequest, problems...)
	}

	return ok(object{"count": len(found)})
}

func searchRemoved(*call) answer {
	return refused(http.StatusGone, "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. "+
		"A full migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046")
}
