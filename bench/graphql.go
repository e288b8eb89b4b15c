package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	claimMutation = `mutation Claim($instance: String) {
  claim(instance: $instance) {
    claim {
      command { id }
      params {
        __typename
        ... on EnsureIssue { tempKey project issueType summary description parent epic fields }
        ... on EnsureFields { key fields }
        ... on EnsureStatus { key path }
        ... on EnsureLink { source target type exclusive }
        ... on EnsureSprint { key sprint }
        ... on EnsureComment { key body }
        ... on Refresh { keys jql }
      }
      pauseSeconds
      delivery
      dedupeKey
    }
    idleReason
  }
}`

	reportMutation = `mutation Report($input: ReportInput!) { report(input: $input) { accepted } }`
)

// client posts GraphQL to one address over a connection that is kept.
type client struct {
	http  *http.Client
	url   string
	token string
}

const answerWithin = 10 * time.Second

func newClient(url, token string) *client {
	return &client{http: &http.Client{Timeout: answerWithin, Transport: &http.Transport{}}, url: url, token: token}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// request is one operation as it is posted.
type request struct {
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables"`
}

// post sends an operation and gives the answer as it came.
func (c *client) post(ctx context.Context, operation request) (answer []byte, err error) {
	body, err := json.Marshal(operation)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}

	posted, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}

	posted.Header.Set("Content-Type", "application/json")
	posted.Header.Set("Authorization", "Bearer "+c.token)

	response, err := c.http.Do(posted)
	if err != nil {
		return nil, fmt.Errorf("post: %w", err)
	}

	defer func() { err = errors.Join(err, response.Body.Close()) }()

	answer, err = io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}

	return answer, wrap("read the answer", err)
}

// claim asks for the next command and gives its id.
func (c *client) claim(ctx context.Context) (string, error) {
	var answer struct {
		Data struct {
			Claim struct {
				Claim *struct {
					Command   struct{ ID string } `json:"command"`
					Params    json.RawMessage     `json:"params"`
					DedupeKey string              `json:"dedupeKey"`
				} `json:"claim"`
			} `json:"claim"`
		} `json:"data"`
	}

	raw, err := c.post(ctx, claimOperation())
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}

	if err != nil {
		return "", fmt.Errorf("claim: %w", err)
	}

	if answer.Data.Claim.Claim == nil {
		return "", fmt.Errorf("claim: %w: %s", errIdle, raw)
	}

	return answer.Data.Claim.Claim.Command.ID, nil
}

// report tells that a command is done.
func (c *client) report(ctx context.Context, command string) error {
	var answer struct {
		Data struct {
			Report struct {
				Accepted bool `json:"accepted"`
			} `json:"report"`
		} `json:"data"`
	}

	raw, err := c.post(ctx, reportOperation(command))
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}

	if err == nil && !answer.Data.Report.Accepted {
		err = fmt.Errorf("not accepted: %s", raw)
	}

	return wrap("report", err)
}

func claimOperation() request {
	return request{Query: claimMutation, Variables: map[string]any{"instance": "bench"}}
}

func reportOperation(command string) request {
	return request{Query: reportMutation, Variables: map[string]any{
		"input": map[string]any{"command": command, "outcome": "DONE", "instance": "bench"},
	}}
}
