package hubtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// Vars are an operation's variables, or an input object of them.
type Vars = map[string]any

// Client calls the hub with one token.
type Client struct {
	// Name is the token's.
	Name string
	// Token may be empty: then the call carries none.
	Token string

	hub *Hub
}

// Stranger is a caller of the hub with any token, or with none.
func (h *Hub) Stranger(token string) *Client { return &Client{hub: h, Token: token} }

func (c *Client) on(other *Hub) *Client { return &Client{hub: other, Name: c.Name, Token: c.Token} }

// Response is what the hub answered, errors and all.
type Response struct {
	// HTTPStatus is the status line's.
	HTTPStatus int             `json:"-"`
	Data       json.RawMessage `json:"data"`
	Errors     []*Refusal      `json:"errors"`
}

// Send calls one operation. The error says that no GraphQL response came; what
// the hub refused is in the response.
func (c *Client) Send(ctx context.Context, operation string, vars Vars) (*Response, error) {
	body, err := json.Marshal(Vars{"query": operation, "variables": vars})
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	return c.SendBody(ctx, body)
}

// SendBody posts a body as it is.
func (c *Client) SendBody(ctx context.Context, body []byte) (*Response, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, c.hub.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	ask.Header.Set("Content-Type", "application/json")
	ask.Header.Set("Accept", "application/graphql-response+json, application/json;q=0.9")
	if c.Token != "" {
		ask.Header.Set("Authorization", "Bearer "+c.Token)
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return nil, fmt.Errorf("call the hub: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	response := &Response{HTTPStatus: answer.StatusCode}
	if err := json.Unmarshal(said, response); err != nil {
		return nil, fmt.Errorf("read the answer of status %d: %w\n%s", answer.StatusCode, err, tail(said))
	}
	return response, nil
}

// Call calls one operation whose only root field has the alias `answer` and
// returns that field. The error is a *Refusal where the hub refused.
func Call[T any](ctx context.Context, c *Client, operation string, vars Vars) (T, error) {
	var data struct {
		Answer T `json:"answer"`
	}
	response, err := c.Send(ctx, operation, vars)
	if err != nil {
		return data.Answer, err
	}
	if len(response.Errors) > 0 {
		return data.Answer, response.Errors[0]
	}
	if err := json.Unmarshal(response.Data, &data); err != nil {
		return data.Answer, fmt.Errorf("read the answer's data: %w\n%s", err, tail(response.Data))
	}
	return data.Answer, nil
}

// Ask is Call for an operation that must succeed.
func Ask[T any](t testing.TB, c *Client, operation string, vars Vars) T {
	t.Helper()
	answer, err := Call[T](t.Context(), c, operation, vars)
	if err != nil {
		t.Fatalf("%v\nin %s\nwith %v", err, firstLine(operation), short(vars))
	}
	return answer
}
