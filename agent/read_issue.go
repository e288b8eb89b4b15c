package agent

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/jira"
)

const (
	// navigable are the fields that the mirror is shown of every issue; comments, attachments and worklogs are none.
	navigable = "*navigable"
	// sprintField is the mirror's own name of the sprint, which no edit sets.
	sprintField = "sprint"
)

// readIssue reads an issue as the mirror is shown it, with these fields besides, by id or exact name.
func (a *Agent) readIssue(ctx context.Context, key string, fields ...string) (jira.Issue, error) {
	wanted := []string{navigable}

	for _, name := range fields {
		if !always(name) {
			wanted = append(wanted, name)
		}
	}

	return asked(ctx, a.patient, func() (jira.Issue, error) { return a.jira.Issue(ctx, key, wanted...) })
}

// always tells whether every read brings the field, also where Jira lists none of that name.
func always(name string) bool {
	switch name {
	case "summary", "description", "status", "parent", sprintField:
		return true
	default:
		return false
	}
}

// after reads an issue that was written to, so that the mirror is never older than the last command. The command is
// done also where it cannot be read any more.
func (a *Agent) after(ctx context.Context, key string, fields ...string) (*result, error) {
	issue, err := a.readIssue(ctx, key, fields...)
	if err == nil {
		return shown(issue), nil
	}

	if final := a.final(ctx, err); final != nil {
		return nil, final
	}

	a.log.Warn("the issue was written and cannot be read", "key", key, "error", err)

	return &result{}, nil
}

// shown is a result of nothing but issues for the mirror.
func shown(issues ...jira.Issue) *result {
	r := &result{}
	for _, issue := range issues {
		r.show(issue)
	}

	return r
}
