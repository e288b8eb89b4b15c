package queue

import (
	"context"
	"fmt"
	"strings"
)

// Report is what became of a command.
type Report struct {
	Command CommandID
	Outcome Outcome
	// Key of the issue, as the agent wrote it; needed with OutcomeDone for an EnsureIssue.
	Key *Key
	// Error is needed with OutcomeFailed.
	Error *ReportError
	// Issues as read after the work, and keys that were asked for and not found.
	Issues   []Snapshot
	Missing  []Key
	Instance string
}

// ReportError is what Jira said.
type ReportError struct {
	// HTTPStatus of Jira's answer, if there was one.
	HTTPStatus *int
	Message    string
}

// MaxError is how many Unicode code points of an error are kept.
const MaxError = 1500

// Report records what became of a command. It is safe to repeat: of a command that has ended only a missing key is
// still taken in, and accepted is false where it had ended otherwise.
func (q *Queue) Report(ctx context.Context, by Actor, report Report) (bool, error) {
	pushed, err := readPush(Push{Issues: report.Issues, Missing: report.Missing, Instance: report.Instance})
	if err != nil {
		return false, err
	}

	var accepted bool

	err = q.change(ctx, by, func(tx Tx) error {
		view, err := tx.Commands(ctx, []CommandID{report.Command})
		if err != nil {
			return err
		}

		cmd, err := handedOut(view, report.Command)
		if err != nil {
			return err
		}

		key, err := report.key(cmd)
		if err != nil {
			return err
		}

		c := newChange(&view.Site, view.Batches, by)
		seen := c.seen(clean(report.Instance))

		if cmd.Status != Claimed {
			accepted = report.repeats(cmd, key)

			if late, err := c.late(ctx, tx, cmd, key, report.Outcome); err != nil || !late && !seen {
				return err
			}

			return tx.Apply(ctx, c.changes())
		}

		accepted = true

		return q.finish(ctx, tx, c, cmd, report, key, pushed)
	})

	return accepted && err == nil, err
}

// finish ends an open command as reported; the issues that came with it count after the outcome.
func (q *Queue) finish(ctx context.Context, tx Tx, c *change, cmd *Command, report Report, key Key, pushed *push) error {
	if cmd.Kind == KindRefresh {
		pushed.Refresh = cmd.ID
	}

	mirror, err := pushed.load(ctx, tx)
	if err != nil {
		return err
	}

	if mirror != nil {
		c.countPushed(mirror, cmd, pushed)
	}

	if err := c.conclude(ctx, tx, cmd, report, key); err != nil {
		return err
	}

	if mirror != nil {
		if _, err := c.store(ctx, tx, mirror, pushed); err != nil {
			return err
		}
	}

	return tx.Apply(ctx, c.changes())
}

// handedOut finds a command that a report may be about.
func handedOut(view *CommandsView, id CommandID) (*Command, error) {
	cmd := view.Commands[id]

	switch {
	case cmd == nil:
		return nil, Refusef(NotFound, "no command %s", id)
	case cmd.Deliveries == 0:
		return nil, Refusef(Conflict, "command %s was never handed out; only what was claimed can be reported", id)
	default:
		return cmd, nil
	}
}

// key gives the real key that the report brings, "" for none.
func (r *Report) key(cmd *Command) (Key, error) {
	switch {
	case r.Outcome == OutcomeFailed && r.Error == nil:
		return "", Refusef(Unprocessable, "error is missing; a FAILED report needs one")
	case r.Key == nil && r.Outcome == OutcomeDone && cmd.Kind == KindIssue && cmd.Status.Open():
		return "", Refusef(Unprocessable, "key is missing; DONE of an ensureIssue needs the issue's")
	case r.Key == nil:
		return "", nil
	case cmd.Kind != KindIssue:
		return "", Refusef(Unprocessable, "key goes with an ensureIssue only; leave it out")
	case r.Outcome == OutcomeFailed:
		return "", Refusef(Unprocessable, "key goes with DONE only; leave it out")
	}

	key := *r.Key

	err := readKey(&key, "key")

	return key, err
}

// repeats tells whether the report says what the ended command already says.
func (r *Report) repeats(cmd *Command, key Key) bool {
	switch r.Outcome {
	case OutcomeDone:
		return cmd.Status == Done && (key == "" || cmd.ResultKey != nil && *cmd.ResultKey == key)
	case OutcomeFailed:
		return cmd.Status == Failed && cmd.Error != nil && *cmd.Error == r.Error.text()
	}

	return false
}

// conclude takes the command to the reported end.
func (c *change) conclude(ctx context.Context, tx Tx, cmd *Command, report Report, key Key) error {
	if report.Outcome == OutcomeFailed {
		reason := report.Error.text()
		cmd.Error = &reason
		c.transition(cmd, Failed, CauseReported)
		c.countFailure()

		return c.creationFell(ctx, tx, cmd)
	}

	c.site.FailuresInRow = 0

	if cmd.Kind != KindIssue {
		c.transition(cmd, Done, CauseReported)

		return nil
	}

	cmd.ResultKey = &key
	c.transition(cmd, Done, CauseReported)

	waiting, err := tx.Waiting(ctx, []CommandID{cmd.ID}, false)
	if err != nil {
		return err
	}

	c.freeDependents(waiting, cmd.ID)

	return c.moveNote(ctx, tx, cmd.TempKey, key)
}

// late records the key that a report brings after the command had failed or been cancelled, once; the status stays.
// It tells whether there was one to record.
func (c *change) late(ctx context.Context, tx Tx, cmd *Command, key Key, outcome Outcome) (bool, error) {
	unsuccessful := cmd.Status == Failed || cmd.Status == Cancelled
	if outcome != OutcomeDone || key == "" || !unsuccessful || cmd.ResultKey != nil {
		return false, nil
	}

	cmd.ResultKey = &key
	c.update(cmd)
	c.commandEvent(cmd, cmd.Status, CauseLateReport)

	return true, c.moveNote(ctx, tx, cmd.TempKey, key)
}

// countFailure notes a reported failure, and pauses the queue after as many in a row as the pace says.
func (c *change) countFailure() {
	c.site.FailuresInRow++

	limit := c.site.Pace.PauseAfterFailures
	if limit == nil || c.site.FailuresInRow < *limit || c.site.Pace.Paused {
		return
	}

	reason := fmt.Sprintf("%d commands in a row failed", c.site.FailuresInRow)
	c.pause(nil, &reason)
}

// text is the error as it is stored: the HTTP code and Jira's text, cut to MaxError.
func (e *ReportError) text() string {
	text := clean(e.Message)
	if e.HTTPStatus != nil {
		text = fmt.Sprintf("HTTP %d: %s", *e.HTTPStatus, text)
	}

	return cut(text)
}

// cut keeps MaxError code points of a text.
func cut(text string) string {
	if runes := []rune(text); len(runes) > MaxError {
		return string(runes[:MaxError])
	}

	return text
}

// clean makes a text from outside fit to be stored: what is no character becomes U+FFFD.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
