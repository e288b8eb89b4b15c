package operation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// variables holds the given variables to the types that the operation declares. gqlparser does so too, but takes a
// number for a text and a text for a number (both are strings to it once numbers are kept exact), any case for an
// enum, and knows @oneOf in literals alone. What passes here passes there.
type variables struct {
	schema *ast.Schema
}

// check refuses the first variable that is not of its type, by its path. A whole number that is written otherwise
// (1.0, 1e3) is rewritten in place for where an integer is due, so that it is taken as one.
func (v variables) check(operation *ast.OperationDefinition, neverNull map[string]bool, given map[string]any) *gqlerror.Error {
	for _, declared := range operation.VariableDefinitions {
		path := "$" + declared.Variable

		value, ok := given[declared.Variable]
		if !ok {
			if declared.Type.NonNull && declared.DefaultValue == nil {
				return refusal.BadRequest("%s must be given: it is a %s", path, declared.Type)
			}

			continue
		}

		if value == nil && !declared.Type.NonNull && neverNull[declared.Variable] {
			return refusal.BadRequest("%s must not be null: it is used where null may not stand", path)
		}

		taken, err := v.value(path, declared.Type, value)
		if err != nil {
			return err
		}

		given[declared.Variable] = taken
	}

	return nil
}

// value gives the value as it is to be taken.
func (v variables) value(path string, due *ast.Type, value any) (any, *gqlerror.Error) {
	if value == nil {
		if due.NonNull {
			return nil, refusal.BadRequest("%s must not be null: it is a %s", path, due)
		}

		return nil, nil // null is a value here
	}

	if due.Elem != nil {
		return v.list(path, due.Elem, value)
	}

	definition := v.schema.Types[due.NamedType]
	if definition == nil {
		return value, nil // an unknown type fails the validation
	}

	switch definition.Kind {
	case ast.InputObject:
		return v.object(path, definition, value)
	case ast.Enum:
		return enumValue(path, definition, value)
	case ast.Scalar:
		return scalar(path, definition.Name, value)
	case ast.Object, ast.Interface, ast.Union:
		return value, nil // no type of an input, which fails the validation
	default:
		return value, nil
	}
}

// list takes a value that is no list as a list of it alone, as GraphQL has it.
func (v variables) list(path string, due *ast.Type, value any) (any, *gqlerror.Error) {
	items, ok := value.([]any)
	if !ok {
		return v.value(path, due, value)
	}

	for i, item := range items {
		taken, err := v.value(path+"["+strconv.Itoa(i)+"]", due, item)
		if err != nil {
			return nil, err
		}

		items[i] = taken
	}

	return items, nil
}

func (v variables) object(path string, definition *ast.Definition, value any) (any, *gqlerror.Error) {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, refusal.BadRequest("%s must be an object (%s), not %s", path, definition.Name, kindOf(value))
	}

	if err := unknownField(path, definition, fields); err != nil {
		return nil, err
	}

	if definition.Directives.ForName("oneOf") != nil {
		if err := oneOf(path, definition, fields); err != nil {
			return nil, err
		}
	}

	for _, declared := range definition.Fields {
		inner, given := fields[declared.Name]
		if !given {
			if declared.Type.NonNull && declared.DefaultValue == nil {
				return nil, refusal.BadRequest("%s.%s must be given: it is a %s", path, declared.Name, declared.Type)
			}

			continue
		}

		taken, err := v.value(path+"."+declared.Name, declared.Type, inner)
		if err != nil {
			return nil, err
		}

		fields[declared.Name] = taken
	}

	return fields, nil
}

func unknownField(path string, definition *ast.Definition, fields map[string]any) *gqlerror.Error {
	for _, name := range sortedKeys(fields) {
		if definition.Fields.ForName(name) == nil {
			return refusal.BadRequest("%s.%.60s is unknown: a %s has %s", path, name, definition.Name, fieldList(definition))
		}
	}

	return nil
}

func oneOf(path string, definition *ast.Definition, fields map[string]any) *gqlerror.Error {
	if len(fields) != 1 {
		return refusal.BadRequest("%s must have exactly one of %s, and has %d", path, fieldList(definition), len(fields))
	}

	for name, value := range fields {
		if value == nil {
			return refusal.BadRequest("%s.%s must not be null: it is the one of %s that counts", path, name, definition.Name)
		}
	}

	return nil
}

func enumValue(path string, definition *ast.Definition, value any) (any, *gqlerror.Error) {
	text, ok := value.(string)
	if !ok {
		return nil, refusal.BadRequest("%s must be a %s, not %s", path, definition.Name, kindOf(value))
	}

	if definition.EnumValues.ForName(text) == nil {
		names := make([]string, len(definition.EnumValues))
		for i, declared := range definition.EnumValues {
			names[i] = declared.Name
		}

		return nil, refusal.BadRequest("%s: there is no %s %.60q; there is %s",
			path, definition.Name, text, strings.Join(names, ", "))
	}

	return value, nil
}

// kindOf names what a JSON value is.
func kindOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case json.Number:
		return "the number " + fmt.Sprintf("%.40s", value.String())
	case bool:
		return strconv.FormatBool(value)
	case []any:
		return "a list"
	default:
		return "an object"
	}
}

func fieldList(definition *ast.Definition) string {
	names := make([]string, len(definition.Fields))
	for i, field := range definition.Fields {
		names[i] = field.Name
	}

	return strings.Join(names, ", ")
}

func sortedKeys(fields map[string]any) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}

	slices.Sort(names)

	return names
}

// depthOf is how deep lists and objects nest in what was read from JSON, the variables themselves not counted.
func depthOf(variables map[string]any) int {
	deepest := 0
	for _, value := range variables {
		deepest = max(deepest, valueDepth(value))
	}

	return deepest
}

func valueDepth(value any) int {
	deepest := 0

	switch value := value.(type) {
	case []any:
		for _, item := range value {
			deepest = max(deepest, valueDepth(item))
		}
	case map[string]any:
		for _, item := range value {
			deepest = max(deepest, valueDepth(item))
		}
	default:
		return 0
	}

	return deepest + 1
}
