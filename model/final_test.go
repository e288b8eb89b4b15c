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

	m.sameTotal("batches", list.Total, len(list.Nodes), len(m.model.Batches))

	batches := m.batchRows()
	slices.Reverse(batches)

	for i, batch := range list.Nodes {
		if countsText(batch.Counts) != batches[i].Counts || batch.ID != batches[i].ID || batch.Held != batches[i].Held {
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
	m.compareFiltered()
}

// compareFiltered pages through the commands about a key and of some statuses.
func (m *machine) compareFiltered() {
	filter := queue.CommandFilter{}
	wanted := slices.Clone(m.model.Ordered())
	slices.Reverse(wanted)

	if chance(m.t, "by key", 75) {
		filter.Key = pick(m.t, "key", slices.Concat(realKeys, tempKeys)...)
		wanted = m.model.About(filter.Key)
	}

	if chance(m.t, "by status", 50) {
		filter.Statuses = pick(m.t, "statuses", []queue.Status{queue.Queued}, []queue.Status{queue.Done, queue.Failed},
			[]queue.Status{queue.Cancelled, queue.Skipped, queue.Queued, queue.Confirmed})
		wanted = slices.DeleteFunc(wanted, func(c *Command) bool { return !slices.Contains(filter.Statuses, c.Status) })
	}

	page := queue.Page{First: pick(m.t, "first", 3, 1000)}

	var got []queue.CommandID

	want := make([]queue.CommandID, 0, len(wanted))
	for _, c := range wanted {
		want = append(want, c.ID)
	}

	for more := true; more; {
		list, err := m.db.CommandList(m.ctx(), m.site, filter, page)
		m.must(err, "list commands")

		for _, c := range list.Nodes {
			got = append(got, c.ID)
		}

		page.After, more = list.End, list.HasNext
	}

	if !slices.Equal(got, want) {
		m.fatal("commands %v for %s, where the model says %v", got, show(filter), want)
	}
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
