package queue

import (
	"context"
	"fmt"
)

// loopOf says why a link leads from an issue to itself, be it under an old key of it; "" where it does not.
func loopOf(p EnsureLink, present func(Key) Key) string {
	now := present(p.Source)

	switch {
	case p.Source == p.Target:
		return fmt.Sprintf("the link leads from %.40q to itself", p.Source)
	case now == present(p.Target):
		return fmt.Sprintf("the link leads from an issue to itself: %.40q and %.40q are one, which has the key %.40q now",
			p.Source, p.Target, now)
	default:
		return ""
	}
}

// presentOfLinks gives the keys that the issues of a batch's links have now, as far as the mirror knows.
func (q *Queue) presentOfLinks(ctx context.Context, by Actor, params []Params) (map[Key]Key, error) {
	ends := map[Key]bool{}

	for _, p := range params {
		link, ok := p.(EnsureLink)
		if ok && !link.Source.Temp() && !link.Target.Temp() {
			ends[link.Source], ends[link.Target] = true, true
		}
	}

	if len(ends) == 0 {
		return nil, nil
	}

	return q.reader.PresentKeys(ctx, by.Site, keysOf(ends))
}

// presentBy reads a map of those keys that are not the present ones.
func presentBy(moved map[Key]Key) func(Key) Key {
	return func(key Key) Key {
		if now, ok := moved[key]; ok {
			return now
		}

		return key
	}
}
