package model

import (
	"fmt"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// skipDependents skips what waits for these creations, which ended at once without success, and so on down the chain.
// What ended first gives its text, and of those that ended at once the one with the smaller id.
func (s *Site) skipDependents(fallen ...*Command) []queue.CommandID {
	root := map[*Command]queue.CommandID{}
	for _, f := range fallen {
		root[f] = f.ID
	}

	var skipped []queue.CommandID

	for len(fallen) > 0 {
		slices.SortFunc(fallen, func(a, b *Command) int { return int(a.ID - b.ID) })

		var next []*Command

		for _, f := range fallen {
			for _, c := range s.Ordered() {
				if c.Status != queue.Queued || !f.Creates() || c.needs[f.TempKey] != f {
					continue
				}

				c.Error = fmt.Sprintf("задача %s не создана", f.TempKey)
				if f.Status == queue.Cancelled {
					c.Error = fmt.Sprintf("создание задачи %s отменено", f.TempKey)
				}

				c.RootCause, root[c] = root[f], root[f]
				s.turn(c, queue.Skipped, queue.CauseDependencyFailed, "")
				skipped, next = append(skipped, c.ID), append(next, c)
			}
		}

		fallen = next
	}

	slices.Sort(skipped)

	return skipped
}

// CancelCommands calls off what a person names.
func (s *Site) CancelCommands(by string, ids []queue.CommandID, force bool) (queue.Cancellation, queue.Code) {
	var (
		answer queue.Cancellation
		off    []*Command
	)

	slices.Sort(ids)

	for _, id := range slices.Compact(ids) {
		c := s.Commands[id]

		switch {
		case c == nil:
			return queue.Cancellation{}, queue.NotFound
		case c.Ended():
			answer.AlreadyEnded = append(answer.AlreadyEnded, id)
		case c.Status == queue.Claimed && !force:
			answer.StillClaimed = append(answer.StillClaimed, id)
		default:
			off = append(off, c)
		}
	}

	s.callOff(by, off, &answer)

	return answer, ""
}

// CancelBatch calls off everything of a batch that is open; what waits for a creation that this very call ends is
// skipped instead.
func (s *Site) CancelBatch(by string, id queue.BatchID, force bool) (queue.Cancellation, queue.Code) {
	var answer queue.Cancellation

	if s.Batches[id] == nil {
		return answer, queue.NotFound
	}

	ending := map[*Command]bool{}

	for _, c := range s.Ordered() {
		switch {
		case c.Batch.ID != id || c.Ended():
		case c.Status == queue.Claimed && !force:
			answer.StillClaimed = append(answer.StillClaimed, c.ID)
		default:
			ending[c] = true
		}
	}

	var off []*Command

	for c := range ending {
		waits := false
		for _, creation := range c.needs {
			waits = waits || ending[creation]
		}

		if !waits {
			off = append(off, c)
		}
	}

	s.callOff(by, off, &answer)

	return answer, ""
}

func (s *Site) callOff(by string, off []*Command, answer *queue.Cancellation) {
	for _, c := range off {
		s.turn(c, queue.Cancelled, queue.CauseCancelled, by)
		answer.Cancelled = append(answer.Cancelled, c.ID)
	}

	slices.Sort(answer.Cancelled)
	answer.Skipped = s.skipDependents(off...)
}
