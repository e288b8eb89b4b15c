package trial

import (
	"maps"
	"slices"
	"time"
)

// compare holds what the log came to against the tables.
func (r *replay) compare() {
	if head := int64(len(r.tables.events)); head != r.tables.head {
		r.faultf("the log ends at %d, the site's head is %d", head, r.tables.head)
	}

	if r.inHand != r.tables.inHand {
		r.faultf("command %d is claimed, the site has %d in hand", r.inHand, r.tables.inHand)
	}

	if r.paused != r.tables.paused || r.offHours != r.tables.offHours {
		r.faultf("paused %t and outside hours %t by the log, %t and %t by the site", r.paused, r.offHours, r.tables.paused, r.tables.offHours)
	}

	if !maps.Equal(r.notes, r.tables.notes) {
		r.faultf("the notes are %v by the log, %v by the tables", r.notes, r.tables.notes)
	}

	if !maps.Equal(r.issues, r.tables.issues) {
		r.faultf("the issues are %v by the log, %v by the tables", r.issues, r.tables.issues)
	}

	if !slices.Equal(r.order, r.tables.order) {
		r.faultf("%d commands were submitted, the tables have %d, or in another order", len(r.order), len(r.tables.order))
	}

	for _, id := range r.order {
		r.compareCommand(id)
	}

	r.compareCounts()
}

func (r *replay) compareCommand(id int64) {
	log, row := r.commands[id], r.tables.commands[id]
	if row == nil {
		r.faultf("command %d is gone", id)

		return
	}

	table := row.state

	same := log.status == table.status && text(log.err) == text(table.err) && text(log.resultKey) == text(table.resultKey) &&
		log.deliveries == table.deliveries && sameTime(log.claimedAt, table.claimedAt) &&
		sameTime(log.finishedAt, table.finishedAt) && equal(log.rootCause, table.rootCause)
	if !same {
		r.faultf("command %d is %+v by the log, %+v by the tables", id, *log, table)
	}

	if table.status == queued && table.waiting != r.waiting(id) {
		r.faultf("command %d waits for %d things by the log, %d by the tables", id, r.waiting(id), table.waiting)
	}
}

// compareCounts counts anew what the hub keeps.
func (r *replay) compareCounts() {
	var site counts

	perBatch := map[int64]*counts{}

	for _, id := range r.order {
		status := slices.Index(statuses(), r.commands[id].status)
		batch := r.tables.commands[id].batch

		if perBatch[batch] == nil {
			perBatch[batch] = &counts{}
		}

		perBatch[batch][status]++
		site[status]++
	}

	if site != r.tables.counts {
		r.faultf("the site's counts are %v by the log, %v by the tables", site, r.tables.counts)
	}

	for id, batch := range r.tables.batches {
		counted := perBatch[id]

		switch {
		case counted == nil:
			r.faultf("batch %d has no command", id)
		case *counted != batch.counts:
			r.faultf("the counts of batch %d are %v by the log, %v by the tables", id, *counted, batch.counts)
		case batch.status != counted.batchStatus() || (batch.finishedAt != nil) != (batch.status == "finished"):
			r.faultf("batch %d is %s, finished at %v, with %v", id, batch.status, batch.finishedAt, *counted)
		case batch.held != r.held[id]:
			r.faultf("batch %d is held: %t by the log, %t by the tables", id, r.held[id], batch.held)
		}
	}

	if len(perBatch) != len(r.tables.batches) {
		r.faultf("the log has %d batches, the tables %d", len(perBatch), len(r.tables.batches))
	}
}

// batchStatus is the status of a batch with these counts.
func (c counts) batchStatus() string {
	total := 0
	for _, n := range c {
		total += n
	}

	const queuedAt, claimedAt = 0, 1

	switch {
	case c[queuedAt] == total:
		return "pending"
	case c[queuedAt]+c[claimedAt] == 0:
		return "finished"
	default:
		return "running"
	}
}

func sameTime(a, b *time.Time) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Equal(*b))
}

func equal[T comparable](a, b *T) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}
