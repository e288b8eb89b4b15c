package jira

import (
	"context"
	"fmt"
	"net/http"
)

// EditIssue sets fields, by id or exact name. A value is null to clear one, a text, number, boolean, a list of those,
// or a raw object of Jira's; a text stands for the user, option, version or issue of that name, key or account id.
func (c *Client) EditIssue(ctx context.Context, key string, fields map[string]any) error {
	values, err := c.values(ctx, fields)
	if err != nil {
		return fmt.Errorf("editing issue %s: %w", key, err)
	}

	err = c.call(ctx, http.MethodPut, c.api("/issue/%s", key), nil, map[string]any{"fields": values}, nil)
	if err != nil {
		return fmt.Errorf("editing issue %s: %w", key, err)
	}

	return nil
}
