package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ensureSprint moves the issue into the sprint of that name, or into the backlog.
func (a *Agent) ensureSprint(ctx context.Context, p queue.EnsureSprint) (*result, error) {
	issue, err := a.readIssue(ctx, string(p.Key))
	if err != nil {
		return nil, err
	}

	if textOf(issue.Sprint) == textOf(p.Sprint) {
		return shown(issue), nil
	}

	if err := a.moveToSprint(ctx, issue, textOf(p.Sprint)); err != nil {
		return &result{wrote: []string{issue.Key}}, err
	}

	return a.after(ctx, issue.Key)
}

// moveToSprint moves the issue into the active or future sprint of that name, or with "" into the backlog.
func (a *Agent) moveToSprint(ctx context.Context, issue jira.Issue, name string) error {
	if name == "" {
		return a.patient.write(ctx, func() error { return a.jira.MoveToBacklog(ctx, issue.Key) })
	}

	sprint, err := a.findSprint(ctx, issue.Project, name)
	if err != nil {
		return err
	}

	return a.patient.write(ctx, func() error { return a.jira.MoveToSprint(ctx, sprint.ID, issue.Key) })
}

// findSprint finds the one active or future sprint of that name on the project's boards.
func (a *Agent) findSprint(ctx context.Context, project, name string) (jira.Sprint, error) {
	open, err := a.openSprints(ctx, project)
	if err != nil {
		return jira.Sprint{}, err
	}

	var found []jira.Sprint

	for _, sprint := range open {
		if !a.known.hasSprint(sprint) {
			// The hub should hear of it: the agent looks anew before its next command.
			a.known.at = time.Time{}
		}

		if sprint.Name == name {
			found = append(found, sprint)
		}
	}

	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return jira.Sprint{}, fmt.Errorf("no active or future sprint of %s is called %q; there are: %s", project, name, sprintNames(open))
	default:
		return jira.Sprint{}, fmt.Errorf("several sprints of %s are called %q: %s", project, name, sprintNames(found))
	}
}

// openSprints lists a project's active and future sprints, each once though several boards show it.
func (a *Agent) openSprints(ctx context.Context, project string) ([]jira.Sprint, error) {
	boards, err := asked(ctx, a.patient, func() ([]jira.Board, error) { return a.jira.Boards(ctx, project) })
	if err != nil {
		return nil, err
	}

	var open []jira.Sprint

	seen := map[int64]bool{}

	for _, board := range boards {
		sprints, err := asked(ctx, a.patient, func() ([]jira.Sprint, error) {
			return a.jira.Sprints(ctx, board, "active", "future")
		})
		if err != nil {
			return nil, err
		}

		for _, sprint := range sprints {
			if !seen[sprint.ID] {
				seen[sprint.ID] = true

				open = append(open, sprint)
			}
		}
	}

	return open, nil
}

func sprintNames(sprints []jira.Sprint) string {
	if len(sprints) == 0 {
		return "none"
	}

	names := make([]string, len(sprints))
	for i, sprint := range sprints {
		names[i] = fmt.Sprintf("%q (%s, id %d)", sprint.Name, sprint.State, sprint.ID)
	}

	return strings.Join(names, ", ")
}

// textOf reads an optional text; none and an empty one are the same.
func textOf(text *string) string {
	if text == nil {
		return ""
	}

	return *text
}
