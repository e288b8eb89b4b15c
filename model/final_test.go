package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// compareReader holds what people are shown against the model, at the end of a run.
func (m *machine) compareReader() {
	m.compareMirror()

	state, err := m.db.Queue(m.ctx(), m.site)
	m.must(err, "read the queue")
	m.samePace(&state.Pace)

	if countsText(state.Counts) != m.model.SiteCounts() || state.Cursor.Seq != int64(len(m.seen.log)) {
		m.fatal("queue %+v, where the model says %s", state, m.model.SiteCounts())
	}

	list, err := m.db.BatchList(m.ctx(), m.site, queue.BatchFilter{}, queue.Page{First: 1000})
	m.must(err, "list batches")

	batches := m.batchRows()
	slices.Reverse(batches)

	for i, batch := range list.Nodes {
		if i >= len(batches) || countsText(batch.Counts) != batches[i].Counts || batch.ID != batches[i].ID || batch.Held != batches[i].Held {
			m.fatal("batches %s, where the model says %+v", show(list.Nodes), batches)
		}
	}

	ids := slices.Sorted(maps.Keys(m.model.Commands))

	commands, err := m.db.CommandsByID(m.ctx(), m.site, append(ids, m.alien))
	m.must(err, "read commands")

	dependsOn, err := m.db.DependsOn(m.ctx(), m.site, ids)
	m.must(err, "read dependencies")

	history, err := m.db.History(m.ctx(), m.site, ids)
	m.must(err, "read the history")

	if len(commands) != len(ids) {
		m.fatal("%d commands of %d", len(commands), len(ids))
	}

	for _, id := range ids {
		m.compareCommand(commands[id], dependsOn[id], history[id])
	}

	m.compareAgents()
}

func countsText(c queue.Counts) string {
	return fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d", c.Queued, c.Claimed, c.Done, c.Failed, c.Cancelled, c.Skipped, c.Confirmed)
}

func (m *machine) compareCommand(c *queue.Command, dependsOn []*queue.Command, history []*queue.Event) {
	want := m.model.Commands[c.ID]
	shown := &Command{
		ID: c.ID, Batch: &Batch{ID: c.Batch}, Position: c.Position, Params: c.Params, TempKey: c.TempKey, RetryOf: c.RetryOf,
		Chain: c.Chain, Status: c.Status, Deliveries: c.Deliveries, RootCause: c.RootCause, Progress: c.Progress,
	}

	if c.Error != nil {
		shown.Error = *c.Error
	}

	if c.ResultKey != nil {
		shown.Result = *c.ResultKey
	}

	row := shown.Row()
	if c.Status == queue.Queued {
		row.Waiting = c.Waiting
	}

	if row != want.Row() || Spelling(c.Params) != Spelling(want.Params) {
		m.fatal("command\n%+v %s, where the model says\n%+v %s", row, Spelling(c.Params), want.Row(), Spelling(want.Params))
	}

	needs := map[queue.CommandID]bool{}
	for _, creation := range want.needs {
		needs[creation.ID] = true
	}

	for _, creation := range dependsOn {
		if !needs[creation.ID] || len(needs) != len(dependsOn) {
			m.fatal("command %d depends on %s", c.ID, show(dependsOn))
		}
	}

	if len(history) == 0 || history[0].From != "" || history[len(history)-1].State.Status != c.Status {
		m.fatal("the history of command %d: %s", c.ID, show(history))
	}
}

func (m *machine) compareAgents() {
	agents, err := m.db.Agents(m.ctx(), m.site)
	m.must(err, "list agents")

	for instance, want := range m.model.Agents {
		if !slices.ContainsFunc(agents, func(a *queue.Agent) bool {
			return a.Name == Agent && a.Instance == instance && show(a.Version)+show(a.Problem) == show(want.Version)+show(want.Problem)
		}) {
			m.fatal("agents %s, where the model has %s", show(agents), show(want))
		}
	}
}

// replay reads the log as a subscriber who comes back after every few events, and builds the tables from it alone.
func (m *machine) replay() {
	var (
		at       = m.seen.start
		next     int
		told     = map[queue.CommandID]queue.State{}
		notes    = map[queue.Key]queue.Note{}
		progress = map[queue.CommandID]*queue.Event{}
	)

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

			switch {
			case e.Kind == queue.EventNote:
				delete(notes, e.MovedFrom)
				delete(notes, e.Key)

				if e.Note != nil {
					notes[e.Key] = *e.Note
				}
			case e.Kind == queue.EventCommand:
				m.chain(told[e.Command], e, progress)
				told[e.Command] = e.State
			}
		}

		at, more = page.End, page.HasNext
	}

	if next != len(m.seen.log) || at.Seq != int64(next) {
		m.fatal("%d events of %d, and the end is at %d", next, len(m.seen.log), at.Seq)
	}

	m.sameReplay(told, notes)
}

// chain holds an event against the one before it of the same command: each leaves the status that the last one
// reached, and a final one is never left.
func (m *machine) chain(before queue.State, e *queue.Event, progress map[queue.CommandID]*queue.Event) {
	final := before.Status != "" && before.Status != queue.Queued && before.Status != queue.Claimed

	if e.From != before.Status || final && e.State.Status != before.Status || final && e.Cause != queue.CauseLateReport {
		m.fatal("command %d goes from %q to %q by %s, and was %q", e.Command, e.From, e.State.Status, e.Cause, before.Status)
	}

	if e.Cause != queue.CauseProgress {
		delete(progress, e.Command)

		return
	}

	if last := progress[e.Command]; last != nil && e.At.Sub(last.At).Seconds() < 1 {
		m.fatal("the progress of command %d was told at %s and at %s", e.Command, last.At, e.At)
	}

	progress[e.Command] = e
}

// sameReplay compares what the log alone says with the model, which the tables were found equal to.
func (m *machine) sameReplay(told map[queue.CommandID]queue.State, notes map[queue.Key]queue.Note) {
	if len(told) != len(m.model.Commands) || len(notes) != len(m.model.Notes) {
		m.fatal("the log tells of %d commands and %d notes, the model of %d and %d", len(told), len(notes),
			len(m.model.Commands), len(m.model.Notes))
	}

	for id, state := range told {
		want := m.model.Commands[id].Row()
		reason := ""

		if state.Error != nil {
			reason = *state.Error
		}

		if state.Status != want.Status || state.Deliveries != want.Deliveries || reason != want.Error || state.RootCause != want.RootCause {
			m.fatal("the log leaves command %d as %+v, where the model says %+v", id, state, want)
		}
	}

	for key, note := range notes {
		if want := m.model.Notes[key]; want == nil || want.Text != note.Text {
			m.fatal("the log leaves %s with %+v, where the model says %+v", key, note, want)
		}
	}
}
