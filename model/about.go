package model

import (
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// About lists the commands that are about an issue, under whatever key it had or has, or about a temporary key; newest
// first. Of what stands in `fields` only temporary keys count, and what they became.
func (s *Site) About(key queue.Key) []*Command {
	names := []queue.Key{key, s.present(key)}

	for old, now := range s.Moved {
		if now == s.present(key) {
			names = append(names, old)
		}
	}

	var about []*Command

	for _, c := range slices.Backward(s.Ordered()) {
		keys := []queue.Key{c.TempKey, c.Result}

		mapKeys(c.Params, func(_ string, named queue.Key) queue.Key {
			keys = append(keys, named)
			if creation := c.needs[named]; creation != nil {
				keys = append(keys, creation.Result)
			}

			return named
		})

		if slices.ContainsFunc(keys, func(named queue.Key) bool { return slices.Contains(names, named) }) {
			about = append(about, c)
		}
	}

	return about
}
