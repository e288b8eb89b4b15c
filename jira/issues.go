package jira

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// atOnce is how many issues Cloud gives in one call.
const atOnce = 100

// Issues reads issues by key, with fields as Issue does, and tells which of the keys are not there. One that is missing
// does not spoil the others; one that moved comes under its new key. They come in no given order.
func (c *Client) Issues(ctx context.Context, keys []string, fields ...string) (found []Issue, missing []string, err error) {
	reading, err := c.reading(ctx, fields)
	if err != nil {
		return nil, nil, err
	}

	for group := range slices.Chunk(keys, atOnce) {
		wire, err := c.group(ctx, group, reading)
		if err != nil {
			return nil, nil, fmt.Errorf("reading issues: %w", err)
		}

		issues, err := reading.issues(wire)
		if err != nil {
			return nil, nil, err
		}

		found = append(found, issues...)
	}

	byKey, byID := map[string]bool{}, map[string]bool{}
	for _, issue := range found {
		byKey[issue.Key], byID[issue.JiraID] = true, true
	}

	for _, key := range keys {
		if byKey[key] {
			continue
		}

		// The index may not know it yet, or it moved: only its own address tells.
		issue, err := c.Issue(ctx, key, fields...)

		switch {
		case NotFound(err):
			missing = append(missing, key)
		case err != nil:
			return nil, nil, err
		case !byID[issue.JiraID]:
			byID[issue.JiraID] = true
			found = append(found, issue)
		}
	}

	return found, missing, nil
}

// group asks for issues in one call; what it does not give must be asked for by itself.
func (c *Client) group(ctx context.Context, keys []string, reading reading) ([]wireIssue, error) {
	var wire struct {
		Issues []wireIssue `json:"issues"`
	}

	if c.server.Cloud() {
		err := c.post(ctx, c.api("/issue/bulkfetch"), map[string]any{"issueIdsOrKeys": keys, "fields": reading.asked}, &wire)

		return wire.Issues, err
	}

	quoted := make([]string, len(keys))
	for i, key := range keys {
		quoted[i] = Quote(key)
	}

	// Unvalidated, a key that does not exist is passed over.
	err := c.post(ctx, c.api("/search"), map[string]any{
		"jql": "key in (" + strings.Join(quoted, ", ") + ")", "validateQuery": false,
		"startAt": 0, "maxResults": len(keys), "fields": reading.asked,
	}, &wire)

	// Some versions refuse the whole query all the same.
	if refused(err, http.StatusBadRequest) {
		return nil, nil
	}

	return wire.Issues, err
}
