package jira

import (
	"context"
	"fmt"
)

// Project is a project that the login sees.
type Project struct {
	ID   string `json:"id"`
	Key  string `json:"key"`
	Name string `json:"name"`
}

// IssueType is a type of issues in a project, with the statuses of its workflow.
type IssueType struct {
	ID       string
	Name     string
	Subtask  bool
	Statuses []string
}

// Projects lists the projects there are, through all pages.
func (c *Client) Projects(ctx context.Context) ([]Project, error) {
	var (
		projects []Project
		err      error
	)

	if c.server.Cloud() {
		projects, err = all[Project](ctx, c, c.api("/project/search"), nil, "values")
	} else {
		err = c.get(ctx, c.api("/project"), nil, &projects)
	}

	if err != nil {
		return nil, fmt.Errorf("reading Jira's projects: %w", err)
	}

	return projects, nil
}

// IssueTypes lists a project's types of issues.
func (c *Client) IssueTypes(ctx context.Context, project string) ([]IssueType, error) {
	var wire []struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Subtask  bool   `json:"subtask"`
		Statuses []struct {
			Name string `json:"name"`
		} `json:"statuses"`
	}

	if err := c.get(ctx, c.api("/project/%s/statuses", project), nil, &wire); err != nil {
		return nil, fmt.Errorf("reading the types and statuses of %s: %w", project, err)
	}

	types := make([]IssueType, len(wire))
	for i, w := range wire {
		types[i] = IssueType{ID: w.ID, Name: w.Name, Subtask: w.Subtask}
		for _, status := range w.Statuses {
			types[i].Statuses = append(types[i].Statuses, status.Name)
		}
	}

	return types, nil
}
