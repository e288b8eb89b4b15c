package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// HoldBatch has the queued commands of a batch passed over.
func (m mutation) HoldBatch(ctx context.Context, id string) (*queue.Batch, error) {
	return m.changeBatch(ctx, id, m.queue.HoldBatch)
}

// ReleaseBatch ends the hold.
func (m mutation) ReleaseBatch(ctx context.Context, id string) (*queue.Batch, error) {
	return m.changeBatch(ctx, id, m.queue.ReleaseBatch)
}

func (m mutation) changeBatch(
	ctx context.Context, id string, verb func(ctx context.Context, by queue.Actor, id queue.BatchID) error,
) (*queue.Batch, error) {
	named, err := queue.ParseBatchID(id)
	if err != nil {
		return nil, err
	}

	if err := verb(ctx, actor(ctx), named); err != nil {
		return nil, err
	}

	m.renew(ctx)

	return one(ctx, load(ctx).batches, named)
}
