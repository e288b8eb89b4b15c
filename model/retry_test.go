package model

import (
	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func (m *machine) retryCommands() {
	by, ids := m.operator(), m.drawRetried()
	if len(ids) == 0 && !chance(m.t, "nothing", 5) {
		m.claim()

		return
	}

	spec := queue.RetrySpec{IDs: ids, WithRelated: rapid.Bool().Draw(m.t, "related"), ClientKey: drawClientKey(m.t)}
	if spec.ClientKey == nil && chance(m.t, "keyed", 40) {
		spec.ClientKey = new("k3")
	}

	if m.retried != nil && chance(m.t, "again", 25) {
		by, spec = m.retriedBy, *m.retried
	}

	if spec.ClientKey != nil {
		m.retriedBy, m.retried = by, &spec
	}

	want := m.model.Retry(by.Name, spec)

	id, err := m.hub.RetryCommands(m.ctx(), by, spec)
	m.sayf("retryCommands %s by %s: %d", show(spec), by.Name, id)
	m.made(want, id, err)
}

// drawRetried names what can be retried, as a rule.
func (m *machine) drawRetried() []queue.CommandID {
	if chance(m.t, "any", 10) {
		return m.drawIDs()
	}

	var ids []queue.CommandID

	for _, c := range m.model.Ordered() {
		if !m.model.retriable(c) || len(ids) > 0 && c.Batch != m.model.Commands[ids[0]].Batch {
			continue
		}

		if chance(m.t, "retried", 50) {
			ids = append(ids, c.ID)
		}
	}

	return ids
}
