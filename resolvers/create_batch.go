package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
)

// CreateBatch takes in a batch, all of it or nothing.
func (m mutation) CreateBatch(ctx context.Context, input graph.BatchInput) (*graph.BatchPayload, error) {
	spec, err := batchSpec(input)
	if err != nil {
		return nil, err
	}

	id, err := m.queue.CreateBatch(ctx, actor(ctx), spec)
	if err != nil {
		return nil, err
	}

	m.renew(ctx)

	return &graph.BatchPayload{ID: id}, nil
}

// PreviewBatch tells what CreateBatch would find wrong and what each command would change.
func (q query) PreviewBatch(ctx context.Context, input graph.BatchInput) (*graph.BatchPreview, error) {
	spec, err := batchSpec(input)
	if err != nil {
		return nil, err
	}

	preview, err := q.queue.PreviewBatch(ctx, actor(ctx), spec)
	if err != nil {
		return nil, err
	}

	return shownPreview(preview), nil
}
