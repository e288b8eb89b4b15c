package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestAStatusOrASprintIsHeldAgainstTheMirrorToTheLetter(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for name, row := range map[string]struct {
		entry    vars
		snapshot vars
		equal    bool
	}{
		"the last of the path":     {hubtest.Status("AURORA-1", "Open", "Done"), hubtest.Snapshot("AURORA-1", "status", "Done"), true},
		"a path of one":            {hubtest.Status("AURORA-1", "Done"), hubtest.Snapshot("AURORA-1", "status", "Done"), true},
		"the first of the path":    {hubtest.Status("AURORA-1", "Open", "Done"), hubtest.Snapshot("AURORA-1", "status", "Open"), false},
		"a status in another case": {hubtest.Status("AURORA-1", "Done"), hubtest.Snapshot("AURORA-1", "status", "done"), false},
		"the sprint":               {hubtest.Sprint("AURORA-1", "S 2"), hubtest.Snapshot("AURORA-1", "sprint", "S 2"), true},
		"a sprint in another case": {hubtest.Sprint("AURORA-1", "S 2"), hubtest.Snapshot("AURORA-1", "sprint", "s 2"), false},
		"another sprint":           {hubtest.Sprint("AURORA-1", "S 2"), hubtest.Snapshot("AURORA-1", "sprint", "S 1"), false},
		"no sprint":                {hubtest.Sprint("AURORA-1", "S 2"), hubtest.Snapshot("AURORA-1"), false},
		"null, and null":           {hubtest.Sprint("AURORA-1", nil), hubtest.Snapshot("AURORA-1", "sprint", nil), true},
		"null, and empty":          {hubtest.Sprint("AURORA-1", nil), hubtest.Snapshot("AURORA-1", "sprint", ""), true},
		"empty, and null":          {hubtest.Sprint("AURORA-1", ""), hubtest.Snapshot("AURORA-1", "sprint", nil), true},
		"empty, and a sprint":      {hubtest.Sprint("AURORA-1", ""), hubtest.Snapshot("AURORA-1", "sprint", "S 1"), false},
	} {
		t.Run(name, func(t *testing.T) {
			id := claimed(t, site, row.entry)
			confirms(t, site, id, row.equal, row.snapshot)
		})
		closeWhatIsOpen(t, site)
	}
}

func TestAPushAboutAnotherIssueConfirmsNothing(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, hubtest.Snapshot("AURORA-1", "sprint", "S", "status", "Done", "summary", "a",
		"links", []vars{hubtest.Outward("AURORA-2")}))
	for _, entry := range []vars{
		hubtest.Sprint("AURORA-1", "S"), hubtest.Status("AURORA-1", "Done"),
		hubtest.Fields("AURORA-1", vars{"summary": "a"}), hubtest.LinkTo("AURORA-1", "AURORA-2"),
	} {
		id := claimed(t, site, entry)
		is(t, site, id, "CLAIMED")
		confirms(t, site, id, false,
			hubtest.Snapshot("AURORA-3", "sprint", "S", "status", "Done", "summary", "a",
				"links", []vars{hubtest.Outward("AURORA-2")}))
	}
}

func TestAnUnchangedSnapshotConfirmsToo(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, hubtest.Snapshot("AURORA-1", "sprint", "S"))
	id := claimed(t, site, hubtest.Sprint("AURORA-1", "S"))
	confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "sprint", "S"))
}

func TestOnlyAClaimedCommandIsConfirmed(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Sprint("AURORA-1", "S"))
	site.ClaimOf(t, batch.CommandID(0))
	same(t, "confirmed", len(site.Push(t, hubtest.Snapshot("AURORA-1", "sprint", "S")).Confirmed), 0)
	is(t, site, batch.CommandID(1), "QUEUED")
}

func TestACommandWhoseIssueIsMissingIsNotConfirmed(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, hubtest.Snapshot("AURORA-1", "sprint", "S"))
	id := claimed(t, site, hubtest.Sprint("AURORA-1", "S"))
	same(t, "confirmed", len(site.PushMissing(t, "AURORA-1").Confirmed), 0)
	is(t, site, id, "CLAIMED")
	confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "sprint", "S"))
}

func TestACommandWhoseIssueWasNeverSeenIsNotConfirmed(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Sprint("AURORA-1", nil))
	same(t, "confirmed", len(site.PushMissing(t, "AURORA-1").Confirmed), 0)
	is(t, site, id, "CLAIMED")
}

func TestTheIssuesOfAReportConfirmNothingThatEnded(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Sprint("AURORA-1", "S"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Report(t, batch.CommandID(0), "DONE", "issues", []vars{hubtest.Snapshot("AURORA-1", "sprint", "S")})
	is(t, site, batch.CommandID(1), "QUEUED")
	site.ClaimOf(t, batch.CommandID(1))
}

func TestAConfirmedCommandEndsAndTheNextGoesOut(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Sprint("AURORA-1", "S"), hubtest.Comment("AURORA-1", "a"))
	site.ClaimOf(t, batch.CommandID(0))
	confirms(t, site, batch.CommandID(0), true, hubtest.Snapshot("AURORA-1", "sprint", "S"))
	command := site.Command(t, batch.CommandID(0))
	same(t, "has ended", command.FinishedAt != nil, true)
	last := command.History[len(command.History)-1]
	same(t, "cause", last.Cause, "CONFIRMED_BY_STATE")
	same(t, "from", said(last.From), "CLAIMED")
	same(t, "counts", site.Queue(t).Counts, hubtest.Counts{Queued: 1, ConfirmedByState: 1, Total: 2})
	site.ClaimOf(t, batch.CommandID(1))
}
