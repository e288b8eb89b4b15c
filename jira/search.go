package jira

import (
	"context"
	"fmt"
	"iter"
)

// Page is a part of what a search found.
type Page struct {
	Issues []Issue
	// Total is how many the whole search finds; nil where Jira does not say (Cloud).
	Total *int
}

// Search gives what a JQL query finds, page by page, each issue with fields as Issue has it. Search indexes lag behind
// writes. After an *Error, to go on asks for the same page again; any other error is the end.
func (c *Client) Search(ctx context.Context, jql string, pageSize int, fields ...string) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		var reading reading

		read := func() (err error) {
			reading, err = c.reading(ctx, fields)

			return err
		}

		if !insist(read, yield) {
			return
		}

		if c.server.Cloud() {
			c.searchByToken(ctx, jql, pageSize, reading, yield)
		} else {
			c.searchByStart(ctx, jql, pageSize, reading, yield)
		}
	}
}

// insist tries until it is done, as long as the caller goes on after the error; false where there is no going on.
func insist(try func() error, yield func(Page, error) bool) bool {
	for {
		err := try()
		if err == nil {
			return true
		}

		if !yield(Page{}, fmt.Errorf("searching: %w", err)) || KindOf(err) == 0 {
			return false
		}
	}
}
