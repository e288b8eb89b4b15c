package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The texts of the requirement.
const (
	notReported       = "агент не отчитался после 3 выдач"
	creationCancelled = "создание задачи %s отменено"
	creationFailed    = "задача %s не создана"
)

const mostDeliveries = 3

// replay is a site made anew from its log alone, one event after the other. What a rule forbids is a fault.
type replay struct {
	tables   *tables
	commands map[int64]*state
	// waits are the creations that each command waits for, as its parameters say.
	waits map[int64][]int64
	// order is the ids of the commands as they were submitted, and first the place of the first that may be queued.
	order []int64
	first int

	held     map[int64]bool
	inHand   int64
	paused   bool
	offHours bool
	notes    map[string]noteRow
	issues   map[string]bool

	now    *event
	faults []string
}

// faultsOfLog replays the log and compares what comes of it with the tables.
func (t *tables) faultsOfLog() []string {
	r := &replay{
		tables: t, commands: map[int64]*state{}, waits: map[int64][]int64{}, held: map[int64]bool{},
		notes: map[string]noteRow{}, issues: map[string]bool{},
	}

	r.findWaits()

	for i := range t.events {
		r.now = &t.events[i]
		if want := int64(i + 1); r.now.seq != want {
			r.faultf("the log has a gap: number %d is missing", want)

			return r.faults
		}

		r.play()
	}

	r.now = nil
	r.compare()

	return r.faults
}

func (r *replay) faultf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if r.now != nil {
		text = fmt.Sprintf("event %d (%s %s, command %d): %s", r.now.seq, r.now.kind, r.now.cause, r.now.command, text)
	}

	r.faults = append(r.faults, r.tables.site+": "+text)
}

// findWaits finds who waits for whom in the parameters, and that the table of it says the same.
func (r *replay) findWaits() {
	creations := map[string]int64{}

	for id, c := range r.tables.commands {
		if c.tempKey != nil {
			creations[fmt.Sprint(c.batch, *c.tempKey)] = id
		}
	}

	needs := 0

	for id, c := range r.tables.commands {
		named, err := temporaryKeys(c.params)
		if err != nil {
			r.faultf("command %d: %v", id, err)
		}

		for _, key := range named {
			creation, there := creations[fmt.Sprint(c.batch, key)]

			switch {
			case !there:
				r.faultf("command %d names %s, which nothing of its batch creates", id, key)
			case !r.tables.needs[need{id, creation}]:
				r.faultf("command %d names %s, and the tables have it not waiting for command %d", id, key, creation)
			case !slices.Contains(r.waits[id], creation):
				r.waits[id] = append(r.waits[id], creation)
				needs++
			}
		}
	}

	if needs != len(r.tables.needs) {
		r.faultf("the tables have %d waits, the parameters %d", len(r.tables.needs), needs)
	}
}

func (r *replay) play() {
	switch r.now.kind {
	case "command":
		r.playCommand()
	case "batch":
		r.held[r.now.batch] = !r.held[r.now.batch]
	case "pace":
		var pace paceBody
		if err := json.Unmarshal(r.now.body, &pace); err != nil {
			r.faultf("read the pace: %v", err)
		}

		r.paused, r.offHours = pace.Paused, pace.WorkingHours != nil
	case "note":
		r.playNote()
	case "issue":
		delete(r.issues, r.now.previous)
		r.issues[r.now.key] = true
	case "agent":
	default:
		r.faultf("an event of an unknown kind")
	}
}

func (r *replay) playNote() {
	delete(r.notes, r.now.previous)

	if r.now.body == nil {
		delete(r.notes, r.now.key)

		return
	}

	var body struct {
		Text   string `json:"text"`
		Author string `json:"author"`
	}

	if err := json.Unmarshal(r.now.body, &body); err != nil {
		r.faultf("read the note: %v", err)
	}

	r.notes[r.now.key] = noteRow{text: body.Text, author: body.Author}
}

// step is what one cause may do.
type step struct {
	from, to []string
	// byHub tells that nobody's name stands beside it.
	byHub bool
}

// steps is the life of a command, as rules.md draws it.
func steps() map[string]step {
	return map[string]step{
		"claimed":            {from: []string{queued}, to: []string{claimed}},
		"redelivered":        {from: []string{claimed}, to: []string{claimed}},
		"progress":           {from: []string{claimed}, to: []string{claimed}},
		"reported":           {from: []string{claimed}, to: []string{done, failed}},
		"confirmed_by_state": {from: []string{claimed}, to: []string{confirmed}, byHub: true},
		"cancelled":          {from: []string{queued, claimed}, to: []string{cancelled}},
		"dependency_failed":  {from: []string{queued}, to: []string{skipped}, byHub: true},
		"delivery_limit":     {from: []string{claimed}, to: []string{failed}, byHub: true},
		// No status leaves a final one: a late key is recorded and nothing else.
		"late_report": {from: []string{failed, cancelled}, to: []string{failed, cancelled}},
	}
}

func (r *replay) playCommand() {
	before, after := r.commands[r.now.command], r.now.state

	if r.now.cause == "submitted" {
		r.playSubmitted(before)

		return
	}

	rule, known := steps()[r.now.cause]

	switch {
	case before == nil:
		r.faultf("it was never submitted")

		return
	case !known:
		r.faultf("an unknown cause")

		return
	case r.now.from == nil || *r.now.from != before.status:
		r.faultf("the event leaves %s, and the command was %s", text(r.now.from), before.status)
	case !slices.Contains(rule.from, before.status) || !slices.Contains(rule.to, after.status):
		r.faultf("it went from %s to %s", before.status, after.status)
	case rule.byHub != (r.now.actor == nil):
		r.faultf("its actor is %s", text(r.now.actor))
	}

	r.judge(before, &after)

	if r.inHand == r.now.command && after.status != claimed {
		r.inHand = 0
	}

	r.commands[r.now.command] = &after
}

func (r *replay) playSubmitted(before *state) {
	id, row := r.now.command, r.tables.commands[r.now.command]

	switch {
	case before != nil:
		r.faultf("submitted twice")

		return
	case row == nil:
		r.faultf("the tables have no such command")

		return
	case r.now.state.status != queued || r.now.from != nil || r.now.batch != row.batch:
		r.faultf("submitted as %s, from %s, in batch %d", r.now.state.status, text(r.now.from), r.now.batch)
	case len(r.order) > 0 && r.order[len(r.order)-1] >= id:
		r.faultf("the ids are not in the order of the commits: %d came before", r.order[len(r.order)-1])
	}

	// What it waits for besides its creations is the hold of its batch.
	hold := r.now.state.waiting - len(r.waits[id])
	if hold < 0 || hold > 1 {
		r.faultf("it waits for %d things and names %d creations", r.now.state.waiting, len(r.waits[id]))
	}

	r.held[row.batch] = hold == 1
	r.order = append(r.order, id)
	submitted := r.now.state
	r.commands[id] = &submitted
}

func final(status string) bool { return status != queued && status != claimed }

// text shows what may be missing.
func text(s *string) string {
	if s == nil {
		return "(none)"
	}

	return *s
}

// most faults are one fault many times over.
func shorten(faults []string) string {
	const most = 20
	if len(faults) > most {
		faults = append(faults[:most:most], fmt.Sprintf("... and %d more", len(faults)-most))
	}

	return strings.Join(faults, "\n")
}
