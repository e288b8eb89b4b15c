package resolvers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

// onlyWake are the values that no client sees.
func onlyWake() []string { return []string{"queue.EventBatch", "queue.EventAgent"} }

func parse(t *testing.T, pattern string) []*ast.File {
	t.Helper()

	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no file %s: %v", pattern, err)
	}

	files := make([]*ast.File, 0, len(names))

	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}

		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}

		files = append(files, file)
	}

	return files
}

// constants lists a package's constants by their type, as package.Name.
func constants(t *testing.T, folder string) map[string][]string {
	t.Helper()

	found := map[string][]string{}
	inPackage := filepath.Base(folder) + "."

	for _, file := range parse(t, filepath.Join(folder, "*.go")) {
		ast.Inspect(file, func(node ast.Node) bool {
			declared, ok := node.(*ast.GenDecl)
			if !ok || declared.Tok != token.CONST {
				return true
			}

			for _, spec := range declared.Specs {
				value, _ := spec.(*ast.ValueSpec)
				if named, ok := value.Type.(*ast.Ident); ok {
					for _, name := range value.Names {
						found[inPackage+named.Name] = append(found[inPackage+named.Name], inPackage+name.Name)
					}
				}
			}

			return true
		})
	}

	return found
}

// mapping is a table that the generated code has for an enum: the type of its Go values, and which stands for which
// name of the schema.
type mapping struct {
	goType string
	// reading tells a table that arguments are read with from one that answers are written with.
	reading bool
	values  map[string]string
}

// mappings finds the tables in the generated code.
func mappings(t *testing.T) []mapping {
	t.Helper()

	var found []mapping

	for _, file := range parse(t, "../graph/generated.go") {
		ast.Inspect(file, func(node ast.Node) bool {
			table, ok := node.(*ast.CompositeLit)
			if !ok {
				return true
			}

			of, ok := table.Type.(*ast.MapType)
			if !ok {
				return true
			}

			if goType := selector(of.Value); goType != "" {
				found = append(found, mapping{goType, true, pairs(table, true)})
			} else if goType := selector(of.Key); goType != "" {
				found = append(found, mapping{goType, false, pairs(table, false)})
			}

			return true
		})
	}

	return found
}

func pairs(table *ast.CompositeLit, reading bool) map[string]string {
	values := map[string]string{}

	for _, element := range table.Elts {
		pair, _ := element.(*ast.KeyValueExpr)
		name, value := pair.Key, pair.Value

		if !reading {
			name, value = value, name
		}

		literal, _ := name.(*ast.BasicLit)
		text, _ := strconv.Unquote(literal.Value)
		values[text] = selector(value)
	}

	return values
}

// selector is package.Name, or "" for another expression.
func selector(expression ast.Expr) string {
	selected, ok := expression.(*ast.SelectorExpr)
	if !ok {
		return ""
	}

	inPackage, ok := selected.X.(*ast.Ident)
	if !ok {
		return ""
	}

	return inPackage.Name + "." + selected.Sel.Name
}

// goTypes are the Go types of the schema's enums.
func goTypes() map[string]string {
	return map[string]string{
		"Role": "access.Role", "CommandKind": "queue.Kind", "CommandStatus": "queue.Status", "ChangeCause": "queue.Cause",
		"LinkDirection": "queue.Direction", "BatchStatus": "queue.BatchStatus", "Effect": "queue.Effect",
		"EventKind": "queue.EventKind", "IdleReason": "queue.IdleReason", "Outcome": "queue.Outcome",
	}
}

// TestEveryEnumValueIsMappedOnBothSides reads the tables that gqlgen has made, since a value that stands in none is
// read or written as an empty text and nobody is told.
func TestEveryEnumValueIsMappedOnBothSides(t *testing.T) {
	t.Parallel()

	tables := mappings(t)
	declared := constants(t, "../queue")
	maps.Copy(declared, constants(t, "../access"))

	schema := resolvers.NewExecutableSchema(resolvers.New(resolvers.Config{})).Schema()
	types := goTypes()

	for name, definition := range schema.Types {
		if definition.EnumValues != nil && !definition.BuiltIn && types[name] == "" {
			t.Errorf("the enum %s stands for no Go type here", name)
		}
	}

	for name, goType := range types {
		inSchema := make([]string, len(schema.Types[name].EnumValues))
		for i, value := range schema.Types[name].EnumValues {
			inSchema[i] = value.Name
		}

		inGo := slices.DeleteFunc(declared[goType], func(value string) bool { return slices.Contains(onlyWake(), value) })

		slices.Sort(inSchema)
		slices.Sort(inGo)

		seen := map[bool]bool{}

		for _, table := range tables {
			if table.goType != goType {
				continue
			}

			seen[table.reading] = true

			if got := slices.Sorted(maps.Keys(table.values)); !slices.Equal(got, inSchema) {
				t.Errorf("%s (reading: %t) maps %v; the schema has %v", name, table.reading, got, inSchema)
			}

			if got := slices.Sorted(maps.Values(table.values)); !slices.Equal(got, inGo) {
				t.Errorf("%s (reading: %t) maps to %v; %s has %v", name, table.reading, got, goType, inGo)
			}
		}

		if !seen[true] || !seen[false] {
			t.Errorf("%s has no table for reading or none for writing: %v", name, seen)
		}
	}
}

func TestAnEnumValueIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()

	tables := mappings(t)

	for _, read := range tables {
		for _, written := range tables {
			if read.goType == written.goType && !maps.Equal(read.values, written.values) {
				t.Errorf("%s is mapped in two ways: %v and %v", read.goType, read.values, written.values)
			}
		}
	}
}
