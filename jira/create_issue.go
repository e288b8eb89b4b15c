package jira

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// NewIssue is an issue to be created.
type NewIssue struct {
	Project   string
	IssueType string
	Summary   string
	// Description, Parent and Epic may be "": none. On Cloud the epic is the parent, so there only one may be given.
	Description string
	Parent      string
	Epic        string
	// Fields are others, by id or exact name, as EditIssue takes them.
	Fields map[string]any
	// Labels are put beside those among Fields.
	Labels []string
	// Properties are set in the same request: an issue never exists without them.
	Properties map[string]any
}

// Created is an issue that Jira just made.
type Created struct {
	JiraID string `json:"id"`
	Key    string `json:"key"`
}

// CreateIssue creates an issue. After an Unknown error it may exist: look for it before creating another.
func (c *Client) CreateIssue(ctx context.Context, issue NewIssue) (Created, error) {
	fields, err := c.creation(ctx, issue)
	if err != nil {
		return Created{}, fmt.Errorf("creating an issue: %w", err)
	}

	body := map[string]any{"fields": fields}

	if len(issue.Properties) > 0 {
		var properties []map[string]any
		for _, name := range slices.Sorted(maps.Keys(issue.Properties)) {
			properties = append(properties, map[string]any{"key": name, "value": issue.Properties[name]})
		}

		body["properties"] = properties
	}

	var created Created
	if err := c.post(ctx, c.api("/issue"), body, &created); err != nil {
		return Created{}, fmt.Errorf("creating an issue: %w", err)
	}

	if created.Key == "" {
		return Created{}, fmt.Errorf("creating an issue: %w", &Error{Kind: Unknown, Messages: []string{"Jira did not say its key"}})
	}

	return created, nil
}

// creation is what Jira is sent of the fields.
func (c *Client) creation(ctx context.Context, issue NewIssue) (map[string]any, error) {
	values, err := c.values(ctx, issue.Fields)
	if err != nil {
		return nil, err
	}

	values["project"] = map[string]any{"key": issue.Project}
	values["issuetype"] = map[string]any{"name": issue.IssueType}
	values["summary"] = issue.Summary

	if issue.Description != "" {
		values["description"] = c.text(issue.Description)
	}

	if issue.Parent != "" {
		values["parent"] = map[string]any{"key": issue.Parent}
	}

	if issue.Epic != "" {
		if err := c.putInEpic(ctx, values, issue.Epic); err != nil {
			return nil, err
		}
	}

	if len(issue.Labels) > 0 {
		labels, _ := values["labels"].([]any)
		for _, label := range issue.Labels {
			labels = append(labels, label)
		}

		values["labels"] = labels
	}

	return values, nil
}

func (c *Client) putInEpic(ctx context.Context, values map[string]any, epic string) error {
	if c.server.Cloud() {
		if _, taken := values["parent"]; taken {
			return errors.New("on Cloud an issue has one parent: give either a parent or an epic")
		}

		values["parent"] = map[string]any{"key": epic}

		return nil
	}

	known, err := c.known(ctx)
	if err != nil {
		return err
	}

	link, ok := known.EpicLink()
	if !ok {
		return errors.New("this Jira has no Epic Link field")
	}

	values[link.ID] = epic

	return nil
}

// text is a text as this Jira takes it where it keeps rich text.
func (c *Client) text(text string) any {
	if c.server.Cloud() {
		return ToDocument(text)
	}

	return text
}
