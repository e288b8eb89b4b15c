package model

import (
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// replay is what a subscriber knows who has nothing but the log.
type replay struct {
	commands map[queue.CommandID]queue.State
	batches  map[queue.BatchID]map[queue.Status]int
	notes    map[queue.Key]string
	issues   map[queue.Key]bool
	pace     string
	// progress is the last event of that kind in a command's present delivery.
	progress map[queue.CommandID]*queue.Event
}

// replay reads the log as a subscriber who comes back after every few events, and holds what it tells against the
// model, which the tables were found equal to.
func (m *machine) replay() {
	r := &replay{
		commands: map[queue.CommandID]queue.State{}, batches: map[queue.BatchID]map[queue.Status]int{},
		notes: map[queue.Key]string{}, issues: map[queue.Key]bool{}, progress: map[queue.CommandID]*queue.Event{},
	}
	at, next := m.seen.start, 0

	for more := true; more; {
		page, err := m.db.Log(m.ctx(), m.site, queue.LogQuery{After: &at, First: 7, Kinds: []queue.EventKind{
			queue.EventCommand, queue.EventNote, queue.EventIssue, queue.EventPace, queue.EventBatch, queue.EventAgent,
		}})
		m.must(err, "read the log")

		for _, e := range page.Events {
			if next >= len(m.seen.log) || e.Cursor != (queue.Cursor{Seq: m.seen.log[next].Seq, Mark: m.seen.log[next].Mark}) {
				m.fatal("event %d is %+v", next, e.Cursor)
			}

			next++
			m.take(r, e)
		}

		at, more = page.End, page.HasNext
	}

	if next != len(m.seen.log) || at.Seq != int64(next) {
		m.fatal("%d events of %d, and the end is at %d", next, len(m.seen.log), at.Seq)
	}

	m.compareReplay(r)
}

func (m *machine) take(r *replay, e *queue.Event) {
	switch e.Kind {
	case queue.EventCommand:
		m.chain(r, e)
	case queue.EventNote:
		delete(r.notes, e.MovedFrom)
		delete(r.notes, e.Key)

		if e.Note != nil {
			r.notes[e.Key] = e.Note.Text
		}
	case queue.EventIssue:
		delete(r.issues, e.MovedFrom)
		r.issues[e.Key] = true
	case queue.EventPace:
		r.pace = PaceRow(*e.Pace)
	case queue.EventBatch, queue.EventAgent:
	}
}

// chain holds an event against the one before it of the same command: each leaves the status that the last one
// reached, and a final one is never left.
func (m *machine) chain(r *replay, e *queue.Event) {
	before := r.commands[e.Command]
	final := before.Status != "" && before.Status != queue.Queued && before.Status != queue.Claimed

	if e.From != before.Status || final && (e.State.Status != before.Status || e.Cause != queue.CauseLateReport) {
		m.fatal("command %d goes from %q to %q by %s, and was %q", e.Command, e.From, e.State.Status, e.Cause, before.Status)
	}

	r.commands[e.Command] = e.State

	if r.batches[e.Batch] == nil {
		r.batches[e.Batch] = map[queue.Status]int{}
	}

	r.batches[e.Batch][e.From]--
	r.batches[e.Batch][e.State.Status]++

	if e.Cause != queue.CauseProgress {
		delete(r.progress, e.Command)

		return
	}

	if last := r.progress[e.Command]; last != nil && e.At.Sub(last.At).Seconds() < 1 {
		m.fatal("the progress of command %d was told at %s and at %s", e.Command, last.At, e.At)
	}

	r.progress[e.Command] = e
}

func (m *machine) compareReplay(r *replay) {
	if len(r.commands) != len(m.model.Commands) || len(r.notes) != len(m.model.Notes) || len(r.issues) != len(m.model.Issues) {
		m.fatal("the log tells of %d commands, %d notes and %d issues, the model of %d, %d and %d", len(r.commands), len(r.notes),
			len(r.issues), len(m.model.Commands), len(m.model.Notes), len(m.model.Issues))
	}

	for id, state := range r.commands {
		want := m.model.Commands[id].Row()

		var (
			reason string
			result queue.Key
		)

		if state.Error != nil {
			reason = *state.Error
		}

		if state.ResultKey != nil {
			result = *state.ResultKey
		}

		if state.Status != want.Status || state.Deliveries != want.Deliveries || reason != want.Error || result != want.Result ||
			state.RootCause != want.RootCause {
			m.fatal("the log leaves command %d as %+v, where the model says %+v", id, state, want)
		}
	}

	for id, batch := range m.model.Batches {
		if got, want := Counts(r.batches[id]), m.model.Row(batch).Counts; got != want {
			m.fatal("the log leaves batch %d with %s, where the model says %s", id, got, want)
		}
	}

	for key, text := range r.notes {
		if want := m.model.Notes[key]; want == nil || want.Text != text {
			m.fatal("the log leaves %s with the note %q, where the model says %s", key, text, show(want))
		}
	}

	for key := range r.issues {
		if m.model.Issues[key] == nil {
			m.fatal("the log leaves the issue %s, which the model does not know", key)
		}
	}

	if want := PaceRow(m.model.Pace); r.pace != "" && r.pace != want {
		m.fatal("the log leaves the pace %s, where the model says %s", r.pace, want)
	}
}
