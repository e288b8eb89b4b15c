package model

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// drawIDs names commands, mostly of one batch.
func (m *machine) drawIDs() []queue.CommandID {
	commands := m.model.Ordered()
	if len(commands) == 0 || chance(m.t, "unknown", 4) {
		return []queue.CommandID{m.alien}
	}

	first := pick(m.t, "command", commands...)
	ids := []queue.CommandID{first.ID}

	for _, c := range commands {
		if near := c.Batch == first.Batch; near && chance(m.t, "too", 30) || chance(m.t, "far", 2) {
			ids = append(ids, c.ID)
		}
	}

	return ids
}

func (m *machine) drawBatchID() queue.BatchID {
	known := slices.Sorted(maps.Keys(m.model.Batches))
	if len(known) == 0 || chance(m.t, "unknown", 4) {
		return m.alienBatch
	}

	return pick(m.t, "batch", known...)
}

func (m *machine) cancelCommands() {
	by, ids, force := m.operator(), m.drawIDs(), rapid.Bool().Draw(m.t, "force")
	m.sayf("cancelCommands %v by %s, force %v", ids, by.Name, force)

	got, err := m.hub.CancelCommands(m.ctx(), by, ids, force)
	want, refusal := m.model.CancelCommands(by.Name, ids, force)
	m.sameCancellation(got, err, want, refusal)
}

func (m *machine) cancelBatch() {
	by, id, force := m.operator(), m.drawBatchID(), rapid.Bool().Draw(m.t, "force")
	m.sayf("cancelBatch %d by %s, force %v", id, by.Name, force)

	got, err := m.hub.CancelBatch(m.ctx(), by, id, force)
	want, refusal := m.model.CancelBatch(by.Name, id, force)
	m.sameCancellation(got, err, want, refusal)
}

func (m *machine) sameCancellation(got *queue.Cancellation, err error, want queue.Cancellation, refusal queue.Code) {
	if !m.refused(err, refusal) && fmt.Sprint(*got) != fmt.Sprint(want) {
		m.fatal("cancelled %+v, where the model says %+v", *got, want)
	}
}

func (m *machine) setHeld(held bool) {
	by, id := m.operator(), m.drawBatchID()
	set := m.hub.ReleaseBatch

	if held {
		set = m.hub.HoldBatch
	}

	m.sayf("held %v of batch %d by %s", held, id, by.Name)
	m.refused(set(m.ctx(), by, id), m.model.SetHeld(by.Name, id, held))
}
