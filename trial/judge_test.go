package trial

import (
	"fmt"
	"slices"
)

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
			r.faultf("done with the key %s", text(key))
		}
	case "delivery_limit":
		if before.deliveries != mostDeliveries || text(after.err) != notReported {
			r.faultf("given up after %d deliveries with %s", before.deliveries, text(after.err))
		}
	case "dependency_failed":
		r.judgeSkip(after)
	case "late_report":
		if before.status != after.status || before.resultKey != nil || after.resultKey == nil {
			r.faultf("went from %s, key %s, to %s, key %s", before.status, text(before.resultKey), after.status, text(after.resultKey))
		}

		key = after.resultKey
	}

	if after.deliveries != deliveries || after.deliveries > mostDeliveries {
		r.faultf("%d deliveries after %d", after.deliveries, before.deliveries)
	}

	if text(after.resultKey) != text(key) {
		r.faultf("its key went from %s to %s", text(before.resultKey), text(after.resultKey))
	}

	if ended := final(after.status); ended != (after.finishedAt != nil) {
		r.faultf("%s, finished at %v", after.status, after.finishedAt)
	}
}

// judgeTurn: nothing is in hand, and the command is the one with the smallest id that is ready.
func (r *replay) judgeTurn() {
	r.judgePace()

	if r.inHand != 0 {
		r.faultf("handed out while command %d is claimed", r.inHand)
	}

	if next := r.nextReady(); next != r.now.command {
		r.faultf("handed out of turn: %d is next", next)
	}
}

func (r *replay) judgePace() {
	if r.paused || r.offHours {
		r.faultf("handed out while paused (%t) or outside working hours (%t)", r.paused, r.offHours)
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

	r.faultf("skipped with %s, because of %v, and no creation that it waits for explains it", text(after.err), after.rootCause)
}
