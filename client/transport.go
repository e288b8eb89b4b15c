package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/Khan/genqlient/graphql"
)

// maxAnswer bounds how much of an answer is read.
const maxAnswer = 32 << 20

// MakeRequest posts one operation, for the generated functions. Its error is an *Error.
func (c *Client) MakeRequest(ctx context.Context, ask *graphql.Request, into *graphql.Response) error {
	body, err := json.Marshal(ask)
	if err != nil {
		return fmt.Errorf("write %s as JSON: %w", ask.OpName, err)
	}

	post, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask for %s: %w", ask.OpName, err)
	}

	post.Header.Set("Authorization", "Bearer "+c.token)
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Accept", "application/graphql-response+json, application/json;q=0.9")
	post.Header.Set("User-Agent", c.userAgent)

	answer, err := c.http.Do(post)
	if err != nil {
		return &Error{Code: Unreachable, Message: err.Error(), cause: err}
	}

	defer func() { _ = answer.Body.Close() }()

	// To its end, or the connection cannot be used again.
	said, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return &Error{Code: Unreachable, Message: err.Error(), cause: err}
	}

	return read(answer, said, into)
}

// answered is a GraphQL response as far as its errors go.
type answered struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string `json:"message"`
		Extensions struct {
			Code   Code `json:"code"`
			Status int  `json:"status"`
		} `json:"extensions"`
	} `json:"errors"`
}

func read(answer *http.Response, said []byte, into *graphql.Response) error {
	var response answered
	if err := json.Unmarshal(said, &response); err != nil || response.Data == nil && len(response.Errors) == 0 {
		return &Error{
			Code: NoHub, Status: answer.StatusCode, RetryAfter: retryAfter(answer),
			Message: fmt.Sprintf("no GraphQL answer but %s", describe(answer)),
		}
	}

	if len(response.Errors) > 0 {
		first := response.Errors[0]

		failure := &Error{
			Code: first.Extensions.Code, Status: first.Extensions.Status, Message: first.Message, RetryAfter: retryAfter(answer),
		}
		if failure.Code == "" {
			failure.Code = NoHub
		}

		if failure.Status == 0 {
			failure.Status = answer.StatusCode
		}

		return failure
	}

	if err := json.Unmarshal(response.Data, into.Data); err != nil {
		return &Error{
			Code: NoHub, Status: answer.StatusCode, cause: err,
			Message: fmt.Sprintf("an answer of another contract: %v", err),
		}
	}

	return nil
}

// describe says what kind of answer it is without its content, which may be a whole page.
func describe(answer *http.Response) string {
	kind := answer.Header.Get("Content-Type")
	if kind == "" {
		kind = "something without a type"
	}

	return kind
}

// retryAfter reads the header in seconds; the hub writes it so.
func retryAfter(answer *http.Response) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(answer.Header.Get("Retry-After")))
	if err != nil || seconds < 0 || seconds > 24*60*60 {
		return 0
	}

	return time.Duration(seconds) * time.Second
}
