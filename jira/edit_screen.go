package jira

import (
	"context"
	"fmt"
)

// EditScreen lists the fields of an issue that can be edited, by id.
func (c *Client) EditScreen(ctx context.Context, key string) (map[string]ScreenField, error) {
	var wire struct {
		Fields map[string]wireScreenField `json:"fields"`
	}

	if err := c.get(ctx, c.api("/issue/%s/editmeta", key), nil, &wire); err != nil {
		return nil, fmt.Errorf("reading the edit screen of %s: %w", key, err)
	}

	return screenFields(wire.Fields), nil
}
