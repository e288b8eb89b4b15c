package jira

import (
	"context"
	"fmt"
	"net/url"
)

// Issue reads one issue by key, with the given fields besides those that an Issue always has: ids, exact names,
// *all or *navigable. It does not lag behind a write. A moved issue comes under its new key. NotFound tells of one that
// is not there.
func (c *Client) Issue(ctx context.Context, key string, fields ...string) (Issue, error) {
	reading, err := c.reading(ctx, fields)
	if err != nil {
		return Issue{}, err
	}

	var wire wireIssue

	err = c.get(ctx, c.api("/issue/%s", key), url.Values{"fields": {list(reading.asked)}}, &wire)
	if err != nil {
		return Issue{}, fmt.Errorf("reading issue %s: %w", key, err)
	}

	return reading.issue(wire)
}
