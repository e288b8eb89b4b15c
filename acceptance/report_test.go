package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func refuseReport(t testing.TB, site *hubtest.Site, code, id, outcome string, more ...any) {
	t.Helper()
	site.Agent.Refused(t, code, hubtest.ReportOutcome, vars{"input": hubtest.ReportInput(id, outcome, more...)})
}

func TestRepeatingAReportChangesNothing(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	done := claimed(t, site, hubtest.Creation("new:1"))
	site.Created(t, done, "AURORA-1")
	failed := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	site.Fail(t, failed)
	before, was := site.Queue(t), site.Command(t, done)

	same(t, "done again", site.Report(t, done, "DONE", "key", "AURORA-1").Accepted, true)
	same(t, "failed again", site.Report(t, failed, "FAILED", "error", hubtest.JiraError(400, "refused")).Accepted, true)

	after := site.Queue(t)
	same(t, "cursor", after.Cursor, before.Cursor)
	same(t, "counts", after.Counts, before.Counts)
	same(t, "command", site.Command(t, done), was)
	stands(t, site, failed, "FAILED", "HTTP 400: refused")
}

func TestAReportOnACommandThatHadEndedOtherwiseIsNotAccepted(t *testing.T) {
	t.Parallel()
	failure := []any{"error", hubtest.JiraError(400, "refused")}
	play(t, []scenario{
		{"failed after done", func(t *testing.T, site *hubtest.Site) {
			id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
			site.Done(t, id)
			reported := site.Report(t, id, "FAILED", failure...)
			same(t, "accepted", reported.Accepted, false)
			same(t, "status answered", reported.Command.Status, "DONE")
			stands(t, site, id, "DONE", "<null>")
		}},
		{"done after failed", func(t *testing.T, site *hubtest.Site) {
			id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
			site.Fail(t, id)
			same(t, "accepted", site.Report(t, id, "DONE").Accepted, false)
			stands(t, site, id, "FAILED", "HTTP 400: refused")
		}},
		{"done after a cancel by force", func(t *testing.T, site *hubtest.Site) {
			id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
			site.Cancel(t, true, id)
			same(t, "accepted", site.Report(t, id, "DONE").Accepted, false)
			is(t, site, id, "CANCELLED")
		}},
		{"failed after confirmed by state", func(t *testing.T, site *hubtest.Site) {
			id := claimed(t, site, hubtest.Sprint("AURORA-1", "S"))
			confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "sprint", "S"))
			same(t, "accepted", site.Report(t, id, "FAILED", failure...).Accepted, false)
			stands(t, site, id, "CONFIRMED_BY_STATE", "<null>")
		}},
		{"failed after the limit", func(t *testing.T, site *hubtest.Site) {
			id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
			site.Lose(t, id)
			same(t, "accepted", site.Report(t, id, "DONE").Accepted, false)
			stands(t, site, id, "FAILED", lost)
		}},
	})
}

func TestAReportOnACommandThatWasNeverHandedOutIsAConflict(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"),
		hubtest.Creation("new:1"), hubtest.Comment("new:1", "c"))
	site.Cancel(t, false, batch.CommandID(1), batch.CommandID(2))
	for position, status := range map[int]string{0: "QUEUED", 1: "CANCELLED", 3: "SKIPPED"} {
		refuseReport(t, site, "CONFLICT", batch.CommandID(position), "DONE")
		is(t, site, batch.CommandID(position), status)
	}
	refuseReport(t, site, "CONFLICT", batch.CommandID(2), "DONE", "key", "AURORA-1")
	same(t, "key of a creation never handed out", site.Command(t, batch.CommandID(2)).ResultKey, nil)
}

func TestDoneOnAnOpenCreationNeedsAKey(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Creation("new:1"))
	refuseReport(t, site, "UNPROCESSABLE", id, "DONE")
	for _, key := range []string{"oops", "new:1", "new:2", "AURORA-", ""} {
		refuseReport(t, site, "UNPROCESSABLE", id, "DONE", "key", key)
	}
	is(t, site, id, "CLAIMED")
	site.Created(t, id, "AURORA-1")
}

func TestAKeyWithAnotherKindOrWithFailedIsUnprocessable(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	creation := claimed(t, site, hubtest.Creation("new:1"))
	refuseReport(t, site, "UNPROCESSABLE", creation, "FAILED", "key", "AURORA-1", "error", hubtest.JiraError(400, "a"))
	is(t, site, creation, "CLAIMED")
	site.Created(t, creation, "AURORA-1")
	for _, entry := range []vars{
		hubtest.Comment("AURORA-1", "a"), hubtest.Sprint("AURORA-1", "S"), hubtest.Status("AURORA-1", "Done"),
		hubtest.LinkTo("AURORA-1", "AURORA-2"), hubtest.Fields("AURORA-1", vars{"summary": "a"}), hubtest.Refresh("AURORA-1"),
	} {
		id := claimed(t, site, entry)
		refuseReport(t, site, "UNPROCESSABLE", id, "DONE", "key", "AURORA-1")
		is(t, site, id, "CLAIMED")
		site.Done(t, id)
	}
}

func TestFailedNeedsAnError(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	refuseReport(t, site, "UNPROCESSABLE", id, "FAILED")
	is(t, site, id, "CLAIMED")
}

func TestAReportOnAnUnknownCommandIsNotFound(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	refuseReport(t, site, "NOT_FOUND", "999999999", "DONE")
}

func TestAnErrorIsStoredAsHTTPStatusAndMessage(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	long := strings.Repeat("я", 2000)
	for name, row := range map[string]struct {
		status  any
		message string
		stored  string
	}{
		"with a status":           {404, "Issue does not exist", "HTTP 404: Issue does not exist"},
		"without one":             {nil, "timed out", "timed out"},
		"the whole cut":           {400, long, "HTTP 400: " + long[:2*(1500-len("HTTP 400: "))]},
		"cut without a status":    {nil, long, long[:2*1500]},
		"in several lines":        {400, "summary: too long\nlabels: no", "HTTP 400: summary: too long\nlabels: no"},
		"a NUL becomes U+FFFD":    {nil, "a\x00b", "a\uFFFDb"},
		"emoji are one character": {nil, strings.Repeat(emoji, 1600), strings.Repeat(emoji, 1500)},
	} {
		t.Run(name, func(t *testing.T) {
			id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
			site.Report(t, id, "FAILED", "error", hubtest.JiraError(row.status, row.message))
			stands(t, site, id, "FAILED", row.stored)
		})
	}
}

// TestWhatTheAgentSendsIsNeverRefusedForItsCharacters writes the bodies by
// hand: a Go string of invalid bytes would not survive its encoder.
func TestWhatTheAgentSendsIsNeverRefusedForItsCharacters(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	const asVariable = `{"query": "mutation ($input: ReportInput!) { report(input: $input) { accepted } }",
		"variables": {"input": {"command": %[1]q, "outcome": "FAILED", "error": {"message": "%[2]s"}}}}`
	for name, sent := range map[string]string{
		"a lone surrogate":     `a\ud800b`,
		"a NUL":                `a\u0000b`,
		"a byte of no UTF-8":   "a\xffb",
		"a surrogate reversed": `a\udc00b`,
	} {
		t.Run(name, func(t *testing.T) {
			id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
			response, err := site.Agent.SendBody(t.Context(), fmt.Appendf(nil, asVariable, id, sent))
			if err != nil {
				t.Fatal(err)
			}
			if len(response.Errors) > 0 {
				t.Fatal(response.Errors[0])
			}
			stands(t, site, id, "FAILED", "a\uFFFDb")
		})
		closeWhatIsOpen(t, site)
	}
	site.Push(t, hubtest.Snapshot("AURORA-1", "summary", "a\x00b", "description", "c\x00d",
		"fields", vars{"customfield_1": "e\x00f"}))
	issue := site.Issue(t, "AURORA-1")
	same(t, "summary", issue.Summary, "a\uFFFDb")
	same(t, "description", said(issue.Description), "c\uFFFDd")
	same(t, "field", issue.Fields["customfield_1"], any("e\uFFFDf"))
}

func TestTheOutcomeCountsFirstAndTheIssuesAfterIt(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	snapshot := hubtest.Snapshot("AURORA-1", "sprint", "S")
	done := claimed(t, site, hubtest.Sprint("AURORA-1", "S"))
	site.Report(t, done, "DONE", "issues", []vars{snapshot})
	is(t, site, done, "DONE")
	same(t, "sprint in the mirror", said(site.Issue(t, "AURORA-1").Sprint), "S")

	failed := claimed(t, site, hubtest.Sprint("AURORA-2", "S"))
	site.Report(t, failed, "FAILED", "error", hubtest.JiraError(400, "a"),
		"issues", []vars{hubtest.Snapshot("AURORA-2", "sprint", "S")}, "missing", []string{"AURORA-1"})
	stands(t, site, failed, "FAILED", "HTTP 400: a")
	same(t, "sprint in the mirror", said(site.Issue(t, "AURORA-2").Sprint), "S")
	same(t, "missing", site.Issue(t, "AURORA-1").Missing, true)
}

func TestAReportBringsAtMost1000Issues(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Refresh("AURORA-1"))
	refuseReport(t, site, "TOO_LARGE", id, "DONE", "issues", snapshots(1001))
	is(t, site, id, "CLAIMED")
	site.Report(t, id, "DONE", "issues", snapshots(1000))
	is(t, site, id, "DONE")
}

func snapshots(count int) []vars {
	many := make([]vars, 0, count)
	for i := range count {
		many = append(many, hubtest.Snapshot(fmt.Sprintf("AURORA-%d", i+1)))
	}
	return many
}
