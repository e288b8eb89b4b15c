package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// SetPace says how fast the agent may go.
func (m mutation) SetPace(ctx context.Context, input graph.PaceInput) (*queue.Pace, error) {
	return m.queue.SetPace(ctx, actor(ctx), paceSpec(input))
}

// PauseQueue has nothing handed out any more.
func (m mutation) PauseQueue(ctx context.Context, reason *string) (*queue.Pace, error) {
	return m.queue.PauseQueue(ctx, actor(ctx), reason)
}

// ResumeQueue ends the pause.
func (m mutation) ResumeQueue(ctx context.Context) (*queue.Pace, error) {
	return m.queue.ResumeQueue(ctx, actor(ctx))
}
