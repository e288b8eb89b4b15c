package jira

import (
	"context"
	"iter"
)

// Page is a part of what a search found.
type Page struct {
	Issues []Issue
	// Total is how many the whole search finds; nil where Jira does not say (Cloud).
	Total *int
}

// Search gives what a JQL query finds, page by page, each issue with fields as Issue has it. Search indexes lag behind
// writes. It ends after the first error.
func (c *Client) Search(ctx context.Context, jql string, pageSize int, fields ...string) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		reading, err := c.reading(ctx, fields)
		if err != nil {
			yield(Page{}, err)

			return
		}

		if c.server.Cloud() {
			c.searchByToken(ctx, jql, pageSize, reading, yield)
		} else {
			c.searchByStart(ctx, jql, pageSize, reading, yield)
		}
	}
}
