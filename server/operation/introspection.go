package operation

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// introspection estimates how many fields an answer about the schema has. gqlgen counts __schema as free, and its own
// rule bounds how often lists nest but not how often each is asked for: two levels of fifty aliases are a billion.
type introspection struct {
	lists     map[string]int // how many items a list of that name has on average
	fragments ast.FragmentDefinitionList
	known     map[string]int
}

func newIntrospection(schema *ast.Schema, document *ast.QueryDocument) *introspection {
	return &introspection{lists: listLengths(schema), fragments: document.Fragments, known: make(map[string]int)}
}

// listLengths are rounded up, so that nothing is free.
func listLengths(schema *ast.Schema) map[string]int {
	var fields, arguments, values, interfaces int

	for _, definition := range schema.Types {
		fields += len(definition.Fields)
		values += len(definition.EnumValues)
		interfaces += len(definition.Interfaces)

		for _, field := range definition.Fields {
			arguments += len(field.Arguments)
		}
	}

	types := len(schema.Types)
	average := func(all, over int) int { return all/max(over, 1) + 1 }

	return map[string]int{
		"types":         types,
		"directives":    len(schema.Directives),
		"fields":        average(fields, types),
		"inputFields":   average(fields, types),
		"args":          average(arguments, fields),
		"enumValues":    average(values, types),
		"interfaces":    average(interfaces, types),
		"possibleTypes": average(interfaces, types),
		"locations":     1,
	}
}

func (i *introspection) ofSelections(selections ast.SelectionSet, inside bool) int {
	sum := 0

	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			sum = add(sum, i.ofField(selection, inside))
		case *ast.InlineFragment:
			sum = add(sum, i.ofSelections(selection.SelectionSet, inside))
		case *ast.FragmentSpread:
			sum = add(sum, i.ofFragment(selection.Name, inside))
		}
	}

	return sum
}

func (i *introspection) ofField(field *ast.Field, inside bool) int {
	inside = inside || field.Name == "__schema" || field.Name == "__type"
	inner := i.ofSelections(field.SelectionSet, inside)

	if !inside {
		return inner
	}

	if length, isList := i.lists[field.Name]; isList {
		return times(length, add(inner, 1))
	}

	return add(inner, 1)
}

// ofFragment needs no heed of where it is spread: a fragment on a type of the introspection counts from its first
// field, and one on a root type counts what is under __schema.
func (i *introspection) ofFragment(name string, inside bool) int {
	if known, ok := i.known[name]; ok {
		return known
	}

	fragment := i.fragments.ForName(name)
	if fragment == nil {
		return 0
	}

	i.known[name] = 0 // what a cycle meets
	i.known[name] = i.ofSelections(fragment.SelectionSet, inside)

	return i.known[name]
}

func (l Limits) checkIntrospection(schema *ast.Schema, document *ast.QueryDocument) *gqlerror.Error {
	measured := newIntrospection(schema, document)

	for _, operation := range document.Operations {
		if fields := measured.ofSelections(operation.SelectionSet, false); fields > l.Introspection {
			return refusal.TooComplex("an answer about the schema would have some %d fields; at most %d are allowed",
				fields, l.Introspection)
		}
	}

	return nil
}
