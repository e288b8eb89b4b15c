package acceptance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	gql "github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// TestOperationsAreOfTheSchema holds every operation that these tests send
// against the contract, except those that are wrong on purpose.
func TestOperationsAreOfTheSchema(t *testing.T) {
	t.Parallel()
	schema := contract(t)
	found := 0
	for _, one := range constants(t, ".", "hubtest") {
		if !isOperation(one.text) || strings.HasPrefix(one.name, "wrong") {
			continue
		}
		found++
		if _, errs := gqlparser.LoadQueryWithRules(schema, one.text, rules.NewDefaultRules()); len(errs) > 0 {
			t.Errorf("%s: %v\n%s", one.name, errs, one.text)
		}
	}
	if found < 30 {
		t.Errorf("only %d operations were found", found)
	}
}

func isOperation(text string) bool {
	text = strings.TrimSpace(text)
	for _, word := range []string{"query", "mutation", "subscription"} {
		if rest, ok := strings.CutPrefix(text, word); ok && strings.ContainsAny(rest[:min(2, len(rest))], " ({") {
			return true
		}
	}
	return false
}

func contract(t testing.TB) *gql.Schema {
	t.Helper()
	text, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gqlparser.LoadSchema(&gql.Source{Name: "schema.graphqls", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

type constant struct{ name, text string }

// constants are the string constants of the Go files in these folders.
func constants(t testing.TB, folders ...string) []constant {
	t.Helper()
	written := map[string]ast.Expr{}
	type one struct {
		name  string
		value ast.Expr
	}
	var every []one
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(node ast.Node) bool {
				if spec, ok := node.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
					for i, name := range spec.Names {
						written[name.Name] = spec.Values[i]
						every = append(every, one{name.Name, spec.Values[i]})
					}
				}
				return true
			})
		}
	}
	var texts []constant
	for _, one := range every {
		if text, ok := textOf(one.value, written); ok {
			texts = append(texts, constant{one.name, text})
		}
	}
	return texts
}

func textOf(value ast.Expr, written map[string]ast.Expr) (string, bool) {
	switch value := value.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(value.Value)
		return text, err == nil && value.Kind == token.STRING
	case *ast.Ident:
		other, ok := written[value.Name]
		if !ok {
			return "", false
		}
		return textOf(other, written)
	case *ast.BinaryExpr:
		left, ok := textOf(value.X, written)
		right, also := textOf(value.Y, written)
		return left + right, ok && also && value.Op == token.ADD
	default:
		return "", false
	}
}
