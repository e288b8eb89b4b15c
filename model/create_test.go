package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// What people do.

func (m *machine) createBatch() {
	by, spec := m.operator(), m.drawBatch()

	// A caller who lost the answer calls again.
	if m.asked != nil && chance(m.t, "again", 10) {
		by, spec = m.askedBy, *m.asked
	}

	if spec.ClientKey != nil {
		m.askedBy, m.asked = by, &spec
	}

	want := m.model.Create(by.Name, spec)
	id, err := m.hub.CreateBatch(m.ctx(), by, spec)
	m.sayf("createBatch %s by %s: %d", show(spec), by.Name, id)
	m.made(want, id, err)
}

// made compares what came of a call that makes a batch, and lets the model have the ids.
func (m *machine) made(want Creation, id queue.BatchID, err error) {
	if m.refused(err, want.Refusal) {
		m.sameProblems(problemsOf(err), want)

		return
	}

	if want.Before != 0 {
		m.tally(m.verb + " repeated")
	}

	if want.Before != 0 || m.model.Batches[id] != nil {
		if want.Before != id {
			m.fatal("batch %d, where the model says %d", id, want.Before)
		}

		return
	}

	list, err := m.db.BatchCommands(m.ctx(), m.site, id, queue.CommandFilter{}, queue.Page{First: 1000})
	m.must(err, "read the new batch")

	if len(list.Nodes) != len(want.Commands) {
		m.fatal("%d commands of %d", len(list.Nodes), len(want.Commands))
	}

	var ids []queue.CommandID

	for position, c := range list.Nodes {
		last := queue.CommandID(0)
		for known := range m.model.Commands {
			last = max(last, known)
		}

		if c.ID <= last || position > 0 && c.ID <= ids[position-1] {
			m.fatal("command %d comes after %d", c.ID, last)
		}

		ids = append(ids, c.ID)
	}

	m.model.Made(want, id, ids)
}

// previewBatch changes nothing, which compare sees.
func (m *machine) previewBatch() {
	spec := m.drawBatch()

	for len(m.model.Issues) > 0 && len(spec.Commands) < 6 {
		spec.Commands = append(spec.Commands, queue.CommandSpec{Params: m.drawAbout(m.drawKnown())})
	}

	m.sayf("previewBatch %s", show(spec))

	preview, err := m.hub.PreviewBatch(m.ctx(), m.operator(), spec)
	m.must(err, "preview")

	want := m.model.Problems(spec)
	m.sameProblems(preview.Problems, Creation{Problems: want})

	for _, step := range preview.Steps {
		effect, params := queue.EffectUnknown, spec.Commands[step.Position].Params
		if !slices.ContainsFunc(want, func(p Problem) bool { return p.Position == step.Position }) {
			effect = m.model.Effect(params)
		}

		if effect == "" && len(Subjects(params)) > 0 && step.Effect == queue.EffectNoChange {
			m.fatal("command %d would change nothing, and the model says that its state is not reached", step.Position)
		}

		if effect != "" && step.Effect != effect {
			m.fatal("command %d: effect %s, where the model says %s", step.Position, step.Effect, effect)
		}
	}
}

func (m *machine) sameProblems(problems []queue.Problem, want Creation) {
	var got, wanted []string

	add := func(list *[]string, line string) {
		if !slices.Contains(*list, line) {
			*list = append(*list, line)
		}
	}

	for _, p := range problems {
		position := -1
		if p.Position != nil {
			position = *p.Position
		}

		if p.Command == nil {
			add(&got, fmt.Sprint(position, " ", p.Field, " ", p.Code))
		} else if want.Faulty != nil {
			add(&got, fmt.Sprint(*p.Command, " ", p.Code))
		}
	}

	for _, p := range want.Problems {
		m.tally("problem " + string(p.Code))
		add(&wanted, fmt.Sprint(p.Position, " ", p.Field, " ", p.Code))
	}

	for _, id := range slices.Sorted(maps.Keys(want.Faulty)) {
		add(&wanted, fmt.Sprint(id, " ", want.Faulty[id]))
	}

	if !slices.IsSortedFunc(problems, inOrder) {
		m.fatal("problems out of order: %q", got)
	}

	slices.Sort(got)
	slices.Sort(wanted)

	if !slices.Equal(got, wanted) {
		m.fatal("problems %q, where the model says %q", got, wanted)
	}
}

// inOrder is by position and then in the schema's order of fields.
func inOrder(a, b queue.Problem) int {
	place := func(p queue.Problem) int {
		const fields = "title commands tempKey project issueType summary description parent epic key source target type path " +
			"sprint body keys jql fields"

		place := strings.Index(fields, p.Field)
		if p.Position != nil {
			place += (*p.Position + 1) * len(fields)
		}

		return place
	}

	return place(a) - place(b)
}
