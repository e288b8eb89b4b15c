package resolvers

import (
	"context"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// Requires is the directive @requires: it lets callers of those roles through and denies others. gqlgen asks it before
// each field that bears it, on every transport.
func Requires(ctx context.Context, _ any, next graphql.Resolver, roles []access.Role) (any, error) {
	if err := requireOneOf(ctx, roles); err != nil {
		return nil, err
	}

	return next(ctx)
}

func requireOneOf(ctx context.Context, roles []access.Role) error {
	caller, loggedIn := access.From(ctx)

	switch {
	case !loggedIn:
		return access.ErrNoToken
	case caller.HasOneOf(roles...):
		return nil
	default:
		return &access.Denied{
			Code:    access.Forbidden,
			Message: fmt.Sprintf("this is not for the role %s; it is for %s", caller.Role, spelled(roles)),
		}
	}
}

func spelled(roles []access.Role) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = role.String()
	}

	return strings.Join(names, ", ")
}
