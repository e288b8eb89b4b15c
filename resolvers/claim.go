package resolvers

import (
	"context"
	"time"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// maxWaitSeconds is how long a claim may wait: less than proxies commonly do.
const maxWaitSeconds = 55

// Claim hands out the next command, or says why there is none.
func (m mutation) Claim(ctx context.Context, waitSeconds int, instance *string) (*graph.ClaimPayload, error) {
	if waitSeconds < 0 || waitSeconds > maxWaitSeconds {
		return nil, queue.Refusef(queue.Unprocessable, "waitSeconds is %d; it must be 0 to %d", waitSeconds, maxWaitSeconds)
	}

	handout, idle, err := m.queue.Claim(ctx, actor(ctx), queue.ClaimCall{
		Instance: orEmpty(instance), Wait: time.Duration(waitSeconds) * time.Second,
	})
	if err != nil {
		return nil, err
	}

	if handout == nil {
		return &graph.ClaimPayload{IdleReason: &idle}, nil
	}

	m.renew(ctx)

	return &graph.ClaimPayload{Claim: &graph.Claim{
		ID: handout.Command, Params: handout.Params,
		PauseSeconds: handout.PauseSeconds, Delivery: handout.Delivery, DedupeKey: handout.DedupeKey,
	}}, nil
}

// Command is the command as it stands after it was handed out.
func (c claim) Command(ctx context.Context, of *graph.Claim) (*queue.Command, error) {
	return c.readCommand(ctx, of.ID)
}

// Heartbeat says that the agent is alive.
func (m mutation) Heartbeat(ctx context.Context, instance string, version, problem *string) (*graph.Agent, error) {
	agent, err := m.queue.Heartbeat(ctx, actor(ctx), queue.Beat{Instance: instance, Version: version, Problem: problem})
	if err != nil {
		return nil, err
	}

	return shownAgent(agent), nil
}

// readCommand reads one command at once: waiting for others that ask too would only cost the agent time.
func (r *Resolver) readCommand(ctx context.Context, id queue.CommandID) (*queue.Command, error) {
	if onlyID(ctx, "Command") {
		return &queue.Command{ID: id}, nil
	}

	found, err := r.reader.CommandsByID(ctx, site(ctx), []queue.CommandID{id})
	if err != nil {
		return nil, err
	}

	return found[id], nil
}
