package queue

import (
	"context"
	"time"
)

// ClaimCall is an agent's question for work.
type ClaimCall struct {
	// Instance names the running agent, "" where it does not.
	Instance string
	// Wait is how long an idle answer may be held back.
	Wait time.Duration
}

// Handout is a command handed to the agent.
type Handout struct {
	Command CommandID
	// Params have real keys in place of all temporary ones but an EnsureIssue's own.
	Params       Params
	PauseSeconds int
	Delivery     int
	DedupeKey    string
}

// deliveryLimit is the error of a command whose report never came, as the requirement has it.
const deliveryLimit = "агент не отчитался после 3 выдач"

// Claim hands out the agent's next command, or says why there is none. It waits for one up to call.Wait; a caller
// who goes away in that time claims nothing, and of several calls of one instance only the newest is handed a
// command.
func (q *Queue) Claim(ctx context.Context, by Actor, call ClaimCall) (*Handout, IdleReason, error) {
	instance, err := readInstance(call.Instance)
	if err != nil {
		return nil, "", err
	}

	waiter := claimWaiter{Queue: q, by: by, instance: instance}
	deadline := time.Now().Add(call.Wait)

	for {
		// Listen before looking, or what changes in between wakes nobody.
		woken := q.waker.Woken(by.Site)
		last := !time.Now().Before(deadline)

		handout, idle, err := waiter.look(ctx, last)
		if err != nil || handout != nil || last || waiter.overtaken {
			return handout, idle, err
		}

		timer := time.NewTimer(min(time.Until(deadline), q.timing.Look))

		select {
		case <-woken:
		case <-timer.C:
		case <-q.drained:
			deadline = time.Time{}
		case <-ctx.Done():
		}

		timer.Stop()

		if ctx.Err() != nil || deadline.IsZero() {
			return nil, idle, ctx.Err() //nolint:wrapcheck // who went away reads nothing
		}
	}
}

// claimWaiter is one claim call while it waits.
type claimWaiter struct {
	*Queue

	by       Actor
	instance string
	// number is what this call took from the site; 0 before its first look.
	number int64
	// overtaken tells that a newer call of the instance came.
	overtaken bool
}

// look takes the site and decides once. The first look takes the call's number, the last one renews the seat; one
// in between writes only where it decided something.
func (w *claimWaiter) look(ctx context.Context, last bool) (*Handout, IdleReason, error) {
	var (
		handout *Handout
		idle    IdleReason
	)

	err := w.change(ctx, w.by, func(tx Tx) error {
		view, err := tx.Claim(ctx)
		if err != nil {
			return err
		}

		first := w.number == 0
		decision := &claimDecision{change: newChange(&view.Site, view.Batches, w.by), view: view, waiter: w}

		handout, idle, err = decision.decide(ctx, tx)
		if err != nil || w.overtaken {
			return err
		}

		if first || last || len(decision.out.Events) > 0 {
			return tx.Apply(ctx, decision.changes())
		}

		return nil
	})

	return handout, idle, err
}
