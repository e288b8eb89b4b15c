package jira

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Kind says what an answer means for whoever asked.
type Kind int

const (
	// TooFast says: wait for RetryAfter; nothing was done.
	TooFast Kind = iota + 1
	// Away says that Jira could not be reached; nothing was done.
	Away
	// Unknown says that there was a time-out, a server error or a cut connection; whether it was done is not known.
	Unknown
	// NotLoggedIn says that Jira does not take the login; every further try can lock the account.
	NotLoggedIn
	// Refused says that Jira understood and said no; nothing was done.
	Refused
	// NotJSON says that a page of a proxy came where Jira's answer was due.
	NotJSON
)

func (k Kind) String() string {
	switch k {
	case TooFast:
		return "too fast"
	case Away:
		return "away"
	case Unknown:
		return "unknown"
	case NotLoggedIn:
		return "not logged in"
	case Refused:
		return "refused"
	case NotJSON:
		return "not JSON"
	default:
		return fmt.Sprintf("Kind(%d)", int(k))
	}
}

// Error is an answer of Jira that is not the one asked for, or none.
type Error struct {
	Kind Kind
	// Status is that of HTTP; 0 where there was no answer.
	Status int
	// RetryAfter is how long to wait where TooFast, at least a second.
	RetryAfter time.Duration
	// Messages are Jira's errorMessages, or what stood in their place: a page's title, a plain text.
	Messages []string
	// Fields are Jira's errors, by field id.
	Fields map[string]string
	// cause is what lies under it, such as the end of the caller's context.
	cause error
}

// Error is the message after the status, as the hub shows it: HTTP 400: summary: ...
func (e *Error) Error() string {
	if e.Status == 0 {
		return e.Message()
	}

	return fmt.Sprintf("HTTP %d: %s", e.Status, e.Message())
}

// Message is what Jira said, in its own words, without the status: its messages a line each, then the fields by id.
func (e *Error) Message() string {
	lines := slices.Clone(e.Messages)
	for _, field := range slices.Sorted(maps.Keys(e.Fields)) {
		lines = append(lines, field+": "+e.Fields[field])
	}

	if len(lines) == 0 {
		lines = append(lines, http.StatusText(e.Status))
	}

	return strings.Join(lines, "\n")
}

func (e *Error) Unwrap() error { return e.cause }

// KindOf is the kind of the Error in err's chain; 0 where there is none.
func KindOf(err error) Kind {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer.Kind
	}

	return 0
}

// NotFound tells whether Jira refused with 404: there is no such thing, or the login may not see it.
func NotFound(err error) bool { return refused(err, http.StatusNotFound) }

// refused tells whether Jira refused with that status.
func refused(err error, status int) bool {
	var answer *Error

	return errors.As(err, &answer) && answer.Kind == Refused && answer.Status == status
}
