package sim

import (
	"context"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Rule is trouble for calls that match it. The oldest matching rule acts, and only that one.
type Rule struct {
	// Method is GET, POST, PUT or DELETE; empty: any.
	Method string `json:"method,omitempty"`
	// Path matches the call's path, part by part as path.Match does (* is one part or a piece of it); a last ** is all that
	// follows. Empty: any path of the API.
	Path string `json:"path,omitempty"`
	// Skip is how many matching calls pass first.
	Skip int `json:"skip,omitempty"`
	// Calls is on how many calls it acts then; 0: on all, for good.
	Calls int `json:"calls,omitempty"`

	// DelayMS is waited first, in milliseconds; also alone, for an answer that is only slow.
	DelayMS int `json:"delayMs,omitempty"`
	// Answer is given instead of Jira's own.
	Answer *Answer `json:"answer,omitempty"`
	// Cut closes the connection without an answer.
	Cut bool `json:"cut,omitempty"`
	// After lets Jira do what is asked of it before the Answer or the Cut: the work is done and nobody hears of it.
	After bool `json:"after,omitempty"`
	// RepeatToken gives a page of a search the token that it was asked for with, as if there were always one more.
	RepeatToken bool `json:"repeatToken,omitempty"`
}

// Answer is a fixed answer.
type Answer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers,omitempty"`
	// Body is a text, sent as it is, or anything else, sent as JSON; nil: no body.
	Body any `json:"body,omitempty"`
}

// wait lets the rule's delay pass; false: the caller went away.
func (r Rule) wait(ctx context.Context) bool {
	if r.DelayMS <= 0 {
		return true
	}

	timer := time.NewTimer(time.Duration(r.DelayMS) * time.Millisecond)
	defer timer.Stop()

	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// instead tells whether Jira does not get to see the call.
func (r Rule) instead() bool { return !r.After && (r.Cut || r.Answer != nil) }

func (r Rule) answer(w http.ResponseWriter) {
	if r.Cut || r.Answer == nil {
		panic(http.ErrAbortHandler) // the server's own way to close a connection
	}

	given := answer{status: r.Answer.Status, header: r.Answer.Headers}

	switch body := r.Answer.Body.(type) {
	case nil:
	case string:
		given.body = raw(body)
	default:
		given.body = body
	}

	write(w, given)
}

func (r Rule) matches(method, called string) bool {
	if r.Method != "" && !strings.EqualFold(r.Method, method) {
		return false
	}

	if r.Path == "" {
		return true
	}

	pattern, parts := strings.Split(r.Path, "/"), strings.Split(called, "/")
	if pattern[len(pattern)-1] == "**" {
		pattern = pattern[:len(pattern)-1]
		parts = parts[:min(len(parts), len(pattern))]
	}

	return len(pattern) == len(parts) && allMatch(pattern, parts)
}

func allMatch(pattern, parts []string) bool {
	for at := range pattern {
		if fits, err := path.Match(pattern[at], parts[at]); err != nil || !fits {
			return false
		}
	}

	return true
}

// rules are those that are in force. They have a lock of their own: a slow rule must not hold the store.
type rules struct {
	mu   sync.Mutex
	list []*counted
}

// counted is a rule and what is left of it.
type counted struct {
	Rule

	skip, left int
}

// maxRules bounds how many are in force at once.
const maxRules = 1000

func (r *rules) add(rule Rule) func() {
	r.mu.Lock()
	defer r.mu.Unlock()

	one := &counted{Rule: rule, skip: rule.Skip, left: rule.Calls}
	r.list = append(r.list, one)
	r.list = r.list[max(0, len(r.list)-maxRules):]

	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()

		r.list = slices.DeleteFunc(r.list, func(other *counted) bool { return other == one })
	}
}

// take is the rule that acts on a call, or one that does nothing.
func (r *rules) take(method, called string) Rule {
	r.mu.Lock()
	defer r.mu.Unlock()

	for at, one := range r.list {
		if !one.matches(method, called) {
			continue
		}

		if one.skip > 0 {
			one.skip--

			continue
		}

		if one.Calls > 0 {
			if one.left--; one.left == 0 {
				r.list = slices.Delete(r.list, at, at+1)
			}
		}

		return one.Rule
	}

	return Rule{}
}

// left are the rules in force, with what is left of them.
func (r *rules) left() []Rule {
	r.mu.Lock()
	defer r.mu.Unlock()

	left := make([]Rule, len(r.list))
	for at, one := range r.list {
		left[at] = one.Rule
		left[at].Skip, left[at].Calls = one.skip, one.left
	}

	return left
}

func (r *rules) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.list = nil
}
