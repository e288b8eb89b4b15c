package queue

import (
	"context"
	"slices"
)

// Cancellation says what a cancel did, each list by id.
type Cancellation struct {
	// Cancelled by this call, and Skipped because of it.
	Cancelled, Skipped []CommandID
	// StillClaimed were left alone for want of force, AlreadyEnded because they had ended.
	StillClaimed, AlreadyEnded []CommandID
}

// MaxIDs is how many commands one call may name.
const MaxIDs = MaxCommands

// CancelCommands calls off queued commands and, with force, claimed ones. Of an unknown one among them nothing is
// cancelled and the error is NotFound.
func (q *Queue) CancelCommands(ctx context.Context, by Actor, ids []CommandID, force bool) (*Cancellation, error) {
	if err := checkListed("ids", len(ids), MaxIDs); err != nil {
		return nil, err
	}

	ids = slices.Compact(slices.Sorted(slices.Values(ids)))

	var answer *Cancellation

	err := q.change(ctx, by, func(tx Tx) error {
		view, err := tx.Commands(ctx, ids)
		if err != nil {
			return err
		}

		named := make([]*Command, 0, len(ids))

		for _, id := range ids {
			cmd := view.Commands[id]
			if cmd == nil {
				return unknownCommand(id)
			}

			named = append(named, cmd)
		}

		c := newChange(&view.Site, view.Batches, by)
		answer, err = c.cancel(ctx, tx, named, force, false)

		return err
	})

	return answer, err
}

// CancelBatch calls off every command of the batch that has not ended, claimed ones only with force. What waits for
// a creation that this call cancels is skipped with its text, all else is cancelled.
func (q *Queue) CancelBatch(ctx context.Context, by Actor, id BatchID, force bool) (*Cancellation, error) {
	var answer *Cancellation

	err := q.change(ctx, by, func(tx Tx) error {
		view, err := tx.Batch(ctx, id, false)
		if err != nil {
			return err
		}

		if view.Batch == nil {
			return Refusef(NotFound, "no batch %s", id)
		}

		open := slices.DeleteFunc(view.Commands, func(cmd *Command) bool { return !cmd.Status.Open() })
		c := newChange(&view.Site, map[BatchID]*Batch{id: view.Batch}, by)
		answer, err = c.cancel(ctx, tx, open, force, true)

		return err
	})

	return answer, err
}

func unknownCommand(id CommandID) error {
	return &Error{
		Code: NotFound, Message: "no command " + id.String() + "; nothing was changed",
		Problems: []Problem{{Command: &id, Code: ProblemCode(NotFound), Message: "no command " + id.String()}},
	}
}

// cancel calls off what it may of these commands, in the order given, and skips what waits for cancelled creations.
// With cascadeFirst a command among them that waits for a cancelled creation is skipped rather than cancelled.
func (c *change) cancel(ctx context.Context, tx Tx, named []*Command, force, cascadeFirst bool) (*Cancellation, error) {
	answer := &Cancellation{}

	var off, creations []*Command

	for _, cmd := range named {
		switch {
		case !cmd.Status.Open():
			answer.AlreadyEnded = append(answer.AlreadyEnded, cmd.ID)
		case cmd.Status == Claimed && !force:
			answer.StillClaimed = append(answer.StillClaimed, cmd.ID)
		default:
			off = append(off, cmd)
			if cmd.Kind == KindIssue {
				creations = append(creations, cmd)
			}
		}
	}

	waiting, err := c.loadWaiting(ctx, tx, creations)
	if err != nil {
		return nil, err
	}

	waiters := map[CommandID]bool{}
	if cascadeFirst {
		for _, need := range waiting.Needs {
			waiters[need.Command] = true
		}
	}

	var cancelled []*Command

	for _, cmd := range off {
		if !waiters[cmd.ID] {
			c.transition(cmd, Cancelled, CauseCancelled)

			cancelled = append(cancelled, cmd)
		}
	}

	// The two views show a command twice; the one that was called off must not be skipped as well.
	for _, cmd := range cancelled {
		delete(waiting.Commands, cmd.ID)
	}

	fell := slices.DeleteFunc(cancelled, func(cmd *Command) bool { return cmd.Kind != KindIssue })
	answer.Cancelled = idsOf(off, waiters)
	skipped := c.skipDependents(waiting, fell...)
	answer.Skipped = idsOf(skipped, nil)

	if len(answer.Cancelled)+len(answer.Skipped) == 0 {
		return answer, nil
	}

	return answer, tx.Apply(ctx, c.changes())
}

// loadWaiting gives who waits for these creations, all the way down.
func (c *change) loadWaiting(ctx context.Context, tx Tx, creations []*Command) (*WaitingView, error) {
	if len(creations) == 0 {
		return &WaitingView{}, nil
	}

	return tx.Waiting(ctx, idsOf(creations, nil), true)
}

// idsOf lists the ids of the commands but for those left out.
func idsOf(commands []*Command, leftOut map[CommandID]bool) []CommandID {
	ids := make([]CommandID, 0, len(commands))

	for _, cmd := range commands {
		if !leftOut[cmd.ID] {
			ids = append(ids, cmd.ID)
		}
	}

	slices.Sort(ids)

	return ids
}
