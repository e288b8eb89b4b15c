package sim

import (
	"slices"
	"time"
)

// maxWaiting bounds what a held or slow index keeps; beyond it the oldest change is seen early.
const maxWaiting = 100_000

// index is what a search sees: issues as they were before the lag.
type index struct {
	lag  time.Duration
	held bool // nothing new is seen until a reindex

	seen    map[int]*issue // by id
	waiting []version
	// generation grows with every change of what is seen.
	generation int
}

type version struct {
	issue *issue // a copy
	due   time.Time
	held  bool
}

func (x *index) changed(i *issue, now time.Time) {
	if x.lag == 0 && !x.held {
		x.unwait(i.id) // what is newer is seen already
		x.see(i.clone())

		return
	}

	x.waiting = append(x.waiting, version{issue: i.clone(), due: now.Add(x.lag), held: x.held})
	if len(x.waiting) > maxWaiting {
		x.see(x.waiting[0].issue)
		x.waiting = x.waiting[1:]
	}
}

func (x *index) see(copied *issue) {
	x.seen[copied.id] = copied
	x.generation++
}

// catchUp lets the index see what is due, or all.
func (x *index) catchUp(now time.Time, all bool) {
	left := x.waiting[:0]

	for _, v := range x.waiting {
		if all || !v.held && !v.due.After(now) {
			x.see(v.issue)
		} else {
			left = append(left, v)
		}
	}

	clear(x.waiting[len(left):])
	x.waiting = left
}

func (x *index) forget(i *issue) {
	delete(x.seen, i.id)
	x.generation++
	x.unwait(i.id)
}

func (x *index) unwait(id int) {
	x.waiting = slices.DeleteFunc(x.waiting, func(v version) bool { return v.issue.id == id })
}
