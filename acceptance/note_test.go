package acceptance

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestANoteIsWrittenAndAnEmptyTextRemovesIt(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	same(t, "before", site.Note(t, "AURORA-1"), nil)
	written := site.SetNote(t, "AURORA-1", "Спросить Анну")
	same(t, "text", written.Text, "Спросить Анну")
	same(t, "author", written.Author, site.Operator.Name)
	same(t, "read", site.Note(t, "AURORA-1"), written)
	same(t, "in another case", site.Note(t, "aurora-1"), written)

	cursor := site.Queue(t).Cursor
	same(t, "removed", site.SetNote(t, "AURORA-1", ""), nil)
	same(t, "after", site.Note(t, "AURORA-1"), nil)
	events := site.EventsAfter(t, cursor, "NOTE")
	if len(events) != 1 || events[0].Key != "AURORA-1" || events[0].Note != nil {
		t.Errorf("events: %s", shown(events))
	}
}

func TestANoteIsAtMost32767Characters(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.SetNote(t, "AURORA-1", strings.Repeat("я", 32767))
	site.Operator.Refused(t, "UNPROCESSABLE", hubtest.SetNote,
		vars{"key": "AURORA-1", "text": strings.Repeat("a", 32768)})
	same(t, "kept", site.Note(t, "AURORA-1").Text, strings.Repeat("я", 32767))
}

func TestANoteIsOnAKeyOfRightForm(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, key := range []string{"oops", "new:0", "AURORA-"} {
		site.Operator.Refused(t, "UNPROCESSABLE", hubtest.SetNote, vars{"key": key, "text": "a"})
	}
	same(t, "notes", len(site.Notes(t)), 0)
}

func TestANoteThatSomeoneChangedSinceIsAConflict(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := site.SetNote(t, "AURORA-1", "first")
	second := site.SetNote(t, "AURORA-1", "second")
	write := func(text, ifUpdatedAt string) vars {
		return vars{"key": "AURORA-1", "text": text, "ifUpdatedAt": ifUpdatedAt}
	}
	site.Operator.Refused(t, "CONFLICT", hubtest.SetNote, write("third", first.UpdatedAt))
	site.Operator.Refused(t, "CONFLICT", hubtest.SetNote, write("", first.UpdatedAt))
	same(t, "text", site.Note(t, "AURORA-1").Text, "second")

	third := hubtest.Ask[hubtest.Note](t, site.Operator, hubtest.SetNote, write("third", second.UpdatedAt))
	same(t, "text", third.Text, "third")
	same(t, "removed", hubtest.Ask[*hubtest.Note](t, site.Operator, hubtest.SetNote, write("", third.UpdatedAt)), nil)
	site.Operator.Refused(t, "CONFLICT", hubtest.SetNote, write("fourth", third.UpdatedAt))
}

func TestANoteOfATemporaryKeyMovesToTheRealOneAtDone(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Creation("new:1"))
	site.SetNote(t, "new:1", "Спросить Анну")
	same(t, "before", site.Notes(t), map[string]string{"new:1": "Спросить Анну"})
	cursor := site.Queue(t).Cursor
	site.Created(t, id, "AURORA-1")

	same(t, "after", site.Notes(t), map[string]string{"AURORA-1": "Спросить Анну"})
	events := site.EventsAfter(t, cursor, "NOTE")
	if len(events) != 1 || events[0].Key != "AURORA-1" || said(events[0].MovedFrom) != "new:1" {
		t.Errorf("events: %s", shown(events))
	}
}

func TestWhereBothHaveANoteBothTextsAreKeptTheOlderFirst(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ first, second, want string }{
		"the temporary key's is older":   {"new:1", "AURORA-1", "on new:1\n\non AURORA-1"},
		"the temporary key's is younger": {"AURORA-1", "new:1", "on AURORA-1\n\non new:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for way, end := range map[string]func(t testing.TB, site *hubtest.Site, id string){
				"at done": func(t testing.TB, site *hubtest.Site, id string) { site.Created(t, id, "AURORA-1") },
				"by a late key": func(t testing.TB, site *hubtest.Site, id string) {
					site.Cancel(t, true, id)
					site.Report(t, id, "DONE", "key", "AURORA-1")
				},
			} {
				t.Run(way, func(t *testing.T) {
					t.Parallel()
					site := hub.NewSite(t)
					id := claimed(t, site, hubtest.Creation("new:1"))
					site.SetNote(t, row.first, "on "+row.first)
					site.SetNote(t, row.second, "on "+row.second)
					end(t, site, id)
					same(t, "notes", site.Notes(t), map[string]string{"AURORA-1": row.want})
				})
			}
		})
	}
}

func TestAMergedNoteMayBeLongerThanAPersonMayWrite(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Creation("new:1"))
	long := strings.Repeat("a", 32767)
	site.SetNote(t, "new:1", long)
	site.SetNote(t, "AURORA-1", long)
	site.Created(t, id, "AURORA-1")
	same(t, "length", len(site.Note(t, "AURORA-1").Text), 2*32767+2)
}

func TestANoteMovesToTheFirstIssueMadeRealUnderItsKey(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := site.Submit(t, hubtest.Creation("new:1")).CommandID(0)
	second := site.Submit(t, hubtest.Creation("new:1")).CommandID(0)
	site.SetNote(t, "new:1", "first")
	site.ClaimOf(t, first)
	site.Created(t, first, "AURORA-1")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-1": "first"})

	// The second creation is open and bears the key: a note now is for it.
	site.SetNote(t, "new:1", "second")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-1": "first", "new:1": "second"})
	site.ClaimOf(t, second)
	site.Created(t, second, "AURORA-2")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-1": "first", "AURORA-2": "second"})
}

func TestANoteForATemporaryKeyWhoseRealKeyIsKnownIsWrittenToTheReal(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Creation("new:1"))
	site.Created(t, id, "AURORA-1")
	same(t, "key", site.SetNote(t, "new:1", "Спросить Анну").Key, "AURORA-1")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-1": "Спросить Анну"})
}

func TestANoteStaysWhereItsIssueWasNotCreated(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Creation("new:1"))
	site.SetNote(t, "new:1", "Спросить Анну")
	site.Fail(t, id)
	same(t, "notes", site.Notes(t), map[string]string{"new:1": "Спросить Анну"})
}
