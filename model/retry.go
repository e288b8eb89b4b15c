package model

import (
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Retry judges a retry; Made takes its batch in. The rules do not say what the new batch is called: as the old one.
func (s *Site) Retry(by string, spec queue.RetrySpec) Creation {
	ids := slices.Compact(slices.Sorted(slices.Values(spec.IDs)))
	if len(ids) == 0 {
		return Creation{Refusal: queue.Unprocessable}
	}

	creation := Creation{batch: Batch{Author: by}, clientKey: spec.ClientKey, Faulty: map[queue.CommandID]queue.ProblemCode{}}
	creation.content = "retry " + spelling(ids) + spelling(spec.WithRelated)

	if s.repeated(&creation); creation.Before != 0 || creation.Refusal != "" {
		return creation
	}

	chosen := map[*Command]bool{}

	for _, id := range ids {
		c := s.Commands[id]

		switch {
		case c == nil:
			return Creation{Refusal: queue.NotFound}
		case c.Batch != s.Commands[ids[0]].Batch:
			return Creation{Refusal: queue.Unprocessable}
		case !s.retriable(c):
			creation.Faulty[id] = queue.ProblemCode(queue.Conflict)
		}

		chosen[c] = true
	}

	if len(creation.Faulty) > 0 {
		creation.Refusal = queue.Conflict

		return creation
	}

	creation.batch.Title = s.Commands[ids[0]].Batch.Title

	if spec.WithRelated {
		s.addRelated(chosen)
	}

	for _, c := range s.Ordered() {
		if chosen[c] {
			creation.Commands = append(creation.Commands, s.again(c, chosen, &creation))
		}
	}

	return creation
}

// again is a command as a retry repeats it: with the real keys that are known by now.
func (s *Site) again(c *Command, chosen map[*Command]bool, creation *Creation) *Command {
	params := mapKeys(c.Params, func(_ string, key queue.Key) queue.Key {
		if waited := c.needs[key]; waited != nil {
			if known := s.Known(waited); known != "" {
				return known
			}

			if !chosen[waited] {
				creation.Refusal = queue.Unprocessable
				creation.Faulty[c.ID] = queue.TempKeyUnknown
			}
		}

		return key
	})

	if link, ok := params.(queue.EnsureLink); ok && s.present(link.Source) == s.present(link.Target) {
		creation.Refusal = queue.Unprocessable
		creation.Faulty[c.ID] = queue.Malformed
	}

	return &Command{Params: params, RetryOf: c.ID, Chain: c.Chain}
}

// retriable tells whether a command is the newest of its chain and ended without success.
func (s *Site) retriable(c *Command) bool {
	for _, other := range s.Commands {
		if other.Chain == c.Chain && other.ID > c.ID {
			return false
		}
	}

	return c.Status == queue.Failed || c.Status == queue.Cancelled || c.Status == queue.Skipped
}

// Known is the real key that any command of a creation's chain made; "" for none.
func (s *Site) Known(creation *Command) queue.Key {
	for _, c := range s.Commands {
		if c.Chain == creation.Chain && c.Result != "" {
			return c.Result
		}
	}

	return ""
}

// addRelated adds the creations that are waited for and not known, and the skipped commands that wait for what is
// repeated, until there is no more to add.
func (s *Site) addRelated(chosen map[*Command]bool) {
	for before := -1; before < len(chosen); {
		before = len(chosen)

		for _, c := range s.Ordered() {
			for _, creation := range c.needs {
				switch {
				case chosen[c] && !chosen[creation]:
					if s.Known(creation) == "" && s.retriable(creation) {
						chosen[creation] = true
					}
				case chosen[creation] && !chosen[c]:
					if c.Status == queue.Skipped && s.retriable(c) {
						chosen[c] = true
					}
				}
			}
		}
	}
}
