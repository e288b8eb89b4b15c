package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// lostIssue is the issue of the command whose report is lost, and lostStatus what it asks for.
const (
	lostIssue  = "AURORA-1532"
	lostStatus = "В работе"
)

// by is who orders the samples.
func (c Config) by() queue.Actor { return queue.Actor{Site: c.Site, Name: "demo"} }

// begin sets a pace that one likes to watch, has a first command done whose report is lost, and orders the rest.
func begin(ctx context.Context, config Config, hub *client.Client, login jira.Config, instance string) error {
	_, err := config.Queue.SetPace(ctx, config.by(), queue.PaceSpec{MinPauseSeconds: minPause, MaxPauseSeconds: maxPause})
	if err != nil {
		return fmt.Errorf("set the pace: %w", err)
	}

	if err := config.order(ctx, lost()); err != nil {
		return err
	}

	if err := loseReport(ctx, hub, login, instance); err != nil {
		return fmt.Errorf("lose a report: %w", err)
	}

	for _, batch := range []queue.BatchSpec{goingWell(), meetingAnError()} {
		if err := config.order(ctx, batch); err != nil {
			return err
		}
	}

	return nil
}

func (c Config) order(ctx context.Context, batch queue.BatchSpec) error {
	if _, err := c.Queue.CreateBatch(ctx, c.by(), batch); err != nil {
		return fmt.Errorf("order the batch %q: %w", *batch.Title, err)
	}

	return nil
}

var errUnexpected = errors.New("the demonstration did not go as it was made to")

// loseReport takes the command that is there, does it in Jira and says nothing, like an agent whose machine died.
func loseReport(ctx context.Context, hub *client.Client, login jira.Config, instance string) error {
	claimed, err := hub.Claim(ctx, 0, instance)
	if err != nil {
		return err
	}

	if claimed.Claim == nil {
		return fmt.Errorf("%w: nothing was handed out", errUnexpected)
	}

	in, err := jira.Connect(ctx, login)
	if err != nil {
		return err
	}
	defer in.Close()

	ways, err := in.Transitions(ctx, lostIssue)
	if err != nil {
		return err
	}

	for _, way := range ways {
		if way.To == lostStatus {
			return in.DoTransition(ctx, lostIssue, way.ID, nil)
		}
	}

	return fmt.Errorf("%w: no way to %q", errUnexpected, lostStatus)
}
