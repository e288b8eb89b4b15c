package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// postmaster is the private Postgres of a data folder, as its own postmaster.pid tells of it.
type postmaster struct {
	pid       int
	socketDir string
	port      string
}

// postmasterOf reads the pid file of the cluster in a data folder.
func postmasterOf(data string) (postmaster, error) {
	raw, err := os.ReadFile(filepath.Join(data, "postgres", "postmaster.pid"))
	if err != nil {
		return postmaster{}, fmt.Errorf("read the pid file: %w", err)
	}

	// Postgres documents the lines in miscadmin.h.
	const pidLine, portLine, socketLine = 0, 3, 4

	lines := strings.Split(string(raw), "\n")
	if len(lines) <= socketLine {
		return postmaster{}, fmt.Errorf("the pid file is not whole: %q", raw)
	}

	pid, err := strconv.Atoi(strings.TrimSpace(lines[pidLine]))
	if err != nil {
		return postmaster{}, fmt.Errorf("read the pid file: %w", err)
	}

	return postmaster{pid: pid, socketDir: strings.TrimSpace(lines[socketLine]), port: strings.TrimSpace(lines[portLine])}, nil
}

// url is how to connect to the hub's database beside the hub, to look.
func (p postmaster) url() string {
	return "postgres://hub@/hub?" + url.Values{"host": {p.socketDir}, "port": {p.port}}.Encode()
}

// kill ends the postmaster with -9; its children notice that and end too.
func (p postmaster) kill() error {
	if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill Postgres, process %d: %w", p.pid, err)
	}

	return nil
}

// connectBeside connects to the private Postgres of a running hub.
func connectBeside(ctx context.Context, data string) (*pgx.Conn, error) {
	p, err := postmasterOf(data)
	if err != nil {
		return nil, err
	}

	conn, err := pgx.Connect(ctx, p.url())
	if err != nil {
		return nil, fmt.Errorf("connect beside the hub: %w", err)
	}

	return conn, nil
}

// atWork are the processes that have to do with a folder: they work in it or name it on their command line.
func atWork(folder string) ([]string, error) {
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(entries) == 0 {
		return nil, fmt.Errorf("there is no /proc to look through: %w", err)
	}

	var found []string

	for _, entry := range entries {
		pid := filepath.Base(entry)
		if pid == strconv.Itoa(os.Getpid()) {
			continue
		}

		// A process that ends meanwhile has neither; so has one that has ended and waits to be buried.
		cwd, _ := os.Readlink(filepath.Join(entry, "cwd"))
		line, _ := os.ReadFile(filepath.Join(entry, "cmdline"))

		if strings.HasPrefix(cwd, folder) || bytes.Contains(line, []byte(folder)) {
			found = append(found, fmt.Sprintf("%s %q in %s", pid, line, cwd))
		}
	}

	return found, nil
}

// nobodyLeft fails the test where a process still has to do with the folder, or its Postgres' socket is still there.
func nobodyLeft(t *testing.T, folder string, was postmaster) {
	t.Helper()

	left, err := atWork(folder)
	if err != nil {
		t.Fatal(err)
	}

	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	socket := filepath.Join(was.socketDir, ".s.PGSQL."+was.port)
	if _, err := os.Lstat(socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket %s is still there (%v)", socket, err)
	}
}

// await looks until what is told of is so, and fails the test where it does not come to be as soon as a hub comes up.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()

	late := time.After(readyWithin)

	look := time.NewTicker(lookEvery)
	defer look.Stop()

	for !so() {
		select {
		case <-late:
			t.Fatalf("waited %s in vain until %s", readyWithin, what)
		case <-look.C:
		}
	}
}
