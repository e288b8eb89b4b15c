package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

// play runs the tests of a file against a hub of its own, with what that file needs besides in the environment.
func play(t *testing.T, file string, environment ...string) {
	t.Helper()
	install(t)

	folder, database := t.TempDir(), pgtest.New(t)

	program, err := hubtest.Build(t.Context(), "..", folder)
	if err != nil {
		t.Fatal(err)
	}

	hub, err := hubtest.Start(t.Context(), program, database, folder)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := hub.Stop(); err != nil {
			t.Error(err)
		}
	})

	tests := exec.CommandContext(t.Context(), found(t, "node"), "--test", "--test-reporter=spec", file)
	tests.Env = append(append(os.Environ(), environment...),
		"E2E_URL="+hub.URL, "E2E_HUB="+program, "E2E_SITE="+hub.NewSite(t).Name, "HUB_DATABASE_URL="+database)

	report, err := tests.CombinedOutput()
	t.Logf("%s", report)

	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// install brings what the tests need from npm, as the lock file has it.
func install(t *testing.T) {
	t.Helper()

	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}

	installed := filepath.Join("node_modules", "installed-from")
	if from, err := os.ReadFile(installed); err == nil && bytes.Equal(from, lock) {
		return
	}

	npm := exec.CommandContext(t.Context(), found(t, "npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	if said, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, said)
	}

	if err := os.WriteFile(installed, lock, 0o600); err != nil {
		t.Fatal(err)
	}
}

func found(t *testing.T, name string) string {
	t.Helper()

	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is missing: these tests are JavaScript; install Node 20 or newer, with npm", name)
	}

	return path
}
