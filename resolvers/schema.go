package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/sdlc-hub/sdlc-hub/graph"
)

// NewExecutableSchema makes the schema of the hub: the resolvers with their loaders, who may call what, and what each
// field costs.
func NewExecutableSchema(resolver *Resolver) graphql.ExecutableSchema {
	return schema{
		ExecutableSchema: graph.NewExecutableSchema(graph.Config{
			Resolvers:  resolver,
			Directives: graph.DirectiveRoot{Requires: Requires},
			Complexity: Complexity(),
		}),
		resolver: resolver,
	}
}

// schema is gqlgen's, with what each operation shall have of its own.
type schema struct {
	graphql.ExecutableSchema
	resolver *Resolver
}

// Exec runs the operation of the context. Each answer of it has loaders of its own.
func (s schema) Exec(ctx context.Context) graphql.ResponseHandler {
	asked := graphql.GetOperationContext(ctx).Operation
	if asked.Operation == ast.Subscription {
		return s.stream(ctx)
	}

	answer := s.ExecutableSchema.Exec(ctx)
	asksCursor := asked.Operation == ast.Query && asksQueueCursor(asked.SelectionSet)

	return func(ctx context.Context) *graphql.Response {
		return answer(s.resolver.begin(ctx, asksCursor))
	}
}

// asksQueueCursor tells whether Queue.cursor stands anywhere below.
func asksQueueCursor(selections ast.SelectionSet) bool {
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			owner := selection.ObjectDefinition
			if selection.Name == "cursor" && owner != nil && owner.Name == "Queue" || asksQueueCursor(selection.SelectionSet) {
				return true
			}
		case *ast.InlineFragment:
			if asksQueueCursor(selection.SelectionSet) {
				return true
			}
		case *ast.FragmentSpread:
			if selection.Definition != nil && asksQueueCursor(selection.Definition.SelectionSet) {
				return true
			}
		}
	}

	return false
}
