package queue

import (
	"fmt"
	"slices"
)

// The texts that a skipped command bears, as the requirement has them.
const (
	creationCancelled = "создание задачи %s отменено"
	creationFailed    = "задача %s не создана"
)

// fallen is a creation that ended without success.
type fallen struct {
	creation *Command
	root     CommandID
}

// skipDependents skips every queued command that waits for one of these creations, and so on down the chain. It
// goes level by level: what falls first decides the text, and of those that fall at once the smallest id. It
// returns the skipped commands by id.
func (c *change) skipDependents(waiting *WaitingView, creations ...*Command) []*Command {
	needed := map[CommandID][]Need{}
	for _, need := range waiting.Needs {
		needed[need.Creation] = append(needed[need.Creation], need)
	}

	level := make([]fallen, 0, len(creations))
	for _, creation := range creations {
		level = append(level, fallen{creation: creation, root: creation.ID})
	}

	var skipped []*Command

	for len(level) > 0 {
		slices.SortFunc(level, func(a, b fallen) int { return int(a.creation.ID - b.creation.ID) })

		var next []fallen

		for _, fell := range level {
			for _, need := range needed[fell.creation.ID] {
				cmd := waiting.Commands[need.Command]
				if cmd == nil || cmd.Status != Queued {
					continue
				}

				c.skip(cmd, fell, need.TempKey)

				skipped = append(skipped, cmd)
				if cmd.Kind == KindIssue {
					next = append(next, fallen{creation: cmd, root: fell.root})
				}
			}
		}

		level = next
	}

	slices.SortFunc(skipped, byID)

	return skipped
}

func (c *change) skip(cmd *Command, fell fallen, key Key) {
	text := creationFailed
	if fell.creation.Status == Cancelled {
		text = creationCancelled
	}

	reason := fmt.Sprintf(text, key)
	cmd.Error = &reason
	cmd.RootCause = fell.root
	c.transition(cmd, Skipped, CauseDependencyFailed)
}

// freeDependents tells the queued commands that wait for this creation that it is done.
func (c *change) freeDependents(waiting *WaitingView, creation CommandID) {
	for _, need := range waiting.Needs {
		if cmd := waiting.Commands[need.Command]; need.Creation == creation && cmd != nil && cmd.Status == Queued {
			c.wait(cmd, -1)
		}
	}
}

func byID(a, b *Command) int { return int(a.ID - b.ID) }
