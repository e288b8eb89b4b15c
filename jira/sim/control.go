package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Knobs is what GET /_sim/knobs shows and POST /_sim/knobs takes. A post changes what it names and leaves the rest; Clear
// comes first, and the things to do (Moves, Sprints, Reindex) come last.
type Knobs struct {
	Clear bool `json:"clear,omitempty"`

	IndexLagMS    *int  `json:"indexLagMs,omitempty"`
	HoldIndex     *bool `json:"holdIndex,omitempty"`
	CRLF          *bool `json:"crlf,omitempty"`
	StripLineEnds *bool `json:"stripLineEnds,omitempty"`

	Screens     []ScreenField      `json:"screens,omitempty"`
	Resolutions []ForcedResolution `json:"resolutions,omitempty"`
	Rules       []NamedRule        `json:"rules,omitempty"`

	Moves   []Move      `json:"moves,omitempty"`
	Sprints []NewSprint `json:"sprints,omitempty"`
	Reindex bool        `json:"reindex,omitempty"`
}

// NamedRule is a Rule; Does says in a word what it does, where that is one of the usual ones.
type NamedRule struct {
	Rule

	// Does is lost, cut, slow, tooFast, unavailable, loginPage, html, captcha, unauthorized or repeatedToken.
	Does string `json:"does,omitempty"`
	// RetryAfter is the header of tooFast and unavailable; empty: none.
	RetryAfter string `json:"retryAfter,omitempty"`
}

// Move moves an issue to another project.
type Move struct {
	Key     string `json:"key"`
	Project string `json:"project"`
}

// NewSprint is a sprint to make; see AddSprint.
type NewSprint struct {
	Board string `json:"board"`
	Name  string `json:"name"`
	State string `json:"state"`
}

func usual(retryAfter string) map[string]Rule {
	return map[string]Rule{
		"lost": Lost(), "cut": Cut(), "slow": Slow(0), "tooFast": TooFast(retryAfter), "unavailable": Unavailable(retryAfter),
		"loginPage": LoginPage(), "html": HTMLPage(http.StatusBadGateway), "captcha": Captcha(), "unauthorized": Unauthorized(),
		"repeatedToken": RepeatedToken(),
	}
}

// rule puts together what the word means and what else was given.
func (n NamedRule) rule() (Rule, error) {
	if n.Does == "" {
		if n.Answer != nil && (n.Answer.Status < 200 || n.Answer.Status > 599) {
			return Rule{}, fmt.Errorf("an answer's status is between 200 and 599, not %d", n.Answer.Status)
		}

		return n.Rule, nil
	}

	known := usual(n.RetryAfter)

	r, ok := known[n.Does]
	if !ok {
		return Rule{}, fmt.Errorf("a rule does one of %s, not %q", strings.Join(slices.Sorted(maps.Keys(known)), ", "), n.Does)
	}

	if n.Path != "" {
		r.Path = n.Path
	}

	r.Method, r.Skip, r.Calls, r.DelayMS = n.Method, n.Skip, n.Calls, n.DelayMS

	return r, nil
}

// Turn does what a post to /_sim/knobs does. What comes before an error has been done.
func (s *Sim) Turn(k Knobs) error {
	if k.Clear {
		s.Clear()
	}

	s.turnSwitches(k)

	var problems []error

	for _, n := range k.Rules {
		r, err := n.rule()
		if err != nil {
			problems = append(problems, err)

			continue
		}

		s.Add(r)
	}

	for _, f := range k.Screens {
		problems = append(problems, s.SetScreenField(f))
	}

	for _, r := range k.Resolutions {
		problems = append(problems, s.RequireResolution(r))
	}

	for _, m := range k.Moves {
		_, err := s.MoveIssue(m.Key, m.Project)
		problems = append(problems, err)
	}

	for _, n := range k.Sprints {
		_, err := s.AddSprint(n.Board, n.Name, n.State)
		problems = append(problems, err)
	}

	if k.Reindex {
		s.Reindex()
	}

	return errors.Join(problems...)
}

func (s *Sim) turnSwitches(k Knobs) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if k.IndexLagMS != nil {
		s.store.index.lag = time.Duration(max(*k.IndexLagMS, 0)) * time.Millisecond
	}

	for from, to := range map[*bool]*bool{k.HoldIndex: &s.store.index.held, k.CRLF: &s.store.crlf, k.StripLineEnds: &s.store.strip} {
		if from != nil {
			*to = *from
		}
	}
}

// Knobs says how everything stands.
func (s *Sim) Knobs() Knobs {
	rules := s.rules.left()

	s.mu.Lock()
	defer s.mu.Unlock()

	lag, held, crlf, strip := int(s.store.index.lag.Milliseconds()), s.store.index.held, s.store.crlf, s.store.strip
	k := Knobs{
		IndexLagMS: &lag, HoldIndex: &held, CRLF: &crlf, StripLineEnds: &strip,
		Screens: slices.Clone(s.store.screens), Resolutions: slices.Clone(s.store.forced),
	}

	for _, r := range rules {
		k.Rules = append(k.Rules, NamedRule{Rule: r})
	}

	return k
}

// controlRoutes are the knobs and the log. They ask for no login: whoever can reach a simulation may turn them. A page of
// another site cannot, since a post must be JSON, which no form sends.
func (s *Sim) controlRoutes() http.Handler {
	mux := http.NewServeMux()
	say := func(w http.ResponseWriter, status int, body any) { write(w, answer{status: status, body: body}) }

	mux.HandleFunc("GET /_sim/knobs", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, s.Knobs()) })
	mux.HandleFunc("GET /_sim/log", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, s.Writes()) })
	mux.HandleFunc("GET /_sim/style.css", style)
	mux.HandleFunc("POST /_sim/knobs", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			say(w, http.StatusUnsupportedMediaType, object{"error": "send the knobs as application/json"})

			return
		}

		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
		decoder.DisallowUnknownFields()

		var k Knobs

		err := decoder.Decode(&k)
		if err == nil {
			err = s.Turn(k)
		}

		if err != nil {
			say(w, http.StatusBadRequest, object{"error": err.Error()})

			return
		}

		say(w, http.StatusOK, s.Knobs())
	})

	return mux
}
