package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// full is an issue that has something of everything.
func full() vars {
	return vars{
		"key": "AURORA-1", "id": "1001", "project": "AURORA", "issueType": "Story", "summary": "Отчёт",
		"description": "a\r\nb", "status": "In Progress", "sprint": "Спринт 2", "parent": "AURORA-9",
		"fields": vars{"labels": []any{"q3"}, "customfield_1": 1.5},
		"links":  []vars{hubtest.Outward("AURORA-2")},
	}
}

func TestAnIssueIsShownAsItWasPushed(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	same(t, "before", site.Issue(t, "AURORA-1"), nil)
	pushed := site.Push(t, full(), hubtest.Snapshot("AURORA-3"))
	same(t, "stored", pushed.Stored, 2)

	issue := site.Issue(t, "AURORA-1")
	outward, inward := "blocks", "is blocked by"
	same(t, "columns", []string{issue.Key, issue.Project, issue.IssueType, issue.Summary, issue.Status},
		[]string{"AURORA-1", "AURORA", "Story", "Отчёт", "In Progress"})
	same(t, "description", said(issue.Description), "a\r\nb")
	same(t, "sprint", said(issue.Sprint), "Спринт 2")
	same(t, "parent", said(issue.Parent), "AURORA-9")
	same(t, "fields", issue.Fields, map[string]any{"labels": []any{"q3"}, "customfield_1": 1.5})
	same(t, "links", issue.Links, []hubtest.Link{{
		Type: "Blocks", Direction: "OUTWARD", Key: "AURORA-2", OutwardName: &outward, InwardName: &inward,
	}})
	same(t, "missing", issue.Missing, false)
}

func TestASnapshotReplacesWhatTheMirrorHadButForWhatWasNotRead(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, full())
	site.Push(t, hubtest.Snapshot("AURORA-1", "summary", "Иначе", "status", "Done"))

	issue := site.Issue(t, "AURORA-1")
	same(t, "summary", issue.Summary, "Иначе")
	same(t, "status", issue.Status, "Done")
	same(t, "description", issue.Description, nil)
	same(t, "sprint", issue.Sprint, nil)
	same(t, "parent", issue.Parent, nil)
	same(t, "fields, not read", issue.Fields, map[string]any{"labels": []any{"q3"}, "customfield_1": 1.5})
	same(t, "links, not read", len(issue.Links), 1)

	site.Push(t, hubtest.Snapshot("AURORA-1", "fields", vars{"labels": []any{}, "customfield_1": nil}, "links", []vars{}))
	issue = site.Issue(t, "AURORA-1")
	same(t, "fields, read", issue.Fields, map[string]any{"labels": []any{}, "customfield_1": nil})
	same(t, "links, read", len(issue.Links), 0)
}

func TestAnUnchangedSnapshotOnlyRenewsWhenItWasSeen(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, full())
	seen, cursor := site.Issue(t, "AURORA-1").RefreshedAt, site.Queue(t).Cursor

	site.Push(t, full())

	same(t, "events", len(site.EventsAfter(t, cursor)), 0)
	same(t, "cursor", site.Queue(t).Cursor, cursor)
	if again := site.Issue(t, "AURORA-1").RefreshedAt; !again.After(seen) {
		t.Errorf("last seen at %s, before at %s", again, seen)
	}
}

func TestAChangedSnapshotMakesAnEvent(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, full())
	for name, change := range map[string]any{
		"summary": "Иначе", "description": "c", "status": "Done", "sprint": nil, "parent": "AURORA-8",
		"issueType": "Bug", "fields": vars{"labels": []any{}}, "links": []vars{},
	} {
		cursor := site.Queue(t).Cursor
		changed := full()
		changed[name] = change
		site.Push(t, changed)
		events := site.EventsAfter(t, cursor, "ISSUE")
		if len(events) != 1 || events[0].Issue.Key != "AURORA-1" {
			t.Errorf("another %s made the events %s", name, shown(events))
		}
		site.Push(t, full())
	}
}

func TestSnapshotsAreStoredInTheOrderInWhichTheyArrive(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, hubtest.Snapshot("AURORA-1", "summary", "first"), hubtest.Snapshot("AURORA-1", "summary", "second"))
	same(t, "summary", site.Issue(t, "AURORA-1").Summary, "second")
	site.Push(t, hubtest.Snapshot("AURORA-1", "summary", "first"))
	same(t, "summary", site.Issue(t, "AURORA-1").Summary, "first")
}

func TestMissingMarksAKnownIssueAndIsSilentAboutAnUnknownOne(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, full())
	site.PushMissing(t, "AURORA-1")
	issue := site.Issue(t, "AURORA-1")
	same(t, "missing", issue.Missing, true)
	same(t, "summary", issue.Summary, "Отчёт")

	cursor := site.Queue(t).Cursor
	site.PushMissing(t, "AURORA-77")
	same(t, "unknown", site.Issue(t, "AURORA-77"), nil)
	same(t, "events", len(site.EventsAfter(t, cursor)), 0)

	site.Push(t, full())
	same(t, "missing once found again", site.Issue(t, "AURORA-1").Missing, false)
}

func TestAPushIsAtMost1000Issues(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Agent.Refused(t, "TOO_LARGE", hubtest.PushIssues, vars{"issues": snapshots(1001)})
	same(t, "stored of a refused one", site.Issue(t, "AURORA-1"), nil)
	same(t, "stored", site.Push(t, snapshots(1000)...).Stored, 1000)
}

func TestTemporaryOrMalformedKeysInAPushAreUnprocessable(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for name, push := range map[string]vars{
		"a temporary key":         {"issues": []vars{hubtest.Snapshot("AURORA-1"), hubtest.Snapshot("new:1")}},
		"a malformed key":         {"issues": []vars{hubtest.Snapshot("AURORA-1"), hubtest.Snapshot("oops")}},
		"a missing temporary key": {"issues": []vars{hubtest.Snapshot("AURORA-1")}, "missing": []string{"new:1"}},
		"a missing malformed key": {"issues": []vars{hubtest.Snapshot("AURORA-1")}, "missing": []string{"oops"}},
		"a temporary parent":      {"issues": []vars{hubtest.Snapshot("AURORA-1", "parent", "new:1")}},
		"a temporary link":        {"issues": []vars{links("AURORA-1", hubtest.Outward("new:1"))}},
	} {
		t.Run(name, func(t *testing.T) {
			site.Agent.Refused(t, "UNPROCESSABLE", hubtest.PushIssues, push)
			same(t, "stored of a refused one", site.Issue(t, "AURORA-1"), nil)
		})
	}
}

func TestALowerCaseKeyInAPushIsRaisedToUpper(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, hubtest.Snapshot("aurora-1", "summary", "a"))
	site.Push(t, hubtest.Snapshot("AURORA-1", "summary", "b"))
	same(t, "issue", site.Issue(t, "aurora-1").Summary, "b")
	same(t, "issues", len(listIssues(t, site, nil).Nodes), 1)
}

func listIssues(t testing.TB, site *hubtest.Site, filter vars) hubtest.Page[hubtest.Issue] {
	t.Helper()
	return hubtest.Ask[hubtest.Page[hubtest.Issue]](t, site.Operator, hubtest.QueryIssues, vars{"filter": filter})
}

func TestWhatTheAgentTellsOfJiraReplacesWhatItToldBefore(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	same(t, "before", hubtest.Ask[*hubtest.JiraTold](t, site.Operator, hubtest.QueryJira, nil), nil)
	site.TellJira(t, "customfield_1", "Story Points", "customfield_2", "Team")
	site.TellJira(t, "customfield_3", "Squad")
	told := hubtest.Ask[hubtest.JiraTold](t, site.Operator, hubtest.QueryJira, nil)
	same(t, "address", told.BaseURL, "https://jira.example")
	same(t, "fields", len(told.Fields), 1)
	same(t, "field", told.Fields[0].Name, "Squad")
}
