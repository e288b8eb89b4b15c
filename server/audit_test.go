package server_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// buildFolder is in the project's own, which no one commits; it is kept from one run to the next.
const buildFolder = "../.build/audit"

func TestAllOfTheGraphQLOverHTTPAuditsPass(t *testing.T) {
	folder := prepared(t)
	hub := startHub(t, nil)

	audit := exec.CommandContext(t.Context(), program(t, "node"), "audit.mjs", hub.URL+"/graphql")
	audit.Dir = folder
	audit.Env = append(os.Environ(), "AUDIT_TOKEN="+hub.Operator)

	report, err := audit.CombinedOutput()
	t.Logf("%s", report)

	if err != nil {
		t.Fatalf("the audits: %v", err)
	}

	if !strings.HasSuffix(string(report), "61 passed, 0 failed\n") {
		t.Fatal("not all 61 audits were seen to pass")
	}
}

// prepared gives a folder with the script and what it needs, as the lock file has it.
func prepared(t *testing.T) string {
	t.Helper()

	folder, err := filepath.Abs(buildFolder)
	if err != nil {
		t.Fatal(err)
	}

	if err := os.MkdirAll(folder, 0o750); err != nil {
		t.Fatal(err)
	}

	lock := readFile(t, "audit/package-lock.json")
	installed := filepath.Join(folder, "node_modules", "installed-from")

	writeFile(t, filepath.Join(folder, "audit.mjs"), readFile(t, "audit/audit.mjs"))

	if from, err := os.ReadFile(installed); err == nil && bytes.Equal(from, lock) {
		return folder
	}

	writeFile(t, filepath.Join(folder, "package.json"), readFile(t, "audit/package.json"))
	writeFile(t, filepath.Join(folder, "package-lock.json"), lock)

	install := exec.CommandContext(t.Context(), program(t, "npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = folder

	if said, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci in %s: %v\n%s", folder, err, said)
	}

	writeFile(t, installed, lock)

	return folder
}

func program(t *testing.T, name string) string {
	t.Helper()

	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is missing: the audits of GraphQL over HTTP are JavaScript; install Node 18 or newer", name)
	}

	return path
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()

	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}

	return content
}

func writeFile(t *testing.T, name string, content []byte) {
	t.Helper()

	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
