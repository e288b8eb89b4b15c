package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// task is a command in hand.
type task struct {
	id       string
	params   queue.Params
	delivery int
	dedupe   string
	// mayExist tells that an earlier delivery or an earlier command may have created the issue.
	mayExist bool
}

// result is what came of a command, as far as it was done.
type result struct {
	// key of the issue that an ensure_issue made or found.
	key string
	// issues as read after the work, for the mirror.
	issues  []client.IssueSnapshot
	missing []string
	// wrote are keys that were written to and not read since.
	wrote []string
}

// perform does the command and gives the report on it. It ends with an error where there is nothing to report: the
// agent was told to end, Jira does not take its login, or the journal cannot be written.
func (a *Agent) perform(ctx context.Context, t *task) (*client.ReportInput, error) {
	pauses := a.times.pauses()

	for try := 1; ; try++ {
		done, err := a.execute(ctx, t)
		if err == nil {
			return a.done(t, done), nil
		}

		if final := a.final(ctx, err); final != nil {
			return nil, final
		}

		if _, ok := errors.AsType[*unsure](err); ok && try < a.times.Tries {
			a.log.Info("tries again", "command", t.id, "error", err)

			if err := pauses.pause(ctx, 0); err != nil {
				return nil, err
			}

			continue
		}

		return a.failed(ctx, t, done, err)
	}
}

// final gives the error with which the agent stops, nil where err is a command's own.
func (a *Agent) final(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx) //nolint:wrapcheck // whoever ended it knows why
	}

	if _, ok := errors.AsType[*journalError](err); ok {
		return err
	}

	if jira.KindOf(err) == jira.NotLoggedIn || refusedByHub(err) {
		return err
	}

	return nil
}

func (a *Agent) execute(ctx context.Context, t *task) (*result, error) {
	switch p := t.params.(type) {
	case queue.EnsureIssue:
		return a.ensureIssue(ctx, t, p)
	case queue.EnsureFields:
		return a.ensureFields(ctx, p)
	case queue.EnsureStatus:
		return a.ensureStatus(ctx, p)
	case queue.EnsureLink:
		return a.ensureLink(ctx, p)
	case queue.EnsureSprint:
		return a.ensureSprint(ctx, p)
	case queue.EnsureComment:
		return a.ensureComment(ctx, p)
	case queue.Refresh:
		return a.refresh(ctx, t, p)
	default:
		return &result{}, fmt.Errorf("this agent cannot do a %s", t.params.Kind())
	}
}

func (a *Agent) done(t *task, r *result) *client.ReportInput {
	report := a.report(t, client.OutcomeDone, r)
	if r.key != "" {
		report.Key = &r.key
	}

	return report
}

// failed reports the error in Jira's words. What was written before it is read once more, so that the mirror shows it.
func (a *Agent) failed(ctx context.Context, t *task, r *result, cause error) (*client.ReportInput, error) {
	if r == nil {
		r = &result{}
	}

	for _, key := range r.wrote {
		issue, err := a.readIssue(ctx, key)
		if final := a.final(ctx, err); err != nil && final != nil {
			return nil, final
		}

		if err == nil {
			r.show(issue)
		}
	}

	report := a.report(t, client.OutcomeFailed, r)
	report.Error = errorOf(cause)

	return report, nil
}

func (a *Agent) report(t *task, outcome client.Outcome, r *result) *client.ReportInput {
	instance := a.journal.Instance()

	return &client.ReportInput{Command: t.id, Outcome: outcome, Issues: r.issues, Missing: r.missing, Instance: &instance}
}

// show puts an issue among those that go to the mirror.
func (r *result) show(issue jira.Issue) {
	if snapshot, ok := snapshotOf(issue); ok {
		r.issues = append(r.issues, snapshot)
	}
}

// errorOf gives an error as the hub shows it: Jira's status and Jira's words, or ours where Jira was not asked.
func errorOf(err error) *client.ReportError {
	var answer *jira.Error
	if !errors.As(err, &answer) {
		return &client.ReportError{Message: cut(err.Error())}
	}

	reported := &client.ReportError{Message: cut(answer.Message())}
	if answer.Status != 0 {
		reported.HttpStatus = &answer.Status
	}

	if told, ok := errors.AsType[*told](err); ok {
		reported.Message = cut(told.words + ": " + answer.Message())
	}

	return reported
}

// told puts words of ours before Jira's.
type told struct {
	words string
	error
}

func (t *told) Unwrap() error { return t.error }

// cut keeps what the hub keeps.
func cut(text string) string {
	runes := []rune(text)
	if len(runes) > queue.MaxError {
		return string(runes[:queue.MaxError])
	}

	return text
}
