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

// mustHaveHappened prints what the runs came upon, and fails where one of the things they are for did not come.
func (w *world) mustHaveHappened(t *testing.T) {
	t.Helper()

	var table strings.Builder
	for _, what := range slices.Sorted(maps.Keys(w.happened)) {
		fmt.Fprintf(&table, "%8d  %s\n", w.happened[what], what)
	}

	t.Logf("what happened:\n%s", table.String())
}
