package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Batch finds a batch; null for what names none.
func (q query) Batch(ctx context.Context, id string) (*queue.Batch, error) {
	known, err := queue.ParseBatchID(id)
	if err != nil {
		return nil, nil //nolint:nilerr // an unknown id is null in a query
	}

	return one(ctx, load(ctx).batches, known)
}

// Batches lists batches, newest first.
func (q query) Batches(
	ctx context.Context, filter *graph.BatchFilter, first int, after *string,
) (*graph.BatchConnection, error) {
	page, err := pageOf(first, after)
	if err != nil {
		return nil, err
	}

	wanted, possible, err := batchFilter(filter)
	if err != nil {
		return nil, err
	}

	if !possible {
		return batchConnection(none[*queue.Batch]()), nil
	}

	list, err := q.reader.BatchList(ctx, site(ctx), wanted, page)
	if err != nil {
		return nil, err
	}

	return batchConnection(list), nil
}

// Commands are its commands by position.
func (b batch) Commands(
	ctx context.Context, of *queue.Batch, first int, after *string, statuses []queue.Status, search *string,
) (*graph.CommandConnection, error) {
	page, err := pageOf(first, after)
	if err != nil {
		return nil, err
	}

	sought, err := searchable("search", search)
	if err != nil {
		return nil, err
	}

	if matchesNothing(statuses) {
		return commandConnection(none[*queue.Command]()), nil
	}

	list, err := b.reader.BatchCommands(ctx, site(ctx), of.ID, queue.CommandFilter{Statuses: statuses, Search: sought}, page)
	if err != nil {
		return nil, err
	}

	return commandConnection(list), nil
}

// Batch is the batch that was made.
func (batchPayload) Batch(ctx context.Context, of *graph.BatchPayload) (*queue.Batch, error) {
	if onlyID(ctx, "Batch") {
		return &queue.Batch{ID: of.ID}, nil
	}

	return one(ctx, load(ctx).batches, of.ID)
}
