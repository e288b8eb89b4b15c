package jira

import (
	"context"
	"fmt"
	"net/http"
)

// LinkType is one type of link with its two words; the same word means that it has no direction.
type LinkType struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Outward string `json:"outward"`
	Inward  string `json:"inward"`
}

// LinkTypes lists the types of links there are.
func (c *Client) LinkTypes(ctx context.Context) ([]LinkType, error) {
	var wire struct {
		IssueLinkTypes []LinkType `json:"issueLinkTypes"`
	}

	if err := c.get(ctx, c.api("/issueLinkType"), nil, &wire); err != nil {
		return nil, fmt.Errorf("reading Jira's types of links: %w", err)
	}

	return wire.IssueLinkTypes, nil
}

// Link makes source the outward end of a link of that type to target: "source blocks target". Jira makes no second
// one of two alike.
func (c *Client) Link(ctx context.Context, linkType, source, target string) error {
	// Jira names the ends by how the other one sees them: the source stands as inwardIssue.
	link := map[string]any{
		"type":         map[string]any{"name": linkType},
		"inwardIssue":  map[string]any{"key": source},
		"outwardIssue": map[string]any{"key": target},
	}

	if err := c.post(ctx, c.api("/issueLink"), link, nil); err != nil {
		return fmt.Errorf("linking %s to %s: %w", source, target, err)
	}

	return nil
}

// DeleteLink takes a link away by its id.
func (c *Client) DeleteLink(ctx context.Context, id string) error {
	if err := c.call(ctx, http.MethodDelete, c.api("/issueLink/%s", id), nil, nil, nil); err != nil {
		return fmt.Errorf("deleting link %s: %w", id, err)
	}

	return nil
}
