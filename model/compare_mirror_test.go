package model

import (
	"slices"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// compareMirror holds the mirror and the notes against the model.
func (m *machine) compareMirror() {
	m.compareNotes()

	list, err := m.db.IssueList(m.ctx(), m.site, queue.IssueFilter{}, queue.Page{First: 1000})
	m.must(err, "list the mirror")

	m.sameTotal("issues", list.Total, len(list.Nodes), len(m.model.Issues))

	for _, issue := range list.Nodes {
		m.compareIssue(issue)
	}

	keys := slices.Concat(realKeys, []queue.Key{"CYG-1", "CYG-2"})

	found, err := m.db.IssuesByKey(m.ctx(), m.site, keys)
	m.must(err, "find issues")

	for _, key := range keys {
		issue, want := found[key], m.model.Issues[m.model.present(key)]
		if (issue == nil) != (want == nil) || want != nil && issue.Key != want.Key {
			m.fatal("%s finds %s, where the model says %s", key, show(issue), show(want))
		}
	}
}

// sameTotal holds a list and the total that is kept of it against the model.
func (m *machine) sameTotal(what string, total *int, listed, want int) {
	if total == nil || *total != want || listed != want {
		m.fatal("%d %s and a total of %s, where the model has %d", listed, what, show(total), want)
	}
}

func (m *machine) compareIssue(issue *queue.Issue) {
	want := m.model.Issues[issue.Key]
	if want == nil || IssueRow(*issue) != IssueRow(want.Issue) {
		m.fatal("issue\n%s, where the model says\n%s", show(issue), show(want))
	}

	version := m.seen.versions[want.LinksRead]
	if want.LinksRead == 0 {
		version = 0
	}

	if issue.LinksVersion != version {
		m.fatal("links of %s were read at version %d, where the model says %d", issue.Key, issue.LinksVersion, version)
	}

	m.sameMoment(m.seen.issueAt, want.Seen, issue.RefreshedAt, string(issue.Key))
}

// sameMoment learns when a step was, and holds times to it: one for a step, in the order of the steps.
func (m *machine) sameMoment(moments map[int]time.Time, step int, at time.Time, what string) {
	for other, moment := range moments {
		if other == step && !moment.Equal(at) || other < step && !moment.Before(at) || other > step && !moment.After(at) {
			m.fatal("%s is of step %d, at %s; step %d was at %s", what, step, at, other, moment)
		}
	}

	moments[step] = at
}

func (m *machine) compareNotes() {
	list, err := m.db.NoteList(m.ctx(), m.site, queue.Page{First: 1000})
	m.must(err, "list notes")

	m.sameTotal("notes", list.Total, len(list.Nodes), len(m.model.Notes))

	for _, note := range list.Nodes {
		want := m.model.Notes[note.Key]
		if want == nil || note.Text != want.Text || note.Author != want.Author {
			m.fatal("note %s, where the model says %s", show(note), show(want))
		}

		m.sameMoment(m.seen.noteAt, want.Step, note.UpdatedAt, "the note of "+string(note.Key))
	}

	found, err := m.db.NotesByKey(m.ctx(), m.site, realKeys)
	m.must(err, "find notes")

	for _, key := range realKeys {
		note, want := found[key], m.model.Notes[m.model.present(key)]
		if (note == nil) != (want == nil) || want != nil && note.Key != want.Key {
			m.fatal("%s finds the note %s, where the model says %s", key, show(note), show(want))
		}
	}
}
