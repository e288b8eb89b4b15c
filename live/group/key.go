package group

import (
	"crypto/sha256"
	"encoding/json"
	"maps"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// key is the same for subscriptions that are given the same answers.
type key [sha256.Size]byte

// after is the argument that says where a log is to be read from. It is what members of a group may differ in.
const after = "after"

func keyOf(operation *graphql.OperationContext, audience Audience) key {
	variables := operation.Variables

	if name := positionVariable(operation); name != "" {
		variables = maps.Clone(variables)
		delete(variables, name)
	}

	// A list, so that no text can pass for the end of another. What variables hold came from JSON.
	text, err := json.Marshal([]any{audience.Key, operation.RawQuery, operation.OperationName, variables})
	if err != nil {
		panic(err)
	}

	return sha256.Sum256(text)
}

// isState tells a subscription that shows how something stands from one that shows each change of a log.
func isState(operation *graphql.OperationContext) bool {
	stream := streamOf(operation)

	return stream != nil && stream.Definition != nil && stream.Definition.Arguments.ForName(after) == nil
}

// streamOf is the one field of a subscription.
func streamOf(operation *graphql.OperationContext) *ast.Field {
	for _, field := range graphql.CollectFields(operation, operation.Operation.SelectionSet, []string{"Subscription"}) {
		return field.Field
	}

	return nil
}

// positionVariable is the variable that is given as after, and used for nothing else; "" where there is none.
func positionVariable(operation *graphql.OperationContext) string {
	stream := streamOf(operation)
	if stream == nil {
		return ""
	}

	given := stream.Arguments.ForName(after)
	if given == nil || given.Value == nil || given.Value.Kind != ast.Variable {
		return ""
	}

	uses := 0
	for _, fragment := range operation.Doc.Fragments {
		uses += usesInSelections(fragment.SelectionSet, given.Value.Raw) + usesInDirectives(fragment.Directives, given.Value.Raw)
	}

	uses += usesInSelections(operation.Operation.SelectionSet, given.Value.Raw)
	uses += usesInDirectives(operation.Operation.Directives, given.Value.Raw)

	if uses > 1 {
		return ""
	}

	return given.Value.Raw
}

func usesInSelections(selections ast.SelectionSet, name string) int {
	uses := 0

	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			uses += usesInArguments(selection.Arguments, name) + usesInDirectives(selection.Directives, name)
			uses += usesInSelections(selection.SelectionSet, name)
		case *ast.InlineFragment:
			uses += usesInDirectives(selection.Directives, name) + usesInSelections(selection.SelectionSet, name)
		case *ast.FragmentSpread:
			uses += usesInDirectives(selection.Directives, name)
		}
	}

	return uses
}

func usesInDirectives(directives ast.DirectiveList, name string) int {
	uses := 0
	for _, directive := range directives {
		uses += usesInArguments(directive.Arguments, name)
	}

	return uses
}

func usesInArguments(arguments ast.ArgumentList, name string) int {
	uses := 0
	for _, argument := range arguments {
		uses += usesInValue(argument.Value, name)
	}

	return uses
}

func usesInValue(value *ast.Value, name string) int {
	if value == nil {
		return 0
	}

	uses := 0
	if value.Kind == ast.Variable && value.Raw == name {
		uses++
	}

	for _, child := range value.Children {
		uses += usesInValue(child.Value, name)
	}

	return uses
}
