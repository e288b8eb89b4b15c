package db

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func issueKey(i *queue.Issue) queue.Key { return i.Key }

func (f *filler) issues(filter queue.IssueFilter) lister[*queue.Issue] {
	return func(ctx context.Context, page queue.Page) (*queue.List[*queue.Issue], error) {
		return f.d.IssueList(ctx, f.site, filter, page)
	}
}

func TestIssuesAreListedByProjectAndNumber(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, "main")
	f.addIssue("B-2", map[string]string{"status": "'В работе'", "sprint": "'Спринт 2'"})
	f.addIssue("A-10", map[string]string{"summary": "'Отчёт 100%_\\'", "sprint": "''"})
	f.addIssue("A-9", map[string]string{"description": "E'Первая строка\\nВторая'"})
	f.addIssue("A-123456789012345678901234567890", nil)
	f.addIssue("A-B-1", map[string]string{"status": "'Done'", "missing": "true"})
	f.addNote("A-9", "text", morning())
	f.addNote("new:1", "text", morning())
	f.move("OLD-1", "B-2")
	f.move("OLDER-1", "B-2")
	filledSite(t, d, "other").addIssue("A-9", nil)

	type keys = []queue.Key

	yes, no := true, false

	for _, test := range []struct {
		name   string
		filter queue.IssueFilter
		want   keys
	}{
		{"all", queue.IssueFilter{}, keys{"A-9", "A-10", "A-123456789012345678901234567890", "A-B-1", "B-2"}},
		{"by key", queue.IssueFilter{Keys: keys{"B-2", "A-9", "Z-1", "\x00"}}, keys{"A-9", "B-2"}},
		{"by an old key", queue.IssueFilter{Keys: keys{"OLD-1", "B-2"}}, keys{"B-2"}},
		{"by an older key", queue.IssueFilter{Keys: keys{"OLDER-1"}}, keys{"B-2"}},
		{"of no keys", queue.IssueFilter{Keys: keys{}}, keys{}},
		{"of no possible keys", queue.IssueFilter{Keys: keys{"\xff"}}, keys{}},
		{"by project", queue.IssueFilter{Project: "A"}, keys{"A-9", "A-10", "A-123456789012345678901234567890"}},
		{"by status", queue.IssueFilter{Statuses: []string{"В работе", "Done"}}, keys{"A-B-1", "B-2"}},
		{"by a status that cannot be", queue.IssueFilter{Statuses: []string{"\x00"}}, keys{}},
		{"by sprint", queue.IssueFilter{Sprint: "Спринт 2"}, keys{"B-2"}},
		{"backlog", queue.IssueFilter{Backlog: true, Project: "A"}, keys{"A-9", "A-10", "A-123456789012345678901234567890"}},
		{"text in the key", queue.IssueFilter{Search: "a-1"}, keys{"A-10", "A-123456789012345678901234567890"}},
		{"text in the summary", queue.IssueFilter{Search: "ОТЧЁТ"}, keys{"A-10"}},
		{"text in the description", queue.IssueFilter{Search: "вторая"}, keys{"A-9"}},
		{"signs are signs", queue.IssueFilter{Search: `%_\`}, keys{"A-10"}},
		{"underscore alone", queue.IssueFilter{Search: `_`}, keys{"A-10"}},
		{"any sign alone", queue.IssueFilter{Search: `.`}, keys{}},
		{"two letters", queue.IssueFilter{Search: "ЁТ"}, keys{"A-10"}},
		{"two letters of the description", queue.IssueFilter{Search: "аЯ"}, keys{"A-9"}},
		{"with a note", queue.IssueFilter{HasNote: &yes}, keys{"A-9"}},
		{"without a note", queue.IssueFilter{HasNote: &no, Project: "A"}, keys{"A-10", "A-123456789012345678901234567890"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			same(t, "issues", walk(t, f.issues(test.filter), issueKey), test.want...)
		})
	}
}

func TestIssuesAreFoundUnderPresentAndOldKeys(t *testing.T) {
	d := migrated(t)
	f, other := filledSite(t, d, "main"), filledSite(t, d, "other")
	f.addIssue("NEW-1", map[string]string{
		"jira_id": "'10001'", "description": "'text'", "sprint": "'S'", "parent": "'A-1'", "missing": "true", "links_version": "5",
		"fields": `'{"points": 3.10, "big": 12345678901234567890}'`,
		"links":  `'[{"type":"Blocks","direction":"outward","key":"A-2","outwardName":"blocks"}]'`,
	})
	f.addIssue("PLAIN-1", nil)
	f.move("OLD-1", "NEW-1")
	// A key that was moved away and came back as another issue is that issue.
	f.move("PLAIN-1", "NEW-1")
	other.addIssue("OTHER-1", nil)
	other.move("ELSE-1", "OTHER-1")

	found, err := d.IssuesByKey(t.Context(), f.site, []queue.Key{"OLD-1", "NEW-1", "PLAIN-1", "OTHER-1", "ELSE-1", "new:1", "\x00"})
	if err != nil || len(found) != 3 || found["OLD-1"] != found["NEW-1"] || found["PLAIN-1"].Key != "PLAIN-1" {
		t.Fatalf("%v, %v", found, err)
	}

	text, sprint, parent, blocks := "text", "S", queue.Key("A-1"), "blocks"
	want := &queue.Issue{
		Key: "NEW-1", JiraID: "10001", Project: "NEW", IssueType: "Task", Summary: "summary", Description: &text, Status: "Open",
		Sprint: &sprint, Parent: &parent, Missing: true, LinksVersion: 5, RefreshedAt: morning().Truncate(time.Second),
		Fields: queue.Fields{"points": json.Number("3.10"), "big": json.Number("12345678901234567890")},
		Links:  []queue.Link{{Type: "Blocks", Direction: queue.Outward, Key: "A-2", OutwardName: &blocks}},
	}

	if !reflect.DeepEqual(found["NEW-1"], want) {
		t.Errorf("got  %+v\nwant %+v", found["NEW-1"], want)
	}

	if found, err := d.IssuesByKey(t.Context(), f.site, nil); err != nil || len(found) != 0 {
		t.Errorf("of no keys: %v, %v", found, err)
	}
}

func TestNotesAreListedNewestFirstAndFoundUnderOldKeys(t *testing.T) {
	d := migrated(t)
	f, other := filledSite(t, d, "main"), filledSite(t, d, "other")
	f.addNote("B-1", "b", morning())
	f.addNote("A-1", "a", morning())
	f.addNote("new:1", "n", morning().Add(time.Microsecond))
	f.addNote("C-1", "c", morning().Add(-time.Hour))
	f.move("OLD-1", "C-1")
	other.addNote("A-1", "other", morning())

	list := func(ctx context.Context, page queue.Page) (*queue.List[*queue.Note], error) {
		return d.NoteList(ctx, f.site, page)
	}
	same(t, "notes", walk(t, list, func(n *queue.Note) queue.Key { return n.Key }), "new:1", "A-1", "B-1", "C-1")

	found, err := d.NotesByKey(t.Context(), f.site, []queue.Key{"OLD-1", "new:1", "A-1", "Z-1"})
	if err != nil || len(found) != 3 {
		t.Fatalf("%v, %v", found, err)
	}

	want := &queue.Note{Key: "C-1", Text: "c", Author: "ann", UpdatedAt: morning().Add(-time.Hour)}
	if !reflect.DeepEqual(found["OLD-1"], want) || found["A-1"].Text != "a" || found["new:1"].Text != "n" {
		t.Errorf("%+v", found)
	}
}
