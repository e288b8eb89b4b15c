package jira

import (
	"context"
	"fmt"
)

// searchByStart pages as Server and Data Center do.
func (c *Client) searchByStart(ctx context.Context, jql string, pageSize int, reading reading, yield func(Page, error) bool) {
	for start := 0; ; {
		var wire struct {
			StartAt int         `json:"startAt"`
			Total   int         `json:"total"`
			Issues  []wireIssue `json:"issues"`
		}

		ask := func() error {
			err := c.post(ctx, c.api("/search"), map[string]any{
				"jql": jql, "startAt": start, "maxResults": pageSize, "fields": reading.asked,
			}, &wire)
			if err == nil && wire.StartAt != start {
				return wrongPage(wire.StartAt, start)
			}

			return err
		}

		if !insist(ask, yield) || !give(wire.Issues, &wire.Total, reading, yield) {
			return
		}

		start += len(wire.Issues)
		if len(wire.Issues) == 0 || start >= wire.Total {
			return
		}
	}
}

// searchByToken pages as Cloud does: each page names the next one by a token, and the last one names none.
func (c *Client) searchByToken(ctx context.Context, jql string, pageSize int, reading reading, yield func(Page, error) bool) {
	query := map[string]any{"jql": jql, "maxResults": pageSize, "fields": reading.asked}

	for seen := map[string]bool{}; ; {
		var wire struct {
			NextPageToken string      `json:"nextPageToken"`
			IsLast        bool        `json:"isLast"`
			Issues        []wireIssue `json:"issues"`
		}

		ask := func() error { return c.post(ctx, c.api("/search/jql"), query, &wire) }

		if !insist(ask, yield) || !give(wire.Issues, nil, reading, yield) || wire.NextPageToken == "" {
			return
		}

		// Following a token twice gives the same pages for ever. Where Jira says that this is the end, or shows nothing
		// more, it is; else pages are missing.
		if seen[wire.NextPageToken] {
			if !wire.IsLast && len(wire.Issues) > 0 {
				yield(Page{}, fmt.Errorf("searching: Jira named the same next page twice after %d pages", len(seen)+1))
			}

			return
		}

		seen[wire.NextPageToken] = true
		query["nextPageToken"] = wire.NextPageToken
	}
}

// give hands a page on, and tells whether to go on.
func give(wire []wireIssue, total *int, reading reading, yield func(Page, error) bool) bool {
	issues, err := reading.issues(wire)
	if err != nil {
		yield(Page{}, err)

		return false
	}

	return yield(Page{Issues: issues, Total: total}, nil)
}
