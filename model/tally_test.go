package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// tallyEvent counts what an event shows.
func (m *machine) tallyEvent(e *event) {
	switch {
	case e.Kind == queue.EventCommand && e.Cause == queue.CauseDependencyFailed:
		depth := "straight"
		if creation := m.model.Commands[e.Command]; creation != nil && !creation.needsStraight(e.RootCause) {
			depth = "down the chain"
		}

		m.tally("skipped " + depth)
	case e.Kind == queue.EventCommand:
		m.tally("event " + string(e.Cause))
	case e.Kind == queue.EventNote && e.MovedFrom != "" && strings.Contains(e.Text, "\n\n"):
		m.tally("note merged")
	case e.Kind == queue.EventNote && e.MovedFrom != "":
		m.tally("note moved")
	case e.Kind == queue.EventIssue && e.MovedFrom != "":
		m.tally("issue moved")
	default:
		m.tally("event " + string(e.Kind))
	}
}

func (c *Command) needsStraight(creation queue.CommandID) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(c.needs)), func(n *Command) bool { return n.ID == creation })
}

// enoughRuns is from how many runs on each of the things below surely came.
const enoughRuns = 300

// rare are the things that make the runs worth while; the other counts are for who reads them.
func rare() []string {
	return []string{
		"claim ", "claim empty", "claim off_hours", "claim paused", "claim seat_taken",
		"confirmed ensure_fields", "confirmed ensure_link", "confirmed ensure_sprint", "confirmed ensure_status",
		"createBatch CONFLICT", "createBatch UNPROCESSABLE", "createBatch repeated",
		"event claimed", "event delivery_limit", "event late_report", "event progress", "event redelivered", "event reported",
		"issue moved", "keys traded", "note merged", "note moved",
		"problem EMPTY_BATCH", "problem KEY_MALFORMED", "problem MALFORMED", "problem REQUIRED", "problem TEMP_KEY_CYCLE",
		"problem TEMP_KEY_REPEATED", "problem TEMP_KEY_UNKNOWN", "problem TOO_LONG",
		"cancelBatch ", "cancelCommands ", "cancelCommands NOT_FOUND", "heartbeat ", "holdBatch ", "releaseBatch ",
		"pushIssues ", "pushIssues UNPROCESSABLE", "report ", "report CONFLICT", "report NOT_FOUND", "report UNPROCESSABLE",
		"retryCommands ", "retryCommands CONFLICT", "retryCommands UNPROCESSABLE", "retryCommands repeated",
		"setNote ", "setNote CONFLICT", "setPace ", "setPace UNPROCESSABLE", "skipped down the chain", "skipped straight",
	}
}

// mustHaveHappened prints what the runs came upon, and fails where one of the things they are for did not come.
func (w *world) mustHaveHappened(t *testing.T) {
	t.Helper()

	var table strings.Builder
	for _, what := range slices.Sorted(maps.Keys(w.happened)) {
		fmt.Fprintf(&table, "%8d  %s\n", w.happened[what], what)
	}

	t.Logf("%d runs; what happened in them:\n%s", w.sites.Load(), table.String())

	for _, what := range rare() {
		if w.happened[what] == 0 && w.sites.Load() >= enoughRuns && !t.Failed() {
			t.Errorf("it never came to %q", what)
		}
	}
}
