package jira

import (
	"context"
	"fmt"
	"net/url"
)

// Transition is a way from an issue's present status to another.
type Transition struct {
	ID   string
	Name string
	// To is the name of the status it leads to.
	To string
	// Fields are those on its screen, by id; none where it has no screen.
	Fields map[string]ScreenField
}

// Transitions lists the ways that are open to this login from the present status, in Jira's order.
func (c *Client) Transitions(ctx context.Context, key string) ([]Transition, error) {
	var wire struct {
		Transitions []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
			To   struct {
				Name string `json:"name"`
			} `json:"to"`
			Fields map[string]wireScreenField `json:"fields"`
		} `json:"transitions"`
	}

	err := c.get(ctx, c.api("/issue/%s/transitions", key), url.Values{"expand": {"transitions.fields"}}, &wire)
	if err != nil {
		return nil, fmt.Errorf("reading the transitions of %s: %w", key, err)
	}

	transitions := make([]Transition, len(wire.Transitions))
	for i, w := range wire.Transitions {
		transitions[i] = Transition{ID: w.ID, Name: w.Name, To: w.To.Name, Fields: screenFields(w.Fields)}
	}

	return transitions, nil
}

// DoTransition takes an issue along a transition, with fields as EditIssue takes them, if any.
func (c *Client) DoTransition(ctx context.Context, key, id string, fields map[string]any) error {
	body := map[string]any{"transition": map[string]any{"id": id}}

	if len(fields) > 0 {
		values, err := c.values(ctx, fields)
		if err != nil {
			return fmt.Errorf("moving %s on: %w", key, err)
		}

		body["fields"] = values
	}

	if err := c.post(ctx, c.api("/issue/%s/transitions", key), body, nil); err != nil {
		return fmt.Errorf("moving %s on: %w", key, err)
	}

	return nil
}
