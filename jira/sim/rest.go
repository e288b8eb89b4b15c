package sim

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// maxBody bounds what one call may send.
const maxBody = 4 << 20

// ServeHTTP answers Jira's API, and people.
func (s *Sim) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/rest/"):
		s.rest(w, r)
	case strings.HasPrefix(r.URL.Path, "/_sim/"):
		s.control.ServeHTTP(w, r)
	default:
		s.page(w, r)
	}
}

// rest answers one call of the API: first the knobs have their way, then the login is looked at.
func (s *Sim) rest(w http.ResponseWriter, r *http.Request) {
	rule := s.rules.take(r.Method, r.URL.Path)

	if !rule.wait(r.Context()) {
		return
	}

	if rule.instead() {
		rule.answer(w)

		return
	}

	sent, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		write(w, refused(http.StatusRequestEntityTooLarge, "The request is too large."))

		return
	}

	c := &call{sim: s, r: r, body: sent, base: s.base(r), api: s.api()}
	c.entry = Write{Method: r.Method, Path: r.URL.Path, Lost: rule.After}

	given := s.answer(c)
	if rule.RepeatToken {
		given.repeatToken(c)
	}

	s.record(c.entry, given.status)

	if rule.After {
		rule.answer(w)

		return
	}

	write(w, given.signed())
}

// answer says what Jira says to a call that reaches it.
func (s *Sim) answer(c *call) answer {
	s.mu.Lock()
	defer s.mu.Unlock()

	c.store = s.store

	if denied, ok := s.login(c.r); !ok {
		return denied
	}

	if forged(c.r) {
		return answer{status: http.StatusForbidden, body: raw("XSRF check failed")}
	}

	routes := s.routes
	if strings.HasPrefix(c.r.URL.Path, c.api+"/issue/createmeta/") {
		routes = s.meta
	}

	reached := &reached{call: c}
	routes.ServeHTTP(reached, c.r)

	if reached.answered {
		return reached.answer
	}

	return refused(max(reached.status, http.StatusNotFound), "null for uri: "+c.base+c.r.URL.Path)
}

// raw is a body that is no JSON.
type raw string

// reached carries a call through a ServeMux to its handler, and the answer back.
type reached struct {
	call     *call
	answer   answer
	answered bool
	status   int // ServeMux' own, where no handler was reached
}

func (r *reached) Header() http.Header            { return http.Header{} }
func (r *reached) Write(body []byte) (int, error) { return len(body), nil }
func (r *reached) WriteHeader(status int)         { r.status = status }
func (h handler) serve(w http.ResponseWriter, r *http.Request) {
	if at, ok := w.(*reached); ok {
		at.call.r = r // with its path values
		at.answer, at.answered = h(at.call), true
	}
}

// forged is what Jira takes for a browser led astray: a write with a browser's name and without the header that no form
// can send.
func forged(r *http.Request) bool {
	return r.Method != http.MethodGet && strings.HasPrefix(r.UserAgent(), "Mozilla/") && r.Header.Get("X-Atlassian-Token") != "no-check"
}

func write(w http.ResponseWriter, a answer) {
	var body bytes.Buffer

	switch given := a.body.(type) {
	case nil:
	case raw:
		w.Header().Set("Content-Type", "text/html;charset=UTF-8")
		body.WriteString(string(given))
	default:
		w.Header().Set("Content-Type", "application/json;charset=UTF-8")

		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false)

		if err := encoder.Encode(given); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)

			return
		}
	}

	if a.status != http.StatusNoContent {
		w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	}

	for name, value := range a.header {
		w.Header().Set(name, value)
	}

	w.WriteHeader(a.status)
	_, _ = w.Write(body.Bytes()) // a caller who is gone is the caller's affair
}

// signed adds the headers that Jira itself puts on everything; a proxy's page has none of them.
func (a answer) signed() answer {
	headers := map[string]string{
		"X-Arequestid": "1x1x1", "X-Seraph-Loginreason": "OK", "Cache-Control": "no-cache, no-store, no-transform",
	}
	maps.Copy(headers, a.header)
	a.header = headers

	return a
}

func (s *Sim) api() string {
	if s.config.Dialect == Cloud {
		return "/rest/api/3"
	}

	return "/rest/api/2"
}

func (s *Sim) base(r *http.Request) string {
	if s.config.BaseURL != "" {
		return strings.TrimSuffix(s.config.BaseURL, "/")
	}

	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}

	return scheme + "://" + r.Host
}
