package trial

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
)

// record is what the hub answered for on one site: each of it must be found in the end.
type record struct {
	mu       sync.Mutex
	batches  map[string]answered
	byKey    map[batchKey]string
	handouts []*handout
	accepted []acceptedReport
	// ended are the commands that a cancel named, and the status it gave them.
	ended  map[string]string
	faults []string
}

// batchKey is what makes a repeated call safe: a client key, of one token.
type batchKey struct{ author, clientKey string }

// answered is a batch that was answered for.
type answered struct {
	commands []string
	key      batchKey
}

// acceptedReport is a report that was answered with accepted: true.
type acceptedReport struct {
	command string
	status  string
	key     string
	err     string
}

func newRecord() *record {
	return &record{batches: map[string]answered{}, byKey: map[batchKey]string{}, ended: map[string]string{}}
}

// made records the answer to createBatch and retryCommands; clientKey may be empty.
func (r *record) made(clientKey string, batch *batchAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()

	key := batchKey{author: batch.Author, clientKey: clientKey}
	ids := batch.commandIDs()

	if before, known := r.batches[batch.ID]; known && !slices.Equal(before.commands, ids) {
		r.faults = append(r.faults, fmt.Sprintf("batch %s was answered with the commands %v, and then %v", batch.ID, before.commands, ids))
	}

	r.batches[batch.ID] = answered{commands: ids, key: key}

	if clientKey == "" {
		return
	}

	if before, known := r.byKey[key]; known && before != batch.ID {
		r.faults = append(r.faults, fmt.Sprintf("the client key %s made batch %s, and then %s", clientKey, before, batch.ID))
	}

	r.byKey[key] = batch.ID
}

func (r *record) handedOut(out *handout) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.handouts = append(r.handouts, out)
}

func (r *record) reported(report acceptedReport) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.accepted = append(r.accepted, report)
}

func (r *record) calledOff(answer *cancelAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()

	for _, command := range answer.Cancelled {
		r.ended[command.ID] = cancelled
	}

	for _, command := range answer.Skipped {
		r.ended[command.ID] = skipped
	}
}

// confirmed records what a push was told to have confirmed.
func (r *record) confirmed(answer *pushAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()

	for _, command := range answer.Confirmed {
		r.ended[command.ID] = confirmed
	}
}

// faultsIn says what of all that was answered the tables do not have. At most so many
// commands may have been handed out without an answer to tell of it.
func (r *record) faultsIn(t *tables, unanswered int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()

	faults := slices.Clone(r.faults)
	faults = append(faults, r.faultsOfBatches(t)...)
	faults = append(faults, r.faultsOfReports(t)...)
	faults = append(faults, r.faultsOfHandouts(t, unanswered)...)

	for id, status := range r.ended {
		if command := t.byID(id); command == nil || command.state.status != status {
			faults = append(faults, fmt.Sprintf("command %s was answered for as %s, and is not", id, status))
		}
	}

	for i := range faults {
		faults[i] = t.site + ": " + faults[i]
	}

	return faults
}

func (t *tables) byID(id string) *commandRow {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil
	}

	return t.commands[number]
}

func (r *record) faultsOfBatches(t *tables) []string {
	var faults []string

	for id, answer := range r.batches {
		number, err := strconv.ParseInt(id, 10, 64)
		row := t.batches[number]

		if err != nil || row == nil || row.author != answer.key.author {
			faults = append(faults, fmt.Sprintf("batch %s of %s was answered for, and is lost", id, answer.key.author))

			continue
		}

		for position, command := range answer.commands {
			if found := t.byID(command); found == nil || found.batch != number || found.position != position {
				faults = append(faults, fmt.Sprintf("command %s, at %d of batch %s, was answered for, and is lost", command, position, id))
			}
		}

		total := 0
		for _, n := range row.counts {
			total += n
		}

		if total != len(answer.commands) {
			faults = append(faults, fmt.Sprintf("batch %s was answered with %d commands, and has %d", id, len(answer.commands), total))
		}
	}

	keys := map[batchKey]int64{}

	for id, row := range t.batches {
		if row.clientKey == nil {
			continue
		}

		key := batchKey{author: row.author, clientKey: *row.clientKey}
		if other, twice := keys[key]; twice {
			faults = append(faults, fmt.Sprintf("the client key %s of %s made two batches, %d and %d", key.clientKey, key.author, other, id))
		}

		keys[key] = id
	}

	return faults
}

func (r *record) faultsOfReports(t *tables) []string {
	var faults []string

	for _, report := range r.accepted {
		command := t.byID(report.command)

		switch {
		case command == nil || command.state.status != report.status:
			faults = append(faults, fmt.Sprintf("command %s was accepted as %s, and is not", report.command, report.status))
		case report.key != "" && text(command.state.resultKey) != report.key:
			faults = append(faults, fmt.Sprintf("command %s was accepted with the key %s, and has %s",
				report.command, report.key, text(command.state.resultKey)))
		case report.err != "" && text(command.state.err) != report.err:
			faults = append(faults, fmt.Sprintf("command %s was accepted with the error %q, and has %q",
				report.command, report.err, text(command.state.err)))
		}
	}

	return faults
}

// delivery is one handing out of a command.
type delivery struct {
	command int64
	number  int
}

func (r *record) faultsOfHandouts(t *tables, unanswered int) []string {
	var faults []string

	logged := map[delivery]bool{}

	for i := range t.events {
		if e := &t.events[i]; e.cause == "claimed" || e.cause == "redelivered" {
			logged[delivery{e.command, e.state.deliveries}] = true
		}
	}

	told := map[delivery]bool{}

	for _, out := range r.handouts {
		command := t.byID(out.Command.ID)
		if command == nil {
			faults = append(faults, fmt.Sprintf("command %s was handed out, and is lost", out.Command.ID))

			continue
		}

		this := delivery{command.id, out.Delivery}

		switch {
		case told[this]:
			faults = append(faults, fmt.Sprintf("delivery %d of command %d was answered twice", out.Delivery, command.id))
		case !logged[this]:
			faults = append(faults, fmt.Sprintf("delivery %d of command %d was answered, and is not in the log", out.Delivery, command.id))
		case out.DedupeKey != command.dedupeKey:
			faults = append(faults, fmt.Sprintf("command %d was handed out with another dedupeKey, %s", command.id, out.DedupeKey))
		}

		told[this] = true
		faults = append(faults, t.faultsOfHandout(out, command)...)
	}

	if len(told)+unanswered < len(logged) {
		faults = append(faults, fmt.Sprintf("%d deliveries were answered, the log has %d", len(told), len(logged)))
	}

	return faults
}
