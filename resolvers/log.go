package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Log is a stretch of the event log.
func (q query) Log(
	ctx context.Context, after *queue.Cursor, first int, newestFirst bool, kinds []queue.EventKind, by *string,
) (*graph.LogConnection, error) {
	if err := checkFirst(first); err != nil {
		return nil, err
	}

	name, err := searchable("actor", by)
	if err != nil {
		return nil, err
	}

	page, err := q.reader.Log(ctx, site(ctx), queue.LogQuery{
		After: after, First: first, NewestFirst: newestFirst, Kinds: kinds, Actor: name,
	})
	if err != nil {
		return nil, err
	}

	nodes := make([]graph.SiteEvent, 0, len(page.Events))

	for _, event := range page.Events {
		if shown := siteEvent(event); shown != nil {
			nodes = append(nodes, shown)
		}
	}

	return &graph.LogConnection{
		Nodes: nodes, PageInfo: &graph.LogPageInfo{HasNextPage: page.HasNext, EndCursor: page.End},
	}, nil
}
