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
			r.fault("the log has a gap: number %d is missing", want)

			return r.faults
		}

		r.play()
	}

	r.now = nil
	r.compare()

	return r.faults
}

func (r *replay) fault(format string, args ...any) {
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
			r.fault("command %d: %v", id, err)
		}

		for _, key := range named {
			creation, there := creations[fmt.Sprint(c.batch, key)]

			switch {
			case !there:
				r.fault("command %d names %s, which nothing of its batch creates", id, key)
			case !r.tables.needs[need{id, creation}]:
				r.fault("command %d names %s, and the tables have it not waiting for command %d", id, key, creation)
			case !slices.Contains(r.waits[id], creation):
				r.waits[id] = append(r.waits[id], creation)
				needs++
			}
		}
	}

	if needs != len(r.tables.needs) {
		r.fault("the tables have %d waits, the parameters %d", len(r.tables.needs), needs)
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
			r.fault("read the pace: %v", err)
		}

		r.paused, r.offHours = pace.Paused, pace.WorkingHours != nil
	case "note":
		r.playNote()
	case "issue":
		delete(r.issues, r.now.previous)
		r.issues[r.now.key] = true
	case "agent":
	default:
		r.fault("an event of an unknown kind")
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
		r.fault("read the note: %v", err)
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
		r.fault("it was never submitted")

		return
	case !known:
		r.fault("an unknown cause")

		return
	case r.now.from == nil || *r.now.from != before.status:
		r.fault("the event leaves %s, and the command was %s", text(r.now.from), before.status)
	case !slices.Contains(rule.from, before.status) || !slices.Contains(rule.to, after.status):
		r.fault("it went from %s to %s", before.status, after.status)
	case rule.byHub != (r.now.actor == nil):
		r.fault("its actor is %s", text(r.now.actor))
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
		r.fault("submitted twice")

		return
	case row == nil:
		r.fault("the tables have no such command")

		return
	case r.now.state.status != queued || r.now.from != nil || r.now.batch != row.batch:
		r.fault("submitted as %s, from %s, in batch %d", r.now.state.status, text(r.now.from), r.now.batch)
	case len(r.order) > 0 && r.order[len(r.order)-1] >= id:
		r.fault("the ids are not in the order of the commits: %d came before", r.order[len(r.order)-1])
	}

	// What it waits for besides its creations is the hold of its batch.
	hold := r.now.state.waiting - len(r.waits[id])
	if hold < 0 || hold > 1 {
		r.fault("it waits for %d things and names %d creations", r.now.state.waiting, len(r.waits[id]))
	}

	r.held[row.batch] = hold == 1
	r.order = append(r.order, id)
	submitted := r.now.state
	r.commands[id] = &submitted
}

// judge holds one change against the rules of its cause.
func (r *replay) judge(before, after *state) {
	deliveries, key := before.deliveries, before.resultKey

	switch r.now.cause {
	case "claimed":
		r.judgeTurn()

		deliveries = 1
		r.inHand = r.now.command
	case "redelivered":
		r.judgePace()

		deliveries++
	case "reported":
		if after.status == done {
			key = after.resultKey
		}

		if creates := r.tables.commands[r.now.command].kind == "ensure_issue"; creates != (key != nil) && after.status == done {
			r.fault("done with the key %s", text(key))
		}
	case "delivery_limit":
		if before.deliveries != mostDeliveries || text(after.err) != notReported {
			r.fault("given up after %d deliveries with %s", before.deliveries, text(after.err))
		}
	case "dependency_failed":
		r.judgeSkip(after)
	case "late_report":
		if before.status != after.status || before.resultKey != nil || after.resultKey == nil {
			r.fault("went from %s, key %s, to %s, key %s", before.status, text(before.resultKey), after.status, text(after.resultKey))
		}

		key = after.resultKey
	}

	if after.deliveries != deliveries || after.deliveries > mostDeliveries {
		r.fault("%d deliveries after %d", after.deliveries, before.deliveries)
	}

	if text(after.resultKey) != text(key) {
		r.fault("its key went from %s to %s", text(before.resultKey), text(after.resultKey))
	}

	if ended := final(after.status); ended != (after.finishedAt != nil) {
		r.fault("%s, finished at %v", after.status, after.finishedAt)
	}
}

// judgeTurn: nothing is in hand, and the command is the one with the smallest id that is ready.
func (r *replay) judgeTurn() {
	r.judgePace()

	if r.inHand != 0 {
		r.fault("handed out while command %d is claimed", r.inHand)
	}

	if next := r.nextReady(); next != r.now.command {
		r.fault("handed out of turn: %d is next", next)
	}
}

func (r *replay) judgePace() {
	if r.paused || r.offHours {
		r.fault("handed out while paused (%t) or outside working hours (%t)", r.paused, r.offHours)
	}
}

func (r *replay) nextReady() int64 {
	for r.first < len(r.order) && r.commands[r.order[r.first]].status != queued {
		r.first++
	}

	for _, id := range r.order[r.first:] {
		if r.ready(id) {
			return id
		}
	}

	return 0
}

func (r *replay) ready(id int64) bool {
	return r.commands[id].status == queued && r.waiting(id) == 0
}

// waiting is how many things the command waits for: creations that are not done, and the hold of its batch.
func (r *replay) waiting(id int64) int {
	waiting := 0
	if r.held[r.tables.commands[id].batch] {
		waiting++
	}

	for _, creation := range r.waits[id] {
		if made := r.commands[creation]; made == nil || made.status != done {
			waiting++
		}
	}

	return waiting
}

// judgeSkip: one of the creations it waits for has ended without success, and its text says which and how.
func (r *replay) judgeSkip(after *state) {
	for _, creation := range r.waits[r.now.command] {
		fell := r.commands[creation]
		if fell == nil || !slices.Contains([]string{failed, cancelled, skipped}, fell.status) {
			continue
		}

		wording := creationFailed
		if fell.status == cancelled {
			wording = creationCancelled
		}

		root := creation
		if fell.rootCause != nil {
			root = *fell.rootCause
		}

		if text(after.err) == fmt.Sprintf(wording, *r.tables.commands[creation].tempKey) &&
			after.rootCause != nil && *after.rootCause == root {
			return
		}
	}

	r.fault("skipped with %s, because of %v, and no creation that it waits for explains it", text(after.err), after.rootCause)
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
