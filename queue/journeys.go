package queue

import "slices"

// parked is where an issue waits while others trade their keys. No issue can have this key.
const parked Key = "parked"

// trip is where an issue, known by its Jira id, was before a push, and where that push shows it last.
type trip struct {
	// from is "" where the mirror knew nothing of the issue.
	from, to Key
	// via are the other keys under which the push shows it.
	via []Key
}

// journeys are the trips of one push. All are made at once, before any snapshot is stored: issues that trade their
// keys, or take each other's one after the other, meet nowhere on the way.
type journeys struct {
	trips map[string]*trip
	// bearers say whose each key is after the push, of those that it shows with an id.
	bearers map[Key]*trip
	// moves lead from each key that was left to the one that finds its issue now; rows are those of them that the
	// mirror had a row for.
	moves, rows []Move
}

// follow finds the trips of a push and makes them.
func (m *mirror) follow(snapshots []Snapshot) {
	m.trips, m.bearers = map[string]*trip{}, map[Key]*trip{}

	var order []*trip

	adopted := map[Key]bool{}

	for i := range snapshots {
		s := &snapshots[i]
		if s.JiraID == "" {
			continue
		}

		known := m.trips[s.JiraID]
		if known == nil {
			known = m.begin(s, adopted)
			m.trips[s.JiraID] = known
		} else {
			known.on(s.Key)
			order = slices.DeleteFunc(order, func(other *trip) bool { return other == known })
		}

		// Of two issues under one key it is the one shown last that bears it.
		order = append(order, known)
	}

	for _, t := range order {
		m.bearers[t.to] = t
	}

	m.findMoves(order)
	m.moveRows(order)
	m.out.Moved = m.inTurn()
	m.movePresent()
}

// begin gives the trip of an issue that the push shows for the first time. One whose id is new is the issue that the
// mirror has under this key without an id; else nothing is known of it.
func (m *mirror) begin(s *Snapshot, adopted map[Key]bool) *trip {
	if from, known := m.view.ByJiraID[s.JiraID]; known {
		return &trip{from: from, to: s.Key}
	}

	key := m.present(s.Key)
	if row := m.view.Issues[key]; row == nil || row.JiraID != "" || adopted[key] {
		return &trip{to: s.Key}
	}

	adopted[key] = true

	return &trip{from: key, to: key}
}

func (t *trip) on(to Key) {
	if to == t.to {
		return
	}

	t.via = append(slices.DeleteFunc(t.via, func(key Key) bool { return key == to }), t.to)
	t.to = to
}

// findMoves lists which keys lead where: those that known issues had first, then those that they had on the way.
func (m *mirror) findMoves(order []*trip) {
	left := map[Key]bool{}

	for _, t := range order {
		if t.from != "" && t.from != t.to {
			left[t.from] = true
			m.moves = append(m.moves, Move{From: t.from, To: t.to})
		}
	}

	for _, t := range order {
		for _, key := range t.via {
			if !left[key] && m.bearers[key] == nil {
				left[key] = true
				m.moves = append(m.moves, Move{From: key, To: t.to})
			}
		}
	}
}

// moveRows takes the rows of the mirror along. What was known of an issue whose place another takes goes.
func (m *mirror) moveRows(order []*trip) {
	rows, carried := m.view.Issues, map[*trip]*Issue{}
	take := func(key Key) *Issue {
		row := rows[key]
		if row != nil {
			m.site.Totals.Issues--
			delete(rows, key)
		}

		return row
	}

	for _, move := range m.moves {
		if rows[move.From] != nil {
			m.rows = append(m.rows, move)
		}

		m.written[move.To] = true
	}

	for _, t := range order {
		if t.from != "" {
			carried[t] = take(t.from)
		}
	}

	for _, move := range m.moves {
		take(move.From)
	}

	for key, t := range m.bearers {
		take(key)

		if row := carried[t]; row != nil {
			moved := *row
			moved.Key = key
			rows[key] = &moved
			m.site.Totals.Issues++
		}
	}
}

// inTurn puts the moves in an order in which each goes where nobody is left that still has to leave. Where they go
// round in a circle one waits aside meanwhile.
func (m *mirror) inTurn() []Move {
	t := turns{waiting: map[Key]Key{}, underway: map[Key]bool{}}
	for _, move := range m.moves {
		t.waiting[move.From] = move.To
	}

	reached, left := map[Key]bool{}, map[Key]bool{}

	for _, move := range m.moves {
		reached[move.To], left[move.From] = true, true

		t.leave(move.From)
	}

	// A key that an issue bears now leads nowhere else any more.
	for key := range m.bearers {
		if _, old := m.view.Present[key]; !reached[key] && (old || left[key]) {
			t.order = append(t.order, Move{To: key})
		}
	}

	return t.order
}

// turns are moves that are put in order.
type turns struct {
	waiting map[Key]Key
	// underway are those that wait for the one that is looked at.
	underway map[Key]bool
	order    []Move
}

func (t *turns) leave(from Key) {
	to, waiting := t.waiting[from]
	if !waiting {
		return
	}

	delete(t.waiting, from)
	t.underway[from] = true

	if t.underway[to] {
		t.order = append(t.order, Move{From: to, To: parked})
		t.underway[to] = false
	} else {
		t.leave(to)
	}

	if t.underway[from] {
		t.order = append(t.order, Move{From: from, To: to})
	} else {
		t.order = append(t.order, Move{From: parked, To: to}, Move{To: parked})
	}

	delete(t.underway, from)
}

// movePresent has every old key lead to where its issue is now.
func (m *mirror) movePresent() {
	for old, now := range m.view.Present {
		m.view.Present[old] = m.after(now)
	}

	for _, move := range m.moves {
		m.view.Present[move.From] = move.To
	}

	for key := range m.bearers {
		delete(m.view.Present, key)
	}
}

// after gives the key that the issue has after the push which had this one before it.
func (m *mirror) after(key Key) Key {
	for _, move := range m.moves {
		if move.From == key {
			return move.To
		}
	}

	return key
}
