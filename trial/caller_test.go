package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// vars are an operation's variables, or an object among them.
type vars = map[string]any

// list is a list among an operation's variables.
type list = []any

// caller calls the hub with one token, and keeps its connections to itself.
type caller struct {
	// url is the hub's, without a path.
	url string
	// name is the token's.
	name string
	// token may be empty: then the call carries none.
	token string

	http *http.Client
}

func newCaller(url, name, token string) *caller {
	return &caller{url: url, name: name, token: token, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 400}}}
}

// as is the same caller, over the same connections, with another token.
func (c *caller) as(token string) *caller {
	other := *c
	other.token = token

	return &other
}

// at is the same caller, over the same connections, at another hub.
func (c *caller) at(url string) *caller {
	other := *c
	other.url = url

	return &other
}

// close gives up the connections that are kept for later calls.
func (c *caller) close() { c.http.CloseIdleConnections() }

// refusal is an error that the hub answered with.
type refusal struct {
	Message    string `json:"message"`
	Extensions struct {
		Code     string          `json:"code"`
		Status   int             `json:"status"`
		Problems json.RawMessage `json:"problems"`
	} `json:"extensions"`
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s %d: %s %s", r.Extensions.Code, r.Extensions.Status, r.Message, r.Extensions.Problems)
}

// codeOf is the code of a refusal, codeOK of no error, and codeNone where nothing of the contract was answered.
func codeOf(err error) string {
	var refused *refusal

	switch {
	case err == nil:
		return codeOK
	case errors.As(err, &refused):
		return refused.Extensions.Code
	default:
		return codeNone
	}
}

// The codes of an answer. The first two are none of the contract.
const (
	codeOK              = "OK"
	codeNone            = "NO_ANSWER"
	codeBadRequest      = "BAD_REQUEST"
	codeTooComplex      = "TOO_COMPLEX"
	codeUnauthenticated = "UNAUTHENTICATED"
	codeForbidden       = "FORBIDDEN"
	codeNotFound        = "NOT_FOUND"
	codeConflict        = "CONFLICT"
	codeCursorExpired   = "CURSOR_EXPIRED"
	codeTooLarge        = "TOO_LARGE"
	codeUnprocessable   = "UNPROCESSABLE"
	codeRateLimited     = "RATE_LIMITED"
	codeInternal        = "INTERNAL"
	codeUnavailable     = "UNAVAILABLE"
)

// statusOf is the status that goes with each code.
func statusOf(code string) int {
	return map[string]int{
		codeBadRequest: 400, codeTooComplex: 400, codeUnauthenticated: 401, codeForbidden: 403, codeNotFound: 404,
		codeConflict: 409, codeCursorExpired: 410, codeTooLarge: 413, codeUnprocessable: 422, codeRateLimited: 429,
		codeInternal: 500, codeUnavailable: 503,
	}[code]
}

// ask calls one operation, whose only root field has the alias `answer`, and reads that field into a pointer (nil: it
// is not looked at). The error is a *refusal where the hub refused, and anything else where no answer of its came.
func (c *caller) ask(ctx context.Context, operation string, variables vars, into any) error {
	body, err := json.Marshal(vars{"query": operation, "variables": variables})
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}

	answer, err := c.post(ctx, body)
	if err != nil {
		return err
	}

	return answer.read(into)
}

// response is what the hub answered. Header is there for what stands beside the body.
type response struct {
	Header http.Header     `json:"-"`
	Data   json.RawMessage `json:"data"`
	Errors []*refusal      `json:"errors"`
}

func (c *caller) post(ctx context.Context, body []byte) (*response, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}

	ask.Header.Set("Content-Type", "application/json")
	ask.Header.Set("Accept", "application/graphql-response+json")

	if c.token != "" {
		ask.Header.Set("Authorization", "Bearer "+c.token)
	}

	got, err := c.http.Do(ask)
	if err != nil {
		return nil, fmt.Errorf("call the hub: %w", err)
	}
	defer got.Body.Close() //nolint:errcheck // it was read to its end

	text, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}

	answer := &response{Header: got.Header}
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, fmt.Errorf("status %d came with something that is no answer: %w\n%.2000s", got.StatusCode, err, text)
	}

	return answer, nil
}

// read gives the answer's root field, or the first of its errors, which must be one of the contract.
func (r *response) read(into any) error {
	if len(r.Errors) > 0 {
		return r.Errors[0].checked()
	}

	if into == nil {
		return nil
	}

	var data struct {
		Answer json.RawMessage `json:"answer"`
	}

	if err := json.Unmarshal(r.Data, &data); err != nil {
		return fmt.Errorf("read the answer: %w\n%.2000s", err, r.Data)
	}

	if err := json.Unmarshal(data.Answer, into); err != nil {
		return fmt.Errorf("read the answer: %w\n%.2000s", err, data.Answer)
	}

	return nil
}

func (r *refusal) checked() error {
	if status := statusOf(r.Extensions.Code); status == 0 || status != r.Extensions.Status || strings.TrimSpace(r.Message) == "" {
		return fmt.Errorf("an error that is none of the contract: code %q, status %d, message %q",
			r.Extensions.Code, r.Extensions.Status, r.Message)
	}

	return r
}
