package agent

import (
	"context"
	"errors"

	"github.com/sdlc-hub/sdlc-hub/client"
)

// toHub calls the hub until it answers, however long that takes. The error is the hub's refusal, or the context's end.
func (a *Agent) toHub(ctx context.Context, call func(context.Context) error) error {
	pauses := a.times.pauses()

	for away := false; ; away = true {
		err := call(ctx)
		if ctx.Err() != nil && err != nil {
			return context.Cause(ctx) //nolint:wrapcheck // whoever ended it knows why
		}

		var failure *client.Error
		if !errors.As(err, &failure) || !failure.Temporary() {
			if away {
				a.log.Info("the hub answers again")
			}

			return err
		}

		if !away {
			a.log.Warn("the hub does not answer as wanted; trying on", "error", err)
		}

		if err := pauses.pause(ctx, failure.RetryAfter); err != nil {
			return err
		}
	}
}

// push takes issues to the mirror, in parts where they are too much for one call.
func (a *Agent) push(ctx context.Context, push client.Push) error {
	_, err := a.pushConfirming(ctx, push)

	return err
}

// pushConfirming is push that tells which commands the hub confirmed by it.
func (a *Agent) pushConfirming(ctx context.Context, push client.Push) ([]string, error) {
	push.Instance = a.journal.Instance()

	var confirmed []string

	err := a.toHub(ctx, func(ctx context.Context) error {
		answer, err := a.hub.PushIssues(ctx, push)
		if err != nil {
			return err
		}

		for _, command := range answer.Confirmed {
			confirmed = append(confirmed, command.Id)
		}

		return nil
	})
	if client.CodeOf(err) != client.TooLarge || len(push.Issues) == 0 {
		return confirmed, err
	}

	if len(push.Issues) > 1 {
		half := len(push.Issues) / 2
		first, second := push, push
		first.Issues, first.Missing, second.Issues = push.Issues[:half], nil, push.Issues[half:]

		before, err := a.pushConfirming(ctx, first)
		if err != nil {
			return nil, err
		}

		after, err := a.pushConfirming(ctx, second)

		return append(before, after...), err
	}

	if push.Issues[0].Fields == nil {
		return nil, err
	}

	// One alone: what every issue has must do.
	a.log.Warn("an issue is too large for the hub; its further fields stay behind", "key", push.Issues[0].Key)

	bare := push.Issues[0]
	bare.Fields = nil
	push.Issues = []client.IssueSnapshot{bare}

	return a.pushConfirming(ctx, push)
}
