package operation

import (
	"math"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// values reads every value that an operation writes out, and finds what gqlparser passes or mistakes and gqlgen later
// fails over: numbers that no number type holds, values that nest without end, and, once the validation has said what
// type is due where, integers past 32 bits.
type values struct {
	deepest   int
	fragments ast.FragmentDefinitionList
	seen      map[string]bool
	// neverNull are the variables that stand where null may not. They may be declared as nullable where they or the
	// place have a default; null itself is then an error that only the variables' values show.
	neverNull map[string]bool
}

// readValues gives the operation's variables that may not be null, or refuses a value.
func (l Limits) readValues(document *ast.QueryDocument, operation *ast.OperationDefinition) (map[string]bool, *gqlerror.Error) {
	reading := &values{
		deepest: l.ValueDepth, fragments: document.Fragments, seen: make(map[string]bool), neverNull: make(map[string]bool),
	}

	for _, variable := range operation.VariableDefinitions {
		if err := reading.value(variable.DefaultValue, 1); err != nil {
			return nil, err
		}
	}

	if err := reading.directives(operation.Directives); err != nil {
		return nil, err
	}

	if err := reading.selections(operation.SelectionSet); err != nil {
		return nil, err
	}

	return reading.neverNull, nil
}

func (v *values) selections(selections ast.SelectionSet) *gqlerror.Error {
	for _, selection := range selections {
		if err := v.selection(selection); err != nil {
			return err
		}
	}

	return nil
}

func (v *values) selection(selection ast.Selection) *gqlerror.Error {
	switch selection := selection.(type) {
	case *ast.Field:
		return v.field(selection)
	case *ast.InlineFragment:
		if err := v.directives(selection.Directives); err != nil {
			return err
		}

		return v.selections(selection.SelectionSet)
	case *ast.FragmentSpread:
		if err := v.directives(selection.Directives); err != nil {
			return err
		}

		return v.fragment(selection.Name)
	default:
		return nil
	}
}

func (v *values) field(field *ast.Field) *gqlerror.Error {
	if err := v.arguments(field.Arguments); err != nil {
		return err
	}

	if err := v.directives(field.Directives); err != nil {
		return err
	}

	return v.selections(field.SelectionSet)
}

func (v *values) fragment(name string) *gqlerror.Error {
	fragment := v.fragments.ForName(name)
	if fragment == nil || v.seen[name] {
		return nil
	}

	v.seen[name] = true

	return v.selections(fragment.SelectionSet)
}

func (v *values) directives(directives ast.DirectiveList) *gqlerror.Error {
	for _, directive := range directives {
		if err := v.arguments(directive.Arguments); err != nil {
			return err
		}
	}

	return nil
}

func (v *values) arguments(arguments ast.ArgumentList) *gqlerror.Error {
	for _, argument := range arguments {
		if err := v.value(argument.Value, 1); err != nil {
			return err
		}
	}

	return nil
}

func (v *values) value(value *ast.Value, depth int) *gqlerror.Error {
	if value == nil {
		return nil
	}

	switch value.Kind {
	case ast.Variable:
		if value.ExpectedType != nil && value.ExpectedType.NonNull {
			v.neverNull[value.Raw] = true
		}
	case ast.IntValue, ast.FloatValue:
		return checkNumber(value)
	case ast.ListValue, ast.ObjectValue:
		if depth > v.deepest {
			return at(value, refusal.TooComplex("a value nests more than %d levels deep", v.deepest))
		}
	case ast.StringValue, ast.BlockValue, ast.BooleanValue, ast.NullValue, ast.EnumValue:
	}

	for _, child := range value.Children {
		if err := v.value(child.Value, depth+1); err != nil {
			return err
		}
	}

	return nil
}

func checkNumber(value *ast.Value) *gqlerror.Error {
	number, err := strconv.ParseInt(value.Raw, 10, 64)
	if value.Kind == ast.FloatValue {
		_, err = strconv.ParseFloat(value.Raw, 64)
	}

	switch {
	case err != nil:
		return at(value, refusal.BadRequest(
			"%.40s is too large for a number in the document; give it in a variable, where the type allows it", value.Raw))
	case value.Definition != nil && value.Definition.Name == "Int" && (number < math.MinInt32 || number > math.MaxInt32):
		return at(value, refusal.BadRequest("%s is no Int: it has 32 bits", value.Raw))
	default:
		return nil
	}
}

// at says where in the document the error is.
func at(value *ast.Value, err *gqlerror.Error) *gqlerror.Error {
	if value.Position != nil {
		err.Locations = []gqlerror.Location{{Line: value.Position.Line, Column: value.Position.Column}}
	}

	return err
}
