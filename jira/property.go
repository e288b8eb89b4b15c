package jira

import (
	"context"
	"fmt"
)

// Property reads a property of an issue as encoding/json decodes it; false where it has none of that name.
func (c *Client) Property(ctx context.Context, key, name string) (any, bool, error) {
	var wire struct {
		Value any `json:"value"`
	}

	err := c.get(ctx, c.api("/issue/%s/properties/%s", key, name), nil, &wire)
	if NotFound(err) {
		return nil, false, nil
	}

	if err != nil {
		return nil, false, fmt.Errorf("reading property %s of %s: %w", name, key, err)
	}

	return wire.Value, true, nil
}
