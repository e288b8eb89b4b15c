package queue

import (
	"context"
	"reflect"
)

// store takes the snapshots of a push into the mirror, one after the other, and holds the command in hand against
// it. It returns the confirmed commands.
func (c *change) store(ctx context.Context, tx Tx, view *MirrorView, pushed *push) ([]CommandID, error) {
	m := &mirror{change: c, view: view, touched: map[Key]bool{}, written: map[Key]bool{}}

	for i := range pushed.Issues {
		m.take(&pushed.Issues[i])
	}

	for _, key := range pushed.Missing {
		m.miss(key)
	}

	m.flush()

	if err := m.moveNotes(ctx, tx); err != nil {
		return nil, err
	}

	return m.confirm(ctx, tx)
}

// mirror is the mirror while a push goes in.
type mirror struct {
	*change

	view *MirrorView
	// touched are the issues that the push shows.
	touched map[Key]bool
	// shown are the keys that the push shows, in order and once for each time; written are those with a change.
	shown   []Key
	written map[Key]bool
}

// present is the key that the issue has now.
func (m *mirror) present(key Key) Key {
	if now, moved := m.view.Present[key]; moved {
		return now
	}

	return key
}

// take stores one snapshot.
func (m *mirror) take(s *Snapshot) {
	key, before := m.find(s)
	m.touched[key] = true

	after := s.over(before, m.site.Now, m.site.Version+1)
	after.Key = key

	if m.view.Issues[key] == nil {
		m.site.Totals.Issues++
	}

	m.view.Issues[key] = after

	if s.JiraID != "" {
		m.view.ByJiraID[s.JiraID] = key
	}

	if before != nil && before.Key == key && sameIssue(before, after) {
		m.shown = append(m.shown, key)

		return
	}

	var movedFrom Key
	if before != nil && before.Key != key {
		movedFrom = before.Key
	}

	m.write(after, movedFrom)
}

// find gives the key under which the snapshot is stored and what the mirror had of that very issue. One whose Jira
// id is known under another key is a moved issue.
func (m *mirror) find(s *Snapshot) (Key, *Issue) {
	if known, ok := m.view.ByJiraID[s.JiraID]; ok && s.JiraID != "" {
		before := m.view.Issues[known]
		if known != s.Key {
			m.move(known, s.Key)
		}

		return s.Key, before
	}

	key := m.present(s.Key)
	before := m.view.Issues[key]

	if before != nil && s.JiraID != "" && before.JiraID != "" {
		// Another issue bears that key now, so nothing is known of it yet.
		if key == s.Key {
			delete(m.view.ByJiraID, before.JiraID)
		} else {
			delete(m.view.Present, s.Key)
			m.out.Moved = append(m.out.Moved, Move{To: s.Key})
		}

		return s.Key, nil
	}

	return key, before
}

// move gives an issue its new key, under which the old ones find it from now on.
func (m *mirror) move(from, to Key) {
	m.out.Moved = append(m.out.Moved, Move{From: from, To: to})

	if there := m.view.Issues[to]; there != nil && there.JiraID != "" {
		delete(m.view.ByJiraID, there.JiraID)
	}

	delete(m.view.Issues, from)
	m.site.Totals.Issues--
	delete(m.view.Present, to)

	for old, now := range m.view.Present {
		if now == from {
			m.view.Present[old] = to
		}
	}

	m.view.Present[from] = to
	delete(m.written, from)
}

// miss marks a known issue as not found; of an unknown one, and of one that the same push shows, it is silent.
func (m *mirror) miss(key Key) {
	key = m.present(key)

	before := m.view.Issues[key]
	if before == nil || before.Missing || m.touched[key] {
		return
	}

	after := *before
	after.Missing = true
	m.view.Issues[key] = &after
	m.touched[key] = true
	m.write(&after, "")
}

// write notes a changed row and logs it.
func (m *mirror) write(issue *Issue, movedFrom Key) {
	m.shown = append(m.shown, issue.Key)
	m.written[issue.Key] = true
	m.event(Event{Kind: EventIssue, Actor: m.actor, Key: issue.Key, MovedFrom: movedFrom})
}

// flush hands over each row once, as the last snapshot left it.
func (m *mirror) flush() {
	handed := map[Key]bool{}

	for _, key := range m.shown {
		// A key that the issue had only on the way is no row any more.
		issue := m.view.Issues[key]
		if issue == nil || handed[key] {
			continue
		}

		handed[key] = true

		if m.written[key] {
			m.out.Issues = append(m.out.Issues, issue)
		} else {
			m.out.Seen = append(m.out.Seen, issue)
		}
	}
}

// moveNotes takes the notes of moved issues along.
func (m *mirror) moveNotes(ctx context.Context, tx Tx) error {
	var keys []Key

	for _, move := range m.out.Moved {
		if move.From != "" {
			keys = append(keys, move.From, move.To)
		}
	}

	if len(keys) == 0 {
		return nil
	}

	view, err := tx.Notes(ctx, keys)
	if err != nil {
		return err
	}

	// What this very change has decided about notes is not in the tables yet.
	for key, note := range m.notes {
		if view.Notes[key] = note; note == nil {
			delete(view.Notes, key)
		}
	}

	for _, move := range m.out.Moved {
		if move.From != "" {
			m.mergeNote(view.Notes, move.From, move.To)
		}
	}

	return nil
}

// sameIssue tells whether a snapshot shows nothing new.
func sameIssue(a, b *Issue) bool {
	x, y := *a, *b
	x.RefreshedAt, x.LinksVersion = y.RefreshedAt, y.LinksVersion

	return reflect.DeepEqual(x, y)
}
