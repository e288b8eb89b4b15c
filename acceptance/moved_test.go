package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// move lets the issue OLD-1 become NEW-7 in Jira, by its id.
func move(t testing.TB, site *hubtest.Site, more ...any) {
	t.Helper()
	site.Push(t, hubtest.Snapshot("NEW-7", append([]any{"id", "1001", "project", "NEW"}, more...)...))
}

func known(t testing.TB, site *hubtest.Site) {
	t.Helper()
	site.Push(t, hubtest.Snapshot("OLD-1", "id", "1001", "project", "OLD", "summary", "before"))
}

func TestAMovedIssueIsFoundUnderItsOldKey(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	cursor := site.Queue(t).Cursor
	move(t, site, "summary", "after")

	for _, key := range []string{"OLD-1", "NEW-7", "old-1"} {
		issue := site.Issue(t, key)
		if issue == nil {
			t.Fatalf("no issue under %s", key)
		}
		same(t, "key under "+key, issue.Key, "NEW-7")
		same(t, "summary under "+key, issue.Summary, "after")
	}
	page := listIssues(t, site, vars{"keys": []string{"OLD-1"}})
	if len(page.Nodes) != 1 || page.Nodes[0].Key != "NEW-7" {
		t.Errorf("filtered by the old key: %s", shown(page.Nodes))
	}
	same(t, "issues", len(listIssues(t, site, nil).Nodes), 1)
	same(t, "issue events", len(site.EventsAfter(t, cursor, "ISSUE")) > 0, true)
}

func TestCommandsOfAMovedIssueAreFoundByBothKeys(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	old := site.Submit(t, hubtest.Comment("OLD-1", "a")).CommandID(0)
	move(t, site)
	fresh := site.Submit(t, hubtest.Comment("NEW-7", "b")).CommandID(0)

	for _, key := range []string{"OLD-1", "NEW-7"} {
		same(t, "commands of the issue "+key, ids(site.Issue(t, key).Commands.Nodes), sorted(old, fresh))
		same(t, "commands filtered by "+key, listCommands(t, site, vars{"key": key}), []string{fresh, old})
	}
}

func TestACommandAboutTheOldKeyIsConfirmedByTheMovedIssue(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	id := claimed(t, site, hubtest.Sprint("OLD-1", "S"))
	move(t, site, "sprint", "S")
	is(t, site, id, "CONFIRMED_BY_STATE")

	after := claimed(t, site, hubtest.Status("OLD-1", "Done"))
	confirms(t, site, after, true, hubtest.Snapshot("NEW-7", "id", "1001", "status", "Done"))
}

func TestALinkToTheOldKeyIsConfirmedByTheMovedIssue(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	move(t, site)
	id := claimed(t, site, hubtest.LinkTo("AURORA-1", "OLD-1"))
	confirms(t, site, id, true, links("AURORA-1", hubtest.Outward("NEW-7")))
	id = claimed(t, site, hubtest.LinkTo("AURORA-2", "NEW-7"))
	confirms(t, site, id, true, links("AURORA-2", hubtest.Outward("OLD-1")))
}

func TestTheNoteOfAMovedIssueGoesWithIt(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	site.SetNote(t, "OLD-1", "Спросить Анну")
	cursor := site.Queue(t).Cursor
	move(t, site)

	same(t, "notes", site.Notes(t), map[string]string{"NEW-7": "Спросить Анну"})
	same(t, "note under the old key", site.Note(t, "OLD-1").Key, "NEW-7")
	same(t, "note of the issue", site.Issue(t, "OLD-1").Note.Text, "Спросить Анну")
	events := site.EventsAfter(t, cursor, "NOTE")
	if len(events) != 1 || events[0].Key != "NEW-7" || said(events[0].MovedFrom) != "OLD-1" {
		t.Errorf("note events: %s", shown(events))
	}
	site.SetNote(t, "OLD-1", "Анна ответила")
	same(t, "notes", site.Notes(t), map[string]string{"NEW-7": "Анна ответила"})
}

func TestWhereBothKeysHadARowTheNewerSnapshotStaysAndTheNotesMerge(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ first, second, want string }{
		"the old key's note is older":   {"OLD-1", "NEW-7", "note of OLD-1\n\nnote of NEW-7"},
		"the old key's note is younger": {"NEW-7", "OLD-1", "note of NEW-7\n\nnote of OLD-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := hub.NewSite(t)
			known(t, site)
			site.Push(t, hubtest.Snapshot("NEW-7", "project", "NEW", "summary", "seen without its id"))
			site.SetNote(t, row.first, "note of "+row.first)
			site.SetNote(t, row.second, "note of "+row.second)

			move(t, site, "summary", "after")

			same(t, "issues", len(listIssues(t, site, nil).Nodes), 1)
			same(t, "summary", site.Issue(t, "OLD-1").Summary, "after")
			same(t, "notes", site.Notes(t), map[string]string{"NEW-7": row.want})
		})
	}
}

func TestAnIssueThatMovesTwiceIsFoundUnderEachOfItsKeys(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	move(t, site)
	site.Push(t, hubtest.Snapshot("LAST-3", "id", "1001", "project", "LAST"))
	for _, key := range []string{"OLD-1", "NEW-7", "LAST-3"} {
		same(t, "key under "+key, site.Issue(t, key).Key, "LAST-3")
	}
}

func TestAnIssueMayMoveBack(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	move(t, site)
	known(t, site)
	for _, key := range []string{"OLD-1", "NEW-7"} {
		same(t, "key under "+key, site.Issue(t, key).Key, "OLD-1")
	}
}
