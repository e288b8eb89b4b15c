package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
)

// Viewer is who calls.
func (query) Viewer(ctx context.Context) (*graph.Viewer, error) {
	caller, ok := access.From(ctx)
	if !ok {
		return nil, access.ErrNoToken
	}

	return &graph.Viewer{Name: caller.Token, Role: caller.Role, Site: caller.Site}, nil
}
