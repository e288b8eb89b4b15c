package model

import (
	"fmt"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Report records what became of a command, and tells whether it was taken as reported.
func (s *Site) Report(r queue.Report) (bool, queue.Code) {
	snapshots, missing, ok := readPush(r.Issues, r.Missing)
	if !ok {
		return false, queue.Unprocessable
	}

	c := s.Commands[r.Command]

	switch {
	case c == nil:
		return false, queue.NotFound
	case c.Deliveries == 0:
		return false, queue.Conflict
	}

	key, ok := c.reportedKey(r)
	if !ok {
		return false, queue.Unprocessable
	}

	if c.Ended() {
		s.late(c, r.Outcome, key)

		return c.repeats(r, key), ""
	}

	if c.kind() == queue.KindRefresh {
		s.count(c, snapshots, missing, nil)
	}

	if r.Outcome == queue.OutcomeFailed {
		s.failed(c, errorText(r.Error))
	} else {
		s.done(c, key)
	}

	s.store(snapshots, missing)

	return true, ""
}

// reportedKey gives the key that came with a report, in its one spelling; false where the report is no good.
func (c *Command) reportedKey(r queue.Report) (queue.Key, bool) {
	if r.Outcome == queue.OutcomeFailed {
		return "", r.Error != nil && r.Key == nil
	}

	if r.Key == nil {
		return "", !c.Creates() || c.Ended()
	}

	key, ok := spelled(*r.Key)

	return key, ok && c.Creates() && !isTemp(key)
}

func (s *Site) done(c *Command, key queue.Key) {
	s.Failures = 0
	c.Result = key
	s.turn(c, queue.Done, queue.CauseReported, Agent)

	if c.Creates() {
		s.moveNote(c.TempKey, s.present(key))
	}
}

func (s *Site) failed(c *Command, reason string) {
	c.Error = reason
	s.turn(c, queue.Failed, queue.CauseReported, Agent)
	s.skipDependents(c)

	s.Failures++
	if limit := s.Pace.PauseAfterFailures; limit != nil && s.Failures >= *limit && !s.Pace.Paused {
		s.Pace.Paused, s.Pace.PausedBy = true, nil
		s.tellPace("")
	}
}

// late records the key of an issue that was made after all; the status stays.
func (s *Site) late(c *Command, outcome queue.Outcome, key queue.Key) {
	unsuccessful := c.Status == queue.Failed || c.Status == queue.Cancelled
	if outcome != queue.OutcomeDone || key == "" || c.Result != "" || !unsuccessful {
		return
	}

	c.Result = key
	s.tell(c, c.Status, queue.CauseLateReport, Agent)
	s.moveNote(c.TempKey, s.present(key))
}

// repeats tells whether an ended command ended as this report says.
func (c *Command) repeats(r queue.Report, key queue.Key) bool {
	if r.Outcome == queue.OutcomeDone {
		return c.Status == queue.Done && (key == "" || key == c.Result)
	}

	return c.Status == queue.Failed && c.Error == errorText(r.Error)
}

// errorText is an error as it is kept: the HTTP code and Jira's text, cut to 1,500 code points.
func errorText(e *queue.ReportError) string {
	text := clean(e.Message)
	if e.HTTPStatus != nil {
		text = fmt.Sprintf("HTTP %d: %s", *e.HTTPStatus, text)
	}

	if points := []rune(text); len(points) > 1500 {
		text = string(points[:1500])
	}

	return text
}

func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

func (c *Command) kind() queue.Kind { return kindOf(c.Params) }

func kindOf(p queue.Params) queue.Kind {
	switch p.(type) {
	case queue.EnsureIssue:
		return queue.KindIssue
	case queue.EnsureFields:
		return queue.KindFields
	case queue.EnsureStatus:
		return queue.KindStatus
	case queue.EnsureLink:
		return queue.KindLink
	case queue.EnsureSprint:
		return queue.KindSprint
	case queue.EnsureComment:
		return queue.KindComment
	default:
		return queue.KindRefresh
	}
}
