package queue

import "context"

// HoldBatch makes claims pass over the batch's queued commands until ReleaseBatch; what is claimed goes on.
func (q *Queue) HoldBatch(ctx context.Context, by Actor, id BatchID) error {
	return q.setHeld(ctx, by, id, true)
}

// ReleaseBatch ends a hold.
func (q *Queue) ReleaseBatch(ctx context.Context, by Actor, id BatchID) error {
	return q.setHeld(ctx, by, id, false)
}

// setHeld does nothing where the batch is as wanted.
func (q *Queue) setHeld(ctx context.Context, by Actor, id BatchID, held bool) error {
	return q.change(ctx, by, func(tx Tx) error {
		view, err := tx.Batch(ctx, id, false)
		if err != nil {
			return err
		}

		switch {
		case view.Batch == nil:
			return Refusef(NotFound, "no batch %s", id)
		case view.Batch.Held == held:
			return nil
		}

		c := newChange(&view.Site, map[BatchID]*Batch{id: view.Batch}, by)
		view.Batch.Held = held
		c.out.Held = view.Batch

		by := -1
		if held {
			by = 1
		}

		for _, cmd := range view.Commands {
			if cmd.Status == Queued {
				c.wait(cmd, by)
			}
		}

		c.event(Event{Kind: EventBatch, Actor: c.actor, Batch: id})

		return tx.Apply(ctx, c.changes())
	})
}
