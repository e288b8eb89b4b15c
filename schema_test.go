package architecture_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	parser "github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// member is one thing of the schema that has a description of its own.
type member struct {
	name, description string
	// requires are the roles that may call it; nil for what is no field with @requires.
	requires []string
}

func TestEverythingInTheSchemaIsDescribed(t *testing.T) {
	t.Parallel()

	members := membersOf(contract(t))
	if len(members) < 400 {
		t.Errorf("only %d members were found: this test looked at too little", len(members))
	}

	for _, m := range members {
		if strings.TrimSpace(m.description) == "" {
			t.Errorf("%s has no description", m.name)
		}
	}
}

// Introspection shows descriptions and no directives, so it is there that a reader learns what a role may call.
func TestADescriptionSaysWhichRolesMayCall(t *testing.T) {
	t.Parallel()

	words := map[string]string{
		"VIEWER OPERATOR AGENT ADMIN": "For every role.",
		"VIEWER OPERATOR ADMIN":       "For viewers, operators and administrators.",
		"OPERATOR ADMIN":              "For operators and administrators.",
		"AGENT":                       "For the agent.",
	}
	found := 0

	for _, m := range membersOf(contract(t)) {
		if m.requires == nil {
			continue
		}
		found++

		word, known := words[strings.Join(m.requires, " ")]
		if !known || !strings.HasSuffix(m.description, word) {
			t.Errorf("%s is for %v, and its description ends otherwise: %q", m.name, m.requires, m.description)
		}
	}

	if found < 30 {
		t.Errorf("only %d fields with @requires were found", found)
	}
}

func contract(t *testing.T) *ast.Schema {
	t.Helper()

	text, err := os.ReadFile("schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := parser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// membersOf lists types, fields, arguments, enum values and directives, but for those that GraphQL itself brings.
func membersOf(schema *ast.Schema) []member {
	var members []member

	for _, kind := range schema.Types {
		if kind.BuiltIn {
			continue
		}
		members = append(members, member{name: kind.Name, description: kind.Description})

		for _, value := range kind.EnumValues {
			members = append(members, member{name: kind.Name + "." + value.Name, description: value.Description})
		}
		for _, field := range kind.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			name := kind.Name + "." + field.Name
			members = append(members, member{name: name, description: field.Description, requires: rolesOf(field)})
			members = append(members, argumentsOf(name, field.Arguments)...)
		}
	}

	for _, directive := range schema.Directives {
		if directive.Position.Src.BuiltIn {
			continue
		}
		members = append(members, member{name: "@" + directive.Name, description: directive.Description})
		members = append(members, argumentsOf("@"+directive.Name, directive.Arguments)...)
	}

	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })

	return members
}

func argumentsOf(of string, arguments ast.ArgumentDefinitionList) []member {
	members := make([]member, len(arguments))
	for i, argument := range arguments {
		members[i] = member{name: of + "(" + argument.Name + ")", description: argument.Description}
	}
	return members
}

func rolesOf(field *ast.FieldDefinition) []string {
	requires := field.Directives.ForName("requires")
	if requires == nil {
		return nil
	}

	var roles []string
	for _, role := range requires.Arguments.ForName("roles").Value.Children {
		roles = append(roles, role.Value.Raw)
	}
	return roles
}
