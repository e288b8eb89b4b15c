package jira

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Field is one field of Jira.
type Field struct {
	ID   string
	Name string
	// Type is the schema's type, such as string, user, array; Items is what an array is of.
	Type  string
	Items string
	// Custom is the schema's custom type, such as com.pyxis.greenhopper.jira:gh-sprint; "" for Jira's own fields.
	Custom string
}

// Schema is the type in one word, the custom one where there is one.
func (f Field) Schema() string {
	if f.Custom != "" {
		return f.Custom
	}

	return f.Type
}

// Fields are the fields that this login sees.
type Fields struct{ all []Field }

const (
	sprintSchema   = "com.pyxis.greenhopper.jira:gh-sprint"
	epicLinkSchema = "com.pyxis.greenhopper.jira:gh-epic-link"
	epicNameSchema = "com.pyxis.greenhopper.jira:gh-epic-label"
	textAreaSchema = "com.atlassian.jira.plugin.system.customfieldtypes:textarea"
)

// Fields reads the fields anew. The client keeps what it read last for translating names and values.
func (c *Client) Fields(ctx context.Context) (*Fields, error) {
	var wire []struct {
		ID     string     `json:"id"`
		Name   string     `json:"name"`
		Schema wireSchema `json:"schema"`
	}

	if err := c.get(ctx, c.api("/field"), nil, &wire); err != nil {
		return nil, fmt.Errorf("reading Jira's fields: %w", err)
	}

	fields := &Fields{}

	for _, w := range wire {
		fields.all = append(fields.all, Field{ID: w.ID, Name: w.Name, Type: w.Schema.Type, Items: w.Schema.Items, Custom: w.Schema.Custom})
	}

	slices.SortFunc(fields.all, func(a, b Field) int { return strings.Compare(a.ID, b.ID) })

	c.mu.Lock()
	defer c.mu.Unlock()

	c.fields = fields

	return fields, nil
}

// known gives the fields as they were last read, and reads them where they never were.
func (c *Client) known(ctx context.Context) (*Fields, error) {
	c.mu.Lock()
	fields := c.fields
	c.mu.Unlock()

	if fields != nil {
		return fields, nil
	}

	return c.Fields(ctx)
}

type wireSchema struct {
	Type   string `json:"type"`
	Items  string `json:"items"`
	Custom string `json:"custom"`
}

// All lists them by id.
func (f *Fields) All() []Field { return slices.Clone(f.all) }

// Find gives the field with that id or else that exact name; `sprint` is the sprint field unless another has that id
// or name. A name that several fields bear is an error that names their ids.
func (f *Fields) Find(idOrName string) (Field, error) {
	var named []Field

	for _, field := range f.all {
		if field.ID == idOrName {
			return field, nil
		}

		if field.Name == idOrName {
			named = append(named, field)
		}
	}

	switch {
	case idOrName == "parent" && len(named) == 0:
		// Server takes it and does not list it.
		return Field{ID: "parent", Name: "Parent", Type: "issuelink"}, nil
	case len(named) == 1:
		return named[0], nil
	case len(named) > 1:
		ids := make([]string, len(named))
		for i, field := range named {
			ids[i] = field.ID
		}

		return Field{}, fmt.Errorf("several fields are called %q: %s; name one by its id", idOrName, strings.Join(ids, ", "))
	}

	if sprint, ok := f.Sprint(); ok && idOrName == "sprint" {
		return sprint, nil
	}

	return Field{}, fmt.Errorf("Jira has no field %q, or this login does not see it", idOrName) //nolint:staticcheck // a name
}

// Sprint is the field that holds an issue's sprints; false where Jira has none.
func (f *Fields) Sprint() (Field, bool) { return f.bySchema(sprintSchema) }

// EpicLink is the field that holds the epic of an issue on Server and Data Center; false where Jira has none.
func (f *Fields) EpicLink() (Field, bool) { return f.bySchema(epicLinkSchema) }

// EpicName is the field that holds an epic's short name on Server and Data Center; false where Jira has none.
func (f *Fields) EpicName() (Field, bool) { return f.bySchema(epicNameSchema) }

func (f *Fields) bySchema(custom string) (Field, bool) {
	for _, field := range f.all {
		if field.Custom == custom {
			return field, true
		}
	}

	return Field{}, false
}
