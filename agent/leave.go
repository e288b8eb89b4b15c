package agent

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/client"
)

// leave lets go of a command that the journal has begun and the hub is done with: it was called off, or given up after
// three deliveries. Where it may have created an issue, the hub still takes the key.
func (a *Agent) leave(ctx context.Context) error {
	open := a.journal.kept.Begun
	if open.Creation == nil || open.SentAt == nil {
		return a.journal.strike()
	}

	key, err := a.lookThrough(ctx, search{
		dedupe: open.DedupeKey, creation: open.Creation, since: open.FirstAt, unlabelled: true,
	}, open.SentAt.Add(a.settled()))
	if final := a.final(ctx, err); err != nil && final != nil {
		return final
	}

	if err != nil {
		a.log.Warn("what became of an earlier creation cannot be found out", "command", open.Command, "error", err)
	}

	if key == "" {
		return a.journal.strike()
	}

	a.log.Info("found what an earlier creation made", "command", open.Command, "key", key)

	instance := a.journal.Instance()

	err = a.journal.report(&client.ReportInput{
		Command: open.Command, Outcome: client.OutcomeDone, Key: &key, Instance: &instance,
	})
	if err != nil {
		return err
	}

	return a.deliver(ctx)
}
