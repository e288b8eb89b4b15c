package main

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// The servers that deliver the same thing, by how they are called in the table. The floor is first, the hub second.
const (
	floorName = "a bare gorilla broadcast"
	hubName   = "the hub"
	stockName = "stock gqlgen"
	yogaName  = "graphql-yoga with graphql-ws"
)

// competitor is one of them.
type competitor struct {
	name string
	// start runs it; env goes to those that are Go programs.
	start func(ctx context.Context, env ...string) (*process, error)
	// changes makes the changes that a running one delivers.
	changes func(server *process) change
}

// competitors are all there are. The hub delivers what happens in that site.
func (b *bench) competitors(h *hub, by queue.Actor) []competitor {
	child := func(what string) func(context.Context, ...string) (*process, error) {
		return func(ctx context.Context, env ...string) (*process, error) { return startChild(ctx, what, env...) }
	}

	commits := h.committed(by)

	all := []competitor{
		{floorName, child(broadcastServer), posted},
		{
			hubName,
			func(ctx context.Context, env ...string) (*process, error) { return b.startHub(ctx, h.url, env...) },
			func(*process) change { return commits },
		},
		{stockName, child(stockServer), posted},
	}

	if !hasNode() {
		b.sayf("  %s is left out: node or npm is missing", yogaName)

		return all
	}

	return append(all, competitor{
		yogaName,
		func(ctx context.Context, _ ...string) (*process, error) { return startYoga(ctx) },
		posted,
	})
}
