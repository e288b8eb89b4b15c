package group_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// buildFolder is in the project's own, which no one commits; it is kept from one run to the next.
const buildFolder = "../../.build/witness"

// witness runs npm's graphql-ws and gives the lines that it prints.
func (h *hub) witness(token, what string) *bufio.Scanner {
	h.t.Helper()

	node := exec.CommandContext(h.t.Context(), program(h.t, "node"), "witness.mjs", "ws://"+h.address+"/graphql", what)
	node.Dir = prepared(h.t)
	node.Env = append(os.Environ(), "HUB_TOKEN="+token, "HUB_AFTER="+cursorAt(0).String())
	node.Stderr = os.Stderr

	leave, err := node.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}

	said, err := node.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}

	if err := node.Start(); err != nil {
		h.t.Fatal(err)
	}

	h.t.Cleanup(func() {
		_ = leave.Close()
		_ = node.Wait() // whatever became of it, the test has its result
	})

	return bufio.NewScanner(said)
}

func TestTheClientOfMostPagesResumesAfterACut(t *testing.T) {
	hub := newHub(t)
	lines := hub.witness(hub.tokens.create("anna", access.Viewer), "resume")

	hub.log.write(changed(1))

	const total = 20
	for n := 1; n <= total; n++ {
		if !lines.Scan() || lines.Text() != cursorAt(int64(n)).String() {
			t.Fatalf("after %d changes: %q, %v", n-1, lines.Text(), lines.Err())
		}

		// The client has cut its connection after every third, so that it is there for some of them alone.
		hub.log.write(changed(queue.BatchID(n + 1)))
	}
}

func TestARefusedLoginIsNoStorm(t *testing.T) {
	hub := newHub(t)

	for what, want := range map[string]string{
		"refused":          "6 4403", // the five times that it tries again unless it is told otherwise
		"refused-for-good": "1 4403",
	} {
		lines := hub.witness(access.NewToken(), what)
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("%s: %q, %v", what, lines.Text(), lines.Err())
		}

		if attempts, _, _ := strings.Cut(want, " "); !lines.Scan() || lines.Text() != attempts {
			t.Errorf("%s: it went on, to %q, %v", what, lines.Text(), lines.Err())
		}
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

	lock := readFile(t, "witness/package-lock.json")
	installed := filepath.Join(folder, "node_modules", "installed-from")

	writeFile(t, filepath.Join(folder, "witness.mjs"), readFile(t, "witness/witness.mjs"))

	if from, err := os.ReadFile(installed); err == nil && bytes.Equal(from, lock) {
		return folder
	}

	writeFile(t, filepath.Join(folder, "package.json"), readFile(t, "witness/package.json"))
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
		t.Fatalf("%s is missing: the client that most pages use is JavaScript; install Node 20 or newer", name)
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
