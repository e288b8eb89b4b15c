package jira

import (
	"context"
	"fmt"
	"net/url"
)

// CreateScreen lists the fields that can be given when an issue of that type is created, by id. A type that the project
// does not have is an error that names those it has.
func (c *Client) CreateScreen(ctx context.Context, project, issueType string) (map[string]ScreenField, error) {
	fields, err := c.createScreen(ctx, project, issueType)
	if NotFound(err) && !c.server.Cloud() {
		fields, err = c.oldCreateScreen(ctx, project, issueType)
	}

	if err != nil {
		return nil, fmt.Errorf("reading the create screen of %s in %s: %w", issueType, project, err)
	}

	return fields, nil
}

// createScreen asks for one type: Cloud, and Server since 8.4.
func (c *Client) createScreen(ctx context.Context, project, issueType string) (map[string]ScreenField, error) {
	types, err := all[Named](ctx, c, c.api("/issue/createmeta/%s/issuetypes", project), nil, "issueTypes", "values")
	if err != nil {
		return nil, err
	}

	chosen, err := choose(types, issueType)
	if err != nil {
		return nil, err
	}

	wire, err := all[wireScreenField](ctx, c, c.api("/issue/createmeta/%s/issuetypes/%s", project, chosen.ID), nil, "fields", "values")
	if err != nil {
		return nil, err
	}

	fields := make(map[string]ScreenField, len(wire))
	for _, w := range wire {
		fields[w.FieldID] = w.field(w.FieldID)
	}

	return fields, nil
}

// oldCreateScreen asks for all at once, which Server did before 8.4 and no longer does since 9.
func (c *Client) oldCreateScreen(ctx context.Context, project, issueType string) (map[string]ScreenField, error) {
	type wireType struct {
		Named

		Fields map[string]wireScreenField `json:"fields"`
	}

	var wire struct {
		Projects []struct {
			IssueTypes []wireType `json:"issuetypes"`
		} `json:"projects"`
	}

	query := url.Values{"projectKeys": {project}, "expand": {"projects.issuetypes.fields"}}
	if err := c.get(ctx, c.api("/issue/createmeta"), query, &wire); err != nil {
		return nil, err
	}

	var types []Named

	fields := map[string]map[string]wireScreenField{}

	for _, p := range wire.Projects {
		for _, t := range p.IssueTypes {
			types = append(types, t.Named)
			fields[t.ID] = t.Fields
		}
	}

	chosen, err := choose(types, issueType)
	if err != nil {
		return nil, err
	}

	return screenFields(fields[chosen.ID]), nil
}
