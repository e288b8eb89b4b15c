package agent

import (
	"context"
	"slices"
	"time"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// turn asks for one command and brings it to its end.
func (a *Agent) turn(ctx context.Context) error {
	if err := a.relearn(ctx); err != nil {
		return err
	}

	asked := time.Now()

	payload, err := a.claim(ctx)
	if err != nil {
		return err
	}

	if payload.Claim == nil {
		return a.idling(ctx, payload.IdleReason, time.Since(asked))
	}

	a.heard("")

	return a.take(ctx, payload.Claim)
}

func (a *Agent) claim(ctx context.Context) (payload *client.ClaimPayload, err error) {
	a.pulse.claims(true)
	defer a.pulse.claims(false)

	err = a.toHub(ctx, func(ctx context.Context) (err error) {
		payload, err = a.hub.Claim(ctx, a.times.ClaimWait, a.journal.Instance())

		return err
	})

	return payload, err
}

// idling says why there is nothing to do, where that is new, and sees to it that the hub is not asked without a pause.
func (a *Agent) idling(ctx context.Context, told *client.IdleReason, took time.Duration) error {
	reason := client.IdleReasonEmpty
	if told != nil {
		reason = *told
	}

	a.heard(reason)

	// Nothing is claimed: the hub is done with whatever the journal has begun.
	if reason == client.IdleReasonEmpty && a.journal.kept.Begun != nil {
		if err := a.leave(ctx); err != nil {
			return err
		}
	}

	if took < a.times.FirstPause {
		return sleep(ctx, jittered(a.times.FirstPause))
	}

	return nil
}

// heard notes what the hub gives as the reason for handing nothing out; "" where it handed something out.
func (a *Agent) heard(reason client.IdleReason) {
	if reason == a.idle {
		return
	}

	a.idle = reason

	switch reason {
	case client.IdleReasonSeatTaken:
		a.pulse.trouble("another agent holds this site's seat; waiting until it lapses")
	case client.IdleReasonPaused:
		a.pulse.trouble("")
		a.log.Info("the queue is paused")
	case client.IdleReasonOffHours:
		a.pulse.trouble("")
		a.log.Info("outside working hours")
	default:
		a.pulse.trouble("")
	}
}

// take brings a claimed command to its end.
func (a *Agent) take(ctx context.Context, claim *client.Claim) error {
	params, err := paramsOf(claim.Params)
	if err != nil {
		return err
	}

	open := a.journal.kept.Begun
	if open != nil && open.Command != claim.Command.Id {
		if err := a.leave(ctx); err != nil {
			return err
		}
	}

	t := &task{id: claim.Command.Id, params: params, delivery: claim.Delivery, dedupe: claim.DedupeKey}
	t.mayExist = claim.Delivery > 1 || claim.Command.RetryOf != nil || open != nil && open.Command == t.id

	if err := a.journal.begin(begunBy(claim, params)); err != nil {
		return err
	}

	a.log.Info("claimed", "command", t.id, "kind", params.Kind(), "delivery", t.delivery, "pause", claim.PauseSeconds)

	if err := sleep(ctx, time.Duration(claim.PauseSeconds)*time.Second); err != nil {
		return err
	}

	ctx, end := a.finishing(ctx)
	defer end()

	return a.carryOut(ctx, t)
}

// carryOut does the command, writes down what became of it, and reports that.
func (a *Agent) carryOut(ctx context.Context, t *task) error {
	if t.delivery > 1 {
		confirmed, err := a.confirm(ctx, t)
		if err != nil {
			return err
		}

		if confirmed {
			a.log.Info("confirmed by state", "command", t.id)

			return a.journal.strike()
		}
	}

	report, err := a.perform(ctx, t)
	if err != nil {
		return err
	}

	if err := a.journal.report(report); err != nil {
		return err
	}

	return a.deliver(ctx)
}

// begunBy is what the journal keeps of a command.
func begunBy(claim *client.Claim, params queue.Params) begun {
	b := begun{Command: claim.Command.Id, Kind: params.Kind(), DedupeKey: claim.DedupeKey, FirstAt: time.Now()}

	creation, ok := params.(queue.EnsureIssue)
	if !ok {
		return b
	}

	b.Creation = &creation

	// An earlier agent or an earlier command may have created it: not before that was ordered. Both times are the hub's.
	if at := claim.Command.ClaimedAt; at != nil {
		ordered := claim.Command.CreatedAt
		if claim.Command.RetryOf != nil {
			ordered = claim.Command.RetryOf.CreatedAt
		}

		if claim.Delivery > 1 || claim.Command.RetryOf != nil {
			b.FirstAt = b.FirstAt.Add(-at.Sub(ordered))
		}
	}

	return b
}

// confirm shows the hub how the command's issues are, and tells whether that is what was wanted: an earlier delivery
// may have done it.
func (a *Agent) confirm(ctx context.Context, t *task) (bool, error) {
	var subjects []queue.Key

	var fields []string

	switch p := t.params.(type) {
	case queue.EnsureFields:
		subjects, fields = []queue.Key{p.Key}, p.Fields.Names()
	case queue.EnsureStatus:
		subjects = []queue.Key{p.Key}
	case queue.EnsureSprint:
		subjects = []queue.Key{p.Key}
	case queue.EnsureLink:
		subjects = []queue.Key{p.Source, p.Target}
	default:
		return false, nil
	}

	push := client.Push{}

	for _, key := range subjects {
		issue, err := a.readIssue(ctx, string(key), fields...)
		if err != nil {
			// What is wrong with it the command itself will find, and report.
			return false, a.final(ctx, err)
		}

		push.Issues = append(push.Issues, shown(issue).issues...)
	}

	confirmed, err := a.pushConfirming(ctx, push)
	if refusedForGood(err) {
		a.log.Warn("the hub refused what was read before a second try", "command", t.id, "error", err)

		return false, nil
	}

	return slices.Contains(confirmed, t.id), err
}
