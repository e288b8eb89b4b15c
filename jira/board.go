package jira

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Board is a board of a project.
type Board struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Type is scrum, kanban or, of a team-managed project, simple.
	Type string `json:"type"`
}

// Boards lists the boards that show a project, through all pages.
func (c *Client) Boards(ctx context.Context, project string) ([]Board, error) {
	query := url.Values{"projectKeyOrId": {project}}

	boards, err := all[Board](ctx, c, agile("/board"), query, "values")
	if err != nil {
		return nil, fmt.Errorf("reading the boards of %s: %w", project, err)
	}

	return boards, nil
}

// Sprints lists the sprints of a board in the given states (active, future, closed), through all pages; none where the
// board has no sprints at all.
func (c *Client) Sprints(ctx context.Context, board Board, states ...string) ([]Sprint, error) {
	if board.Type == "kanban" {
		return nil, nil
	}

	type wireSprint struct {
		ID            int64  `json:"id"`
		Name          string `json:"name"`
		State         string `json:"state"`
		OriginBoardID int64  `json:"originBoardId"`
	}

	wire, err := all[wireSprint](ctx, c, agile("/board/%s/sprint", id(board.ID)), url.Values{"state": {list(states)}}, "values")
	if err != nil {
		// "The board does not support sprints", in the language of the login.
		if refused(err, http.StatusBadRequest) {
			return nil, nil
		}

		return nil, fmt.Errorf("reading the sprints of board %q: %w", board.Name, err)
	}

	sprints := make([]Sprint, len(wire))
	for i, w := range wire {
		sprints[i] = Sprint{ID: w.ID, Name: w.Name, State: strings.ToLower(w.State), Board: w.OriginBoardID}
	}

	return sprints, nil
}

// MoveToSprint puts issues into an active or future sprint; at most 50.
func (c *Client) MoveToSprint(ctx context.Context, sprint int64, keys ...string) error {
	err := c.post(ctx, agile("/sprint/%s/issue", id(sprint)), map[string]any{"issues": keys}, nil)
	if err != nil {
		return fmt.Errorf("moving %s to sprint %d: %w", list(keys), sprint, err)
	}

	return nil
}

// MoveToBacklog takes issues out of their active and future sprints; at most 50.
func (c *Client) MoveToBacklog(ctx context.Context, keys ...string) error {
	err := c.post(ctx, agile("/backlog/issue"), map[string]any{"issues": keys}, nil)
	if err != nil {
		return fmt.Errorf("moving %s to the backlog: %w", list(keys), err)
	}

	return nil
}
