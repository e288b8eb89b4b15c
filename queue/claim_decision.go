package queue

import "context"

// claimDecision decides one look of a claim call.
type claimDecision struct {
	*change

	view   *ClaimView
	waiter *claimWaiter
}

// decide goes through the reasons not to hand anything out, in the order of the rules, and then looks for a command.
func (d *claimDecision) decide(ctx context.Context, tx Tx) (*Handout, IdleReason, error) {
	if taken, err := d.sit(ctx, tx); err != nil || taken {
		return nil, IdleSeatTaken, err
	}

	switch {
	case d.waiter.overtaken:
		return nil, IdleEmpty, nil
	case d.site.Pace.Paused:
		return nil, IdlePaused, nil
	case d.site.Pace.WorkingHours != nil && !d.site.Pace.WorkingHours.Contains(d.site.Now):
		return nil, IdleOffHours, nil
	}

	if lost := d.view.InHand; lost != nil {
		if lost.Deliveries < MaxDeliveries {
			return d.handOut(lost, CauseRedelivered), "", nil
		}

		if err := d.giveUp(ctx, tx, lost); err != nil {
			return nil, "", err
		}

		if err := tx.Ready(ctx, d.view); err != nil {
			return nil, "", err
		}
	}

	if next := d.view.Ready; next != nil {
		return d.handOut(next, CauseClaimed), "", nil
	}

	return nil, IdleEmpty, nil
}

// sit takes or renews the seat and the call's number; true where another instance holds the seat. It notices
// whether a newer call of the same instance came, on whichever hub.
func (d *claimDecision) sit(ctx context.Context, tx Tx) (bool, error) {
	w, seat := d.waiter, &d.site.Seat
	instance := w.instance
	first := w.number == 0

	if first {
		d.site.ClaimNumber++
		w.number = d.site.ClaimNumber
	}

	held := d.site.seatHeld(d.site.Now, w.timing.Seat)
	mine := held && seat.Instance == instance

	if mine {
		if first {
			seat.ClaimNumber = w.number
		}

		w.overtaken = seat.ClaimNumber > w.number
		if !w.overtaken {
			d.seen(instance)
			d.noteHolder()
		}

		return false, nil
	}

	if !first {
		known, err := tx.Agent(ctx, w.by.Name, instance)
		if err != nil {
			return false, err
		}

		w.overtaken = known != nil && known.ClaimNumber > w.number
		if w.overtaken {
			return false, nil
		}
	}

	d.out.Agent = &Agent{Name: w.by.Name, Instance: instance, LastSeenAt: d.site.Now, ClaimNumber: w.number}

	if held {
		return true, nil
	}

	if instance != "" {
		d.takeSeat(instance, w.number)
	}

	return false, nil
}

// takeSeat gives a free seat to the instance.
func (c *change) takeSeat(instance string, number int64) {
	taken := Seat{Instance: instance, SeenAt: c.site.Now, NotedAt: c.site.Now, ClaimNumber: number}
	if c.site.Seat.Instance == instance {
		taken.PauseSeconds = c.site.Seat.PauseSeconds
	}

	c.site.Seat = taken
	c.event(Event{Kind: EventAgent, Actor: c.actor})
}

// handOut delivers the command, for the first time or again.
func (d *claimDecision) handOut(cmd *Command, cause Cause) *Handout {
	now := d.site.Now
	pause := d.waiter.pause(d.site.Pace)

	cmd.Deliveries++
	cmd.ClaimedAt = &now
	cmd.Progress = nil
	d.transition(cmd, Claimed, cause)
	d.site.Seat.PauseSeconds = 0

	if seat := &d.site.Seat; seat.Instance != "" && seat.Instance == d.waiter.instance {
		seat.PauseSeconds = pause
	}

	if cause == CauseClaimed {
		d.site.ReadyFrom = cmd.ID + 1
	}

	return &Handout{
		Command: cmd.ID, Params: Substitute(cmd.Params, d.view.Real[cmd.ID]),
		PauseSeconds: pause, Delivery: cmd.Deliveries, DedupeKey: cmd.DedupeKey,
	}
}

// giveUp fails a command whose report never came, and skips what waits for it.
func (d *claimDecision) giveUp(ctx context.Context, tx Tx, cmd *Command) error {
	reason := deliveryLimit
	cmd.Error = &reason
	d.transition(cmd, Failed, CauseDeliveryLimit)

	return d.creationFell(ctx, tx, cmd)
}

// creationFell skips what waits for a creation that ended without success; of other commands nothing hangs.
func (c *change) creationFell(ctx context.Context, tx Tx, cmd *Command) error {
	if cmd.Kind != KindIssue {
		return nil
	}

	waiting, err := tx.Waiting(ctx, []CommandID{cmd.ID}, true)
	if err != nil {
		return err
	}

	c.skipDependents(waiting, cmd)

	return nil
}
