package queue

import (
	"context"
	"reflect"
)

// store takes the snapshots of a push into the mirror, one after the other, and holds the command in hand against
// it. It returns the confirmed commands.
func (c *change) store(ctx context.Context, tx Tx, view *MirrorView, pushed *push) ([]CommandID, error) {
	m := &mirror{change: c, view: view, touched: map[Key]bool{}, written: map[Key]bool{}}
	m.follow(pushed.Issues)

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
	journeys

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
	key := m.present(s.Key)

	if trip := m.trips[s.JiraID]; trip != nil {
		if key = trip.to; m.bearers[key] != trip {
			// The same push shows another issue under that key later on.
			return
		}
	}

	before := m.view.Issues[key]
	if before == nil {
		m.site.Totals.Issues++
	}

	after := s.over(before, m.site.Now, m.site.Version+1)
	after.Key = key
	m.view.Issues[key] = after

	m.show(key, before == nil || !sameIssue(before, after))
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
	m.show(key, true)
}

// show notes that the push shows an issue, and whether anything about it is new.
func (m *mirror) show(key Key, changed bool) {
	m.touched[key] = true
	m.shown = append(m.shown, key)
	m.written[key] = m.written[key] || changed
}

// flush hands over each row once, as the last snapshot left it, and logs what changed. Who follows the log sees the
// moves first: a key that one issue left and another took is told once more after them.
func (m *mirror) flush() {
	told, handed := map[Key]bool{}, map[Key]bool{}

	for _, move := range m.rows {
		m.event(Event{Kind: EventIssue, Actor: m.actor, Key: move.To, MovedFrom: move.From})
		told[move.To] = true
	}

	for _, move := range m.rows {
		delete(told, move.From)
	}

	for _, key := range m.shown {
		if handed[key] {
			continue
		}

		handed[key] = true

		if !m.written[key] {
			m.out.Seen = append(m.out.Seen, m.view.Issues[key])

			continue
		}

		m.out.Issues = append(m.out.Issues, m.view.Issues[key])

		if !told[key] {
			m.event(Event{Kind: EventIssue, Actor: m.actor, Key: key})
		}
	}
}

// moveNotes takes the notes of moved issues along.
func (m *mirror) moveNotes(ctx context.Context, tx Tx) error {
	if len(m.moves) == 0 {
		return nil
	}

	keys := make([]Key, 0, 2*len(m.moves))
	for _, move := range m.moves {
		keys = append(keys, move.From, move.To)
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

	m.carryNotes(view.Notes, m.moves)

	return nil
}

// sameIssue tells whether a snapshot shows nothing new.
func sameIssue(a, b *Issue) bool {
	x, y := *a, *b
	x.RefreshedAt, x.LinksVersion = y.RefreshedAt, y.LinksVersion

	return reflect.DeepEqual(x, y)
}
