package jira

import (
	"context"
	"fmt"
	"net/url"
)

// Comment is a comment of an issue, as plain text.
type Comment struct {
	ID     string
	Author User
	Body   string
}

type wireComment struct {
	ID     string `json:"id"`
	Author User   `json:"author"`
	Body   any    `json:"body"`
}

func (w wireComment) comment() Comment {
	body, _ := plain(w.Body).(string)

	return Comment{ID: w.ID, Author: w.Author, Body: body}
}

// Comments lists an issue's comments that this login sees, through all pages.
func (c *Client) Comments(ctx context.Context, key string) ([]Comment, error) {
	wire, err := all[wireComment](ctx, c, c.api("/issue/%s/comment", key), url.Values{}, "comments")
	if err != nil {
		return nil, fmt.Errorf("reading the comments of %s: %w", key, err)
	}

	comments := make([]Comment, len(wire))
	for i, w := range wire {
		comments[i] = w.comment()
	}

	return comments, nil
}

// AddComment comments on an issue.
func (c *Client) AddComment(ctx context.Context, key, body string) (Comment, error) {
	var wire wireComment
	if err := c.post(ctx, c.api("/issue/%s/comment", key), map[string]any{"body": c.text(body)}, &wire); err != nil {
		return Comment{}, fmt.Errorf("commenting on %s: %w", key, err)
	}

	return wire.comment(), nil
}
