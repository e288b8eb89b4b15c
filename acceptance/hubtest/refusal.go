package hubtest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Refusal is a GraphQL error of the hub.
type Refusal struct {
	Message    string `json:"message"`
	Path       []any  `json:"path"`
	Extensions struct {
		Code     string    `json:"code"`
		Status   int       `json:"status"`
		Problems []Problem `json:"problems"`
	} `json:"extensions"`
}

// Problem is one reason why a batch, a cancel or a retry was refused.
type Problem struct {
	Command  *string `json:"command"`
	Code     string  `json:"code"`
	Message  string  `json:"message"`
	Position *int    `json:"position"`
	Field    *string `json:"field"`
}

// Error names the code, its status and the problems.
func (r *Refusal) Error() string {
	var problems strings.Builder
	for _, problem := range r.Extensions.Problems {
		fmt.Fprintf(&problems, "\n  %s", problem)
	}
	return fmt.Sprintf("%s %d: %s%s", r.Extensions.Code, r.Extensions.Status, r.Message, problems.String())
}

// String is the problem in one line: place, field, code, message.
func (p Problem) String() string {
	place, field := "batch", "-"
	if p.Position != nil {
		place = strconv.Itoa(*p.Position)
	}
	if p.Field != nil {
		field = *p.Field
	}
	return fmt.Sprintf("%s %s %s (%s)", place, field, p.Code, p.Message)
}

// StatusOf is the status that goes with each code of an error.
func StatusOf(code string) int {
	return map[string]int{
		"BAD_REQUEST": 400, "TOO_COMPLEX": 400, "UNAUTHENTICATED": 401, "FORBIDDEN": 403,
		"NOT_FOUND": 404, "CONFLICT": 409, "CURSOR_EXPIRED": 410, "TOO_LARGE": 413,
		"UNPROCESSABLE": 422, "RATE_LIMITED": 429, "INTERNAL": 500, "UNAVAILABLE": 503,
	}[code]
}

// Refused calls an operation that must be refused with the code, its status and
// a message, and returns the problems that the error names.
func (c *Client) Refused(t testing.TB, code, operation string, vars Vars) []Problem {
	t.Helper()
	response, err := c.Send(t.Context(), operation, vars)
	if err != nil {
		t.Fatal(err)
	}
	return response.Refusal(t, code).Extensions.Problems
}

// Refused checks that the response is nothing but an error of the code.
func (r *Response) Refused(t testing.TB, code string) {
	t.Helper()
	_ = r.Refusal(t, code)
}

// Refusal is the response's one error, which must have the code, its status and
// a message.
func (r *Response) Refusal(t testing.TB, code string) *Refusal {
	t.Helper()
	if len(r.Errors) != 1 {
		t.Fatalf("%d errors instead of one %s: %v\ndata: %s", len(r.Errors), code, r.Errors, tail(r.Data))
	}
	refusal := r.Errors[0]
	refusal.check(t, code)
	return refusal
}

func (r *Refusal) check(t testing.TB, code string) {
	t.Helper()
	if r.Extensions.Code != code || r.Extensions.Status != StatusOf(code) {
		t.Fatalf("refused with %s %d, not %s %d: %v", r.Extensions.Code, r.Extensions.Status, code, StatusOf(code), r)
	}
	if strings.TrimSpace(r.Message) == "" {
		t.Fatalf("%s has no message", code)
	}
}

func firstLine(operation string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(operation), "\n")
	return line
}

// short is a value for a reader of a failed test, who does not want a batch of
// ten thousand.
func short(value any) string {
	const most = 2000
	text := fmt.Sprint(value)
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
