package operation

import (
	"math"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// shape is how large a selection is once its fragments are put in.
type shape struct {
	depth, top, fields, aliases int
}

// shapes measures selections. It remembers each fragment: one that spreads the next one twice, and so on, doubles its
// fields at every step, and whoever follows every spread never comes to an end. It runs before the document is
// validated, so a fragment may be missing or spread itself; both count as nothing here and fail the validation.
type shapes struct {
	fragments map[string]*ast.FragmentDefinition
	known     map[string]shape
}

func newShapes(document *ast.QueryDocument) *shapes {
	measured := &shapes{fragments: make(map[string]*ast.FragmentDefinition), known: make(map[string]shape)}
	for _, fragment := range document.Fragments {
		measured.fragments[fragment.Name] = fragment
	}

	return measured
}

func (s *shapes) ofSelections(selections ast.SelectionSet) shape {
	var all shape

	for _, selection := range selections {
		one := s.ofSelection(selection)
		all.depth = max(all.depth, one.depth)
		all.top = add(all.top, one.top)
		all.fields = add(all.fields, one.fields)
		all.aliases = add(all.aliases, one.aliases)
	}

	return all
}

func (s *shapes) ofSelection(selection ast.Selection) shape {
	switch selection := selection.(type) {
	case *ast.Field:
		inner := s.ofSelections(selection.SelectionSet)
		field := shape{depth: inner.depth + 1, top: 1, fields: add(inner.fields, 1), aliases: inner.aliases}

		if selection.Alias != selection.Name {
			field.aliases = add(field.aliases, 1)
		}

		return field
	case *ast.InlineFragment:
		return s.ofSelections(selection.SelectionSet)
	case *ast.FragmentSpread:
		return s.ofFragment(selection.Name)
	default:
		return shape{}
	}
}

func (s *shapes) ofFragment(name string) shape {
	if known, ok := s.known[name]; ok {
		return known
	}

	fragment := s.fragments[name]
	if fragment == nil {
		return shape{}
	}

	s.known[name] = shape{} // what a cycle meets
	s.known[name] = s.ofSelections(fragment.SelectionSet)

	return s.known[name]
}

// checkShape refuses a document that is too large, or of which an operation is.
func (l Limits) checkShape(document *ast.QueryDocument) *gqlerror.Error {
	if definitions := len(document.Operations) + len(document.Fragments); definitions > l.Definitions {
		return refusal.TooComplex("the document has %d operations and fragments; at most %d are allowed", definitions, l.Definitions)
	}

	measured, fields := newShapes(document), 0

	for _, operation := range document.Operations {
		size := measured.ofSelections(operation.SelectionSet)
		fields = add(fields, size.fields)

		switch {
		case size.depth > l.Depth:
			return refusal.TooComplex("the operation is %d fields deep; at most %d are allowed", size.depth, l.Depth)
		case size.top > l.RootFields:
			return refusal.TooComplex("the operation has %d root fields; at most %d are allowed", size.top, l.RootFields)
		case size.aliases > l.Aliases:
			return refusal.TooComplex("the operation has %d aliases; at most %d are allowed", size.aliases, l.Aliases)
		case fields > l.Fields:
			return refusal.TooComplex("the document has %d fields; at most %d are allowed", fields, l.Fields)
		}
	}

	return nil
}

// add is a sum that stops at the largest number instead of passing it.
func add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}

	return a + b
}

// times is a product that stops at the largest number instead of passing it; both are from 1.
func times(a, b int) int {
	if a > math.MaxInt/b {
		return math.MaxInt
	}

	return a * b
}
