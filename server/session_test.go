package server

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/sdlc-hub/sdlc-hub/graph"
)

// TestNothingThatASubscriptionShowsIsItsCallersOwn holds what session.Audience relies on: answers are shared by all callers
// of a site and role. Viewer is the only type that shows who calls.
func TestNothingThatASubscriptionShowsIsItsCallersOwn(t *testing.T) {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	reached := make(map[string]bool)

	var reach func(name string)

	reach = func(name string) {
		definition := schema.Types[name]
		if definition == nil || reached[name] {
			return
		}

		reached[name] = true

		for _, field := range definition.Fields {
			reach(field.Type.Name())
		}

		if definition.Kind == ast.Union || definition.Kind == ast.Interface {
			for _, possible := range schema.PossibleTypes[name] {
				reach(possible.Name)
			}
		}
	}

	reach(schema.Subscription.Name)

	if !reached["Command"] || !reached["PaceChange"] {
		t.Error("this test looked at too little")
	}

	for _, own := range []string{"Viewer", "Query", "Mutation"} {
		if reached[own] {
			t.Errorf("a subscription reaches %s", own)
		}
	}
}
