package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// RetryCommands makes a batch of new commands with the same parameters.
func (m mutation) RetryCommands(
	ctx context.Context, ids []string, withRelated bool, clientKey *string,
) (*graph.BatchPayload, error) {
	named, err := commandIDs(ids)
	if err != nil {
		return nil, err
	}

	id, err := m.queue.RetryCommands(ctx, actor(ctx), queue.RetrySpec{
		IDs: named, WithRelated: withRelated, ClientKey: clientKey,
	})
	if err != nil {
		return nil, err
	}

	m.renew(ctx)

	return &graph.BatchPayload{ID: id}, nil
}
