package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// CancelCommands calls commands off.
func (m mutation) CancelCommands(ctx context.Context, ids []string, force bool) (*graph.CancelPayload, error) {
	named, err := commandIDs(ids)
	if err != nil {
		return nil, err
	}

	cancellation, err := m.queue.CancelCommands(ctx, actor(ctx), named, force)

	return m.cancelled(ctx, cancellation, err)
}

// CancelBatch calls off every command of a batch that has not ended.
func (m mutation) CancelBatch(ctx context.Context, id string, force bool) (*graph.CancelPayload, error) {
	named, err := queue.ParseBatchID(id)
	if err != nil {
		return nil, err
	}

	cancellation, err := m.queue.CancelBatch(ctx, actor(ctx), named, force)

	return m.cancelled(ctx, cancellation, err)
}

func (m mutation) cancelled(ctx context.Context, made *queue.Cancellation, err error) (*graph.CancelPayload, error) {
	if err != nil {
		return nil, err
	}

	m.renew(ctx)

	return &graph.CancelPayload{
		CancelledCount: len(made.Cancelled), SkippedCount: len(made.Skipped), Cancellation: made,
	}, nil
}

// Cancelled are the commands that this call cancelled.
func (cancelPayload) Cancelled(ctx context.Context, of *graph.CancelPayload, first int) ([]*queue.Command, error) {
	return firstOfCommands(ctx, of.Cancellation.Cancelled, first)
}

// Skipped are the commands that were skipped because of it.
func (cancelPayload) Skipped(ctx context.Context, of *graph.CancelPayload, first int) ([]*queue.Command, error) {
	return firstOfCommands(ctx, of.Cancellation.Skipped, first)
}

// StillClaimed are the commands left alone for want of force: one at most.
func (cancelPayload) StillClaimed(ctx context.Context, of *graph.CancelPayload) ([]*queue.Command, error) {
	return commandsOf(ctx, of.Cancellation.StillClaimed)
}

// AlreadyEnded are the commands left alone because they had ended otherwise.
func (cancelPayload) AlreadyEnded(ctx context.Context, of *graph.CancelPayload, first int) ([]*queue.Command, error) {
	return firstOfCommands(ctx, of.Cancellation.AlreadyEnded, first)
}

func firstOfCommands(ctx context.Context, ids []queue.CommandID, first int) ([]*queue.Command, error) {
	if err := checkFirst(first); err != nil {
		return nil, err
	}

	return commandsOf(ctx, ids[:min(first, len(ids))])
}
