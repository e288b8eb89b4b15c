package live

import (
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// entry is an event in the ring. It is shared by all readers, so nobody may change it.
type entry struct {
	*queue.Event

	// key and from are all the keys of the issue that the event's Key and MovedFrom name; nil where that is the only one.
	key, from []queue.Key
}

// ring holds the newest events of a log without a gap, the oldest first. It is never changed, only followed by another,
// so that readers take from it without a lock. Of its first entry only the position counts: it is where the ring begins.
type ring []entry

// find gives the place of a position; false where the ring does not hold that very one.
func (r ring) find(at queue.Cursor) (int, bool) {
	if len(r) == 0 {
		return 0, false
	}

	place := at.Seq - r[0].Cursor.Seq
	if place < 0 || place >= int64(len(r)) || r[place].Cursor != at {
		return 0, false
	}

	return int(place), true
}

// head is the newest entry. There is one in every ring that readers see.
func (r ring) head() entry { return r[len(r)-1] }

// follow adds a page of what comes next; false where it does not.
func (r ring) follow(page *queue.LogPage) (ring, bool) {
	next := r

	for _, event := range page.Events {
		if event.Cursor.Seq != next.head().Cursor.Seq+1 {
			return r, false
		}

		next = append(next, newEntry(event, page)) // behind what readers of r see
	}

	return next.rename(page), true
}

// precede adds a page of what comes before, which is newest first; false where it does not.
func (r ring) precede(page *queue.LogPage) (ring, bool) {
	before := make(ring, 0, len(page.Events)+len(r))

	for i, event := range page.Events {
		if event.Cursor.Seq != r[0].Cursor.Seq-1-int64(i) {
			return r, false
		}

		before = append(before, newEntry(event, page))
	}

	slices.Reverse(before)

	return append(before, r...).rename(page), true
}

// trim drops what is too much, and what the log itself does not hold any more; never the head.
func (r ring) trim(most int, begin queue.Cursor) ring {
	if len(r) == 0 {
		return r
	}

	surplus := max(len(r)-most, int(begin.Seq-r[0].Cursor.Seq), 0)

	return r[min(surplus, len(r)-1):]
}

func newEntry(event *queue.Event, page *queue.LogPage) entry {
	return entry{event, page.Names[event.Key], page.Names[event.MovedFrom]}
}
