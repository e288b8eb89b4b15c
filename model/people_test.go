package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

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
	m.say("createBatch %s by %s: %d", show(spec), by.Name, id)
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
	m.say("previewBatch %s", show(spec))

	preview, err := m.hub.PreviewBatch(m.ctx(), m.operator(), spec)
	m.must(err, "preview")

	want := Problems(spec)
	m.sameProblems(preview.Problems, Creation{Problems: want})

	for _, step := range preview.Steps {
		effect := m.model.Effect(spec.Commands[step.Position].Params)
		if slices.ContainsFunc(want, func(p Problem) bool { return p.Position == step.Position }) {
			effect = queue.EffectUnknown
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
		const fields = "title commands tempKey project issueType summary description parent epic key source target type path sprint body keys jql fields"

		place := strings.Index(fields, p.Field)
		if p.Position != nil {
			place += (*p.Position + 1) * len(fields)
		}

		return place
	}

	return place(a) - place(b)
}

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
	m.say("cancelCommands %v by %s, force %v", ids, by.Name, force)

	got, err := m.hub.CancelCommands(m.ctx(), by, ids, force)
	want, refusal := m.model.CancelCommands(by.Name, ids, force)
	m.sameCancellation(got, err, want, refusal)
}

func (m *machine) cancelBatch() {
	by, id, force := m.operator(), m.drawBatchID(), rapid.Bool().Draw(m.t, "force")
	m.say("cancelBatch %d by %s, force %v", id, by.Name, force)

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

	m.say("held %v of batch %d by %s", held, id, by.Name)
	m.refused(set(m.ctx(), by, id), m.model.SetHeld(by.Name, id, held))
}

func (m *machine) retryCommands() {
	by, ids := m.operator(), m.drawRetried()
	if len(ids) == 0 && !chance(m.t, "nothing", 5) {
		m.claim()

		return
	}

	spec := queue.RetrySpec{IDs: ids, WithRelated: rapid.Bool().Draw(m.t, "related"), ClientKey: drawClientKey(m.t)}
	if m.retried != nil && chance(m.t, "again", 10) {
		by, spec = m.retriedBy, *m.retried
	}

	if spec.ClientKey != nil {
		m.retriedBy, m.retried = by, &spec
	}

	want := m.model.Retry(by.Name, spec)

	id, err := m.hub.RetryCommands(m.ctx(), by, spec)
	m.say("retryCommands %s by %s: %d", show(spec), by.Name, id)
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

func (m *machine) setNote() {
	by, key := m.operator(), pick(m.t, "key", append(append(tempKeys, tempKeys...), append(realKeys, "aur-1", "AUR")...)...)
	spec := queue.NoteSpec{Key: key, Text: pick(m.t, "text", "one", "two", "three", "four", " ", "a\x00")}
	seen := 0

	if steps := slices.Sorted(maps.Keys(m.seen.noteAt)); len(steps) > 0 && chance(m.t, "guarded", 20) {
		seen = pick(m.t, "seen", steps...)
		spec.IfUpdatedAt = ptr(m.seen.noteAt[seen])
	}

	m.mirrored = true
	m.say("setNote %s by %s", show(spec), by.Name)

	got, err := m.hub.SetNote(m.ctx(), by, spec)

	want, refusal := m.model.SetNote(by.Name, spec.Key, spec.Text, seen)
	if m.refused(err, refusal) {
		return
	}

	if (got == nil) != (want == nil) || want != nil && (got.Key != want.Key || got.Text != want.Text || got.Author != want.Author) {
		m.fatal("note %+v, where the model says %+v", got, want)
	}
}

func (m *machine) setPace() {
	by := m.operator()
	pause := pick(m.t, "pause", [2]int{0, 0}, [2]int{0, 0}, [2]int{1000, 2000}, [2]int{2, 1})
	spec := queue.PaceSpec{MinPauseSeconds: pause[0], MaxPauseSeconds: pause[1]}

	// No run lasts until the day after tomorrow.
	far := (int(time.Now().UTC().Weekday())+2)%7 + 1
	today := queue.WorkingHours{TimeZone: "UTC", Days: []int{1, 2, 3, 4, 5, 6, 7}, From: "00:00", To: "00:00"}
	never := queue.WorkingHours{TimeZone: "UTC", Days: []int{far}, From: "10:00", To: "09:00"}

	spec.WorkingHours.Given = rapid.Bool().Draw(m.t, "hours given")
	spec.WorkingHours.Value = pick(m.t, "hours", nil, nil, &today, &never, &queue.WorkingHours{TimeZone: "Mars/Base", Days: []int{1}})
	spec.PauseAfterFailures.Given = rapid.Bool().Draw(m.t, "limit given")
	spec.PauseAfterFailures.Value = pick(m.t, "limit", nil, ptr(1), ptr(2), ptr(0))

	if !spec.WorkingHours.Given {
		spec.WorkingHours.Value = nil
	}

	if !spec.PauseAfterFailures.Given {
		spec.PauseAfterFailures.Value = nil
	}

	m.say("setPace %s by %s", show(spec), by.Name)

	got, err := m.hub.SetPace(m.ctx(), by, spec)
	if m.refused(err, m.model.SetPace(by.Name, spec)) {
		return
	}

	m.samePace(got)

	if spec.WorkingHours.Given {
		m.afterHours = spec.WorkingHours.Value != nil && len(spec.WorkingHours.Value.Days) == 1
	}
}

func (m *machine) pauseQueue() {
	by, reason := m.operator(), optional(m.t, "reason", "lunch")
	m.say("pauseQueue by %s", by.Name)
	m.model.PauseQueue(by.Name, reason)

	got, err := m.hub.PauseQueue(m.ctx(), by, reason)
	m.must(err, "pause")
	m.samePace(got)
}

func (m *machine) resumeQueue() {
	by := m.operator()
	m.say("resumeQueue by %s", by.Name)
	m.model.ResumeQueue(by.Name)

	got, err := m.hub.ResumeQueue(m.ctx(), by)
	m.must(err, "resume")
	m.samePace(got)
}

func (m *machine) samePace(got *queue.Pace) {
	if want := PaceRow(m.model.Pace); PaceRow(*got) != want {
		m.fatal("pace %s, where the model says %s", PaceRow(*got), want)
	}
}
