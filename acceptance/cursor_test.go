package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

func following() map[string]string {
	return map[string]string{
		"commandChanged": hubtest.CommandChanged, "logAppended": hubtest.LogAppended,
		"issueChanged": hubtest.IssueChanged, "noteChanged": hubtest.NoteChanged,
	}
}

func TestACursorThatIsNoneIsUnprocessable(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	for _, cursor := range []string{"", "made up", "!!!"} {
		site.Operator.Refused(t, "UNPROCESSABLE", hubtest.QueryLog, vars{"after": cursor})
		for name, operation := range following() {
			t.Run(name+" after "+cursor, func(t *testing.T) {
				site.Operator.Subscribe(t, operation, vars{"after": cursor}).Refused(t, "UNPROCESSABLE")
			})
		}
	}
	for _, operation := range []string{
		hubtest.QueryCommands, hubtest.QueryBatches, hubtest.QueryIssues, hubtest.QueryNotes,
	} {
		site.Operator.Refused(t, "UNPROCESSABLE", operation, vars{"after": "made up"})
	}
}

// TestACursorOfAnotherLogIsExpired has a second hub on a database of its own,
// with a log that is shorter than the cursor, and one that is longer.
func TestACursorOfAnotherLogIsExpired(t *testing.T) {
	t.Parallel()
	elsewhere := start(t, pgtest.New(t)).NewSite(t)
	site := hub.NewSite(t)
	for range 3 {
		site.SetNote(t, "AURORA-1", "a")
		site.SetNote(t, "AURORA-1", "b")
	}
	elsewhere.SetNote(t, "AURORA-1", "a")
	within := elsewhere.Queue(t).Cursor
	for range 30 {
		elsewhere.SetNote(t, "AURORA-1", "b")
		elsewhere.SetNote(t, "AURORA-1", "c")
	}
	for name, cursor := range map[string]string{
		"of another database": within, "beyond the head": elsewhere.Queue(t).Cursor,
	} {
		t.Run(name, func(t *testing.T) {
			site.Operator.Refused(t, "CURSOR_EXPIRED", hubtest.QueryLog, vars{"after": cursor})
			for _, operation := range following() {
				site.Operator.Subscribe(t, operation, vars{"after": cursor}).Refused(t, "CURSOR_EXPIRED")
			}
		})
	}
}

func TestACursorOfAnotherSiteIsExpired(t *testing.T) {
	t.Parallel()
	site, other := hub.NewSite(t), hub.NewSite(t)
	site.SetNote(t, "AURORA-1", "a")
	other.SetNote(t, "AURORA-1", "a")
	site.Operator.Refused(t, "CURSOR_EXPIRED", hubtest.QueryLog, vars{"after": other.Queue(t).Cursor})
}
