package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Queue is the site's queue as it is now.
func (q query) Queue(ctx context.Context) (*graph.Queue, error) {
	running := operationOf(ctx)
	if running.beganErr != nil {
		return nil, running.beganErr
	}

	state, err := q.reader.Queue(ctx, site(ctx))
	if err != nil {
		return nil, err
	}

	return &graph.Queue{Counts: &state.Counts, Pace: &state.Pace, Cursor: running.began}, nil
}

// Agents are those seen in the last week.
func (q queueAnswer) Agents(ctx context.Context, of *graph.Queue) ([]*graph.Agent, error) {
	agents := of.Known
	if agents == nil {
		var err error
		if agents, err = q.reader.Agents(ctx, site(ctx)); err != nil {
			return nil, err
		}
	}

	shown := make([]*graph.Agent, len(agents))
	for i, agent := range agents {
		shown[i] = shownAgent(agent)
	}

	return shown, nil
}

// Jira is what the agent told of it; null before it did.
func (q query) Jira(ctx context.Context) (*queue.Jira, error) {
	return q.reader.Jira(ctx, site(ctx))
}
