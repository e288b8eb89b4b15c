// Package architecture_test holds who may import whom. The linter's depguard says the same while code is written; this
// test also sees generated code.
package architecture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/sdlc-hub/sdlc-hub"

const (
	bun        = "github.com/uptrace/bun"
	complexity = "github.com/99designs/gqlgen/complexity"
	gqlgen     = "github.com/99designs/gqlgen/graphql"
	genqlient  = "github.com/Khan/genqlient/graphql"
	gqlparser  = "github.com/vektah/gqlparser/v2"
	loader     = "github.com/vikstrous/dataloadgen"
	pgx        = "github.com/jackc/pgx/v5"
	syncing    = "golang.org/x/sync"
	system     = "golang.org/x/sys"
	timing     = "golang.org/x/time"
	uuid       = "github.com/google/uuid"
	websocket  = "github.com/gorilla/websocket"

	anything = "*"
)

// mayImport names, for each top folder, what its packages may import besides the standard library and each other:
// folders of this module, and modules of others.
func mayImport() map[string][]string {
	return map[string][]string{
		"queue":     {},
		"access":    {timing},
		"jira":      {},
		"db":        {"access", "queue", bun, pgx, syncing, system, uuid},
		"graph":     {"access", "queue", "resolvers/scalar", gqlgen, gqlparser},
		"live":      {"queue", gqlgen, gqlparser, syncing, timing, websocket},
		"resolvers": {"access", "graph", "live", "queue", gqlgen, gqlparser, loader, syncing, uuid},
		"server":    {"access", "graph", "live", "resolvers", "web", gqlgen, complexity, gqlparser, syncing, timing, uuid, websocket},
		"web":       {},
		"client":    {genqlient},
		"agent":     {"client", "jira", "queue", uuid},
		"demo":      {"agent", "client", "jira", "queue", syncing},
		// What wires all of it, measures it and tries it from outside.
		"cmd":        {anything},
		"bench":      {anything},
		"acceptance": {anything},
		"e2e":        {anything},
		"model":      {anything},
		"trial":      {anything},
	}
}

// listed is what `go list -json` says of a package, as far as this test asks. Imports leaves those of its tests out: a
// test may bring a real Postgres to a package that must not know of one.
type listed struct {
	ImportPath string   `json:"ImportPath"` //nolint:tagliatelle // go list's own names
	Imports    []string `json:"Imports"`    //nolint:tagliatelle // likewise
}

func TestNobodyImportsWhatTheArchitectureForbids(t *testing.T) {
	t.Parallel()

	packages := listPackages(t)
	for _, folder := range []string{"queue", "db", "resolvers", "cmd"} {
		if !slices.ContainsFunc(packages, func(p listed) bool { return topFolder(p.ImportPath) == folder }) {
			t.Errorf("no package in %s/: this test looked at too little", folder)
		}
	}

	for _, p := range packages {
		for _, problem := range forbidden(p, mayImport()) {
			t.Error(problem)
		}
	}
}

func TestAForbiddenImportIsFound(t *testing.T) {
	t.Parallel()

	for _, edge := range []listed{
		{ImportPath: module + "/queue", Imports: []string{timing + "/rate"}},
		{ImportPath: module + "/queue", Imports: []string{module + "/db"}},
		{ImportPath: module + "/db/migrations", Imports: []string{module + "/graph"}},
		{ImportPath: module + "/resolvers", Imports: []string{module + "/db"}},
		{ImportPath: module + "/graph", Imports: []string{module + "/resolvers"}},
		{ImportPath: module + "/resolvers", Imports: []string{pgx + "/pgxpool"}},
		{ImportPath: module + "/live/ws", Imports: []string{module + "/graph"}},
		{ImportPath: module + "/server", Imports: []string{module + "/db"}},
		{ImportPath: module + "/jira", Imports: []string{module + "/queue"}},
		{ImportPath: module + "/client", Imports: []string{module + "/queue"}},
		{ImportPath: module + "/agent", Imports: []string{module + "/db"}},
		{ImportPath: module + "/newcomer", Imports: []string{"fmt"}},
	} {
		if len(forbidden(edge, mayImport())) != 1 {
			t.Errorf("%s imports %s, and nothing was said of it", edge.ImportPath, edge.Imports)
		}
	}
}

// forbidden says, in words, which imports of one package its folder's row does not allow.
func forbidden(p listed, rows map[string][]string) []string {
	folder := topFolder(p.ImportPath)
	if folder == "" {
		return nil
	}
	allowed, known := rows[folder]
	if !known {
		return []string{fmt.Sprintf("%s: folder %s/ stands in no row of mayImport; say there whom it may import", p.ImportPath, folder)}
	}
	if slices.Contains(allowed, anything) {
		return nil
	}

	var problems []string
	for _, imported := range p.Imports {
		if standard(imported) || topFolder(imported) == folder {
			continue
		}
		if !slices.ContainsFunc(allowed, func(row string) bool { return covers(row, imported) }) {
			problems = append(problems, fmt.Sprintf("%s must not import %s", p.ImportPath, imported))
		}
	}
	return problems
}

// covers tells whether a row's entry, a folder of this module or a path from outside, holds the imported package.
func covers(row, imported string) bool {
	imported = strings.TrimPrefix(imported, module+"/")

	return imported == row || strings.HasPrefix(imported, row+"/")
}

// topFolder is the first folder of a package of this module, and empty for any other package and for the root.
func topFolder(importPath string) string {
	inside, ok := strings.CutPrefix(importPath, module+"/")
	if !ok {
		return ""
	}
	folder, _, _ := strings.Cut(inside, "/")
	return folder
}

// standard tells a package of the standard library: the first part of its path has no dot.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

func listPackages(t *testing.T) []listed {
	t.Helper()

	var complaint bytes.Buffer
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "./...")
	list.Stderr = &complaint
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaint.String())
	}

	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatalf("reading what go list says: %v", err)
		}
		packages = append(packages, p)
	}
}
