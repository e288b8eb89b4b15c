package agent

import (
	"context"
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ensureFields sends what differs, compared as the hub compares.
func (a *Agent) ensureFields(ctx context.Context, p queue.EnsureFields) (*result, error) {
	if err := a.knowNames(ctx, p.Fields); err != nil {
		return nil, err
	}

	issue, err := a.readIssue(ctx, string(p.Key), p.Fields.Names()...)
	if err != nil {
		return nil, err
	}

	differing := queue.Differing(mirrored(issue), p.Fields, a.known.mirror)
	if len(differing) == 0 {
		return shown(issue), nil
	}

	if err := a.setFields(ctx, issue, differing); err != nil {
		return &result{wrote: []string{issue.Key}}, err
	}

	return a.after(ctx, issue.Key, p.Fields.Names()...)
}

// setFields writes fields of an issue, its sprint as a move.
func (a *Agent) setFields(ctx context.Context, issue jira.Issue, fields queue.Fields) error {
	edit := queue.Fields{}

	for name, value := range fields {
		if name != sprintField {
			edit[name] = value
		}
	}

	if len(edit) > 0 {
		if err := a.patient.write(ctx, func() error { return a.jira.EditIssue(ctx, issue.Key, edit) }); err != nil {
			return err
		}
	}

	sprint, moves := fields[sprintField]
	if !moves {
		return nil
	}

	name, ok := sprint.(string)
	if !ok && sprint != nil {
		return fmt.Errorf("the sprint must be a name or null, not %v", sprint)
	}

	return a.moveToSprint(ctx, issue, name)
}
