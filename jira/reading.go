package jira

import (
	"context"
	"strings"
)

// reading is what one read of issues asks for, and how its answers become issues.
type reading struct {
	asked  []string
	wanted map[string]bool
	all    bool
	sprint string
}

// always are the fields that an Issue is made of.
func always() []string {
	return []string{"project", "issuetype", "summary", "description", "status", "parent", "issuelinks"}
}

// own tells whether an Issue has a member for the field, so that it does not stand among Fields.
func own(id string) bool {
	switch id {
	case "summary", "description", "status", "parent", "issuelinks":
		return true
	default:
		return false
	}
}

func (c *Client) reading(ctx context.Context, fields []string) (reading, error) {
	known, err := c.known(ctx)
	if err != nil {
		return reading{}, err
	}

	r := reading{asked: always(), wanted: map[string]bool{}}

	if sprint, ok := known.Sprint(); ok {
		r.sprint = sprint.ID
		r.asked = append(r.asked, sprint.ID)
	}

	for _, name := range fields {
		if strings.HasPrefix(name, "*") {
			r.all = true
			r.asked = append(r.asked, name)

			continue
		}

		if strings.HasPrefix(name, "-") {
			r.asked = append(r.asked, name)

			continue
		}

		field, err := known.Find(name)
		if err != nil {
			return reading{}, err
		}

		r.wanted[field.ID] = true
		r.asked = append(r.asked, field.ID)
	}

	return r, nil
}
