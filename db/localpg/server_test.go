package localpg_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// scratch is a folder that every account can pass. No server may be left in it at the test's end.
func scratch(t *testing.T) string {
	t.Helper()

	dir, err := os.MkdirTemp("/tmp", "localpg")
	if err != nil {
		t.Fatal(err)
	}

	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		for _, pidFile := range glob(t, filepath.Join(dir, "*", "postgres", "postmaster.pid")) {
			if pid := firstLine(pidFile); lives(pid) {
				t.Errorf("a server (process %d) was left running", pid)

				_ = syscall.Kill(pid, syscall.SIGQUIT)
				eventually(t, "the server left running ends", func() bool { return !lives(pid) })
			}
		}

		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})

	return dir
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()

	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}

	return found
}

// firstLine is the number in a file's first line, 0 if there is none.
func firstLine(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}

	line, _, _ := strings.Cut(string(text), "\n")

	pid, err := strconv.Atoi(line)
	if err != nil {
		return 0
	}

	return pid
}

func lives(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) == nil }

// serverPID is the process of the server that runs in a data folder.
func serverPID(t *testing.T, dataDir string) int {
	t.Helper()

	pid := firstLine(filepath.Join(dataDir, "postgres", "postmaster.pid"))
	if !lives(pid) {
		t.Fatalf("no server runs in %s", dataDir)
	}

	return pid
}

// eventually waits for what another process does.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()

	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()

	for limit := time.After(30 * time.Second); !done(); {
		select {
		case <-limit:
			t.Fatalf("waited in vain: %s", what)
		case <-poll.C:
		}
	}
}

// start starts a server that is closed at the test's end, if it was not before.
func start(t *testing.T, cfg localpg.Config) *localpg.Server {
	t.Helper()

	server, err := localpg.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { closeServer(t, server) })

	return server
}

func closeServer(t *testing.T, server *localpg.Server) {
	t.Helper()

	if err := server.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// do runs a statement.
func do(t *testing.T, url, statement string) {
	t.Helper()

	conn := connect(t, url)
	defer conn.Close(t.Context()) //nolint:errcheck // Not what is tested.

	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// ask gives the one value of a query as text.
func ask(t *testing.T, url, query string) string {
	t.Helper()

	conn := connect(t, url)
	defer conn.Close(t.Context()) //nolint:errcheck // Not what is tested.

	var value string
	if err := conn.QueryRow(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}

	return value
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()

	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}

	return conn
}

// expectedAccount is who must own a new cluster: the caller, or for root an unprivileged account.
func expectedAccount(t *testing.T) string {
	t.Helper()

	if os.Geteuid() != 0 {
		return strconv.Itoa(os.Geteuid())
	}

	for _, name := range []string{"postgres", "nobody"} {
		if found, err := user.Lookup(name); err == nil {
			return found.Uid
		}
	}

	t.Fatal("this machine has no unprivileged account")

	return ""
}

func ownerOf(t *testing.T, path string) string {
	t.Helper()

	var stat syscall.Stat_t
	if err := syscall.Lstat(path, &stat); err != nil {
		t.Fatal(err)
	}

	return strconv.FormatUint(uint64(stat.Uid), 10)
}

// logBuffer collects what a server logs; only read it after the server is closed.
func logBuffer() (*slog.Logger, *bytes.Buffer) {
	var text bytes.Buffer

	return slog.New(slog.NewTextHandler(&text, nil)), &text
}

// serverLog is what Postgres itself logged.
func serverLog(t *testing.T, dataDir string) string {
	t.Helper()

	text, err := os.ReadFile(filepath.Join(dataDir, "postgres.log"))
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}
