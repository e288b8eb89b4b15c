package live

import (
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// names are all the keys of each issue that a page shows, by each of them; nil for an issue with only one. Every key
// is one issue's, so what is said of one says of all others that they are not its.
type names map[queue.Key][]queue.Key

func namesIn(page *queue.LogPage) names {
	known := names{}

	for _, event := range page.Events {
		for _, key := range []queue.Key{event.Key, event.MovedFrom} {
			known[key] = page.Names[key]

			for _, other := range page.Names[key] {
				known[other] = page.Names[key]
			}
		}
	}

	return known
}

// of gives all the keys of the issue that has this one, of which were known so far.
func (n names) of(key queue.Key, were []queue.Key) []queue.Key {
	if now, ok := n[key]; ok {
		return now
	}

	elsewhere := func(other queue.Key) bool {
		_, ok := n[other]

		return ok
	}
	if !slices.ContainsFunc(were, elsewhere) {
		return were
	}

	left := slices.DeleteFunc(slices.Clone(were), elsewhere)
	if len(left) < 2 {
		return nil
	}

	return left
}

// rename brings what the ring knows of moved issues up to a page that was read later. Nothing moves without an event
// that shows it.
func (r ring) rename(page *queue.LogPage) ring {
	if len(page.Names) == 0 && !slices.ContainsFunc(r, entry.moved) {
		return r
	}

	known := namesIn(page)
	fresh := r

	for i, e := range r {
		key, from := known.of(e.Key, e.key), known.of(e.MovedFrom, e.from)
		if slices.Equal(key, e.key) && slices.Equal(from, e.from) {
			continue
		}

		if &fresh[0] == &r[0] {
			fresh = slices.Clone(r) // readers see r
		}

		fresh[i].key, fresh[i].from = key, from
	}

	return fresh
}

func (e entry) moved() bool { return e.key != nil || e.from != nil }
