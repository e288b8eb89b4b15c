package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The model would prove nothing if it asked the hub's own rules. It may name types and constants of package queue;
// it calls none of its functions, and no method that has the name of one of its methods.
func TestTheModelCallsNoRuleOfTheHub(t *testing.T) {
	t.Parallel()

	functions, methods := map[string]bool{}, map[string]bool{}

	for _, file := range parsed(t, "../queue") {
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.IsExported() {
				methods[f.Name.Name] = true
			} else if ok {
				functions[f.Name.Name] = true
			}
		}
	}

	if !functions["ParseKey"] || !methods["Open"] {
		t.Fatal("the functions and methods of the hub were not found")
	}

	for name, file := range parsed(t, ".") {
		packages := map[string]bool{}

		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			packages[filepath.Base(path)] = true

			if strings.Contains(path, ".") && !strings.HasSuffix(path, "/queue") {
				t.Errorf("%s imports %s", name, path)
			}
		}

		ast.Inspect(file, func(node ast.Node) bool {
			asked, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}

			if of, ok := asked.X.(*ast.Ident); ok && of.Name == "queue" && functions[asked.Sel.Name] {
				t.Errorf("%s asks queue.%s", name, asked.Sel.Name)
			}

			return true
		})

		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}

			asked, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}

			if of, ok := asked.X.(*ast.Ident); methods[asked.Sel.Name] && (!ok || !packages[of.Name]) {
				t.Errorf("%s calls a method %s, as the hub has one", name, asked.Sel.Name)
			}

			return true
		})
	}
}

// parsed reads the files of a folder that are no tests.
func parsed(t *testing.T, folder string) map[string]*ast.File {
	t.Helper()

	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}

	files := map[string]*ast.File{}

	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}

		files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
	}

	return files
}
