package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// setting is where a hub runs: on which address, over which data.
type setting struct {
	// address is the hub's, host and port.
	address string
	// data is its data folder; "" where it is given a database.
	data string
	// logs is the folder in which each hub writes a log of its own.
	logs string
	// program is the hub's, "" for hubProgram.
	program string
	// env is what the hub's programs are told.
	env []string
}

// overData is a setting with a Postgres of the hub's own in that folder.
func overData(t *testing.T, data string) setting {
	t.Helper()

	return newSetting(t, data, "HUB_DATA_DIR="+data)
}

// overDatabase is a setting with a given database.
func overDatabase(t *testing.T, url string) setting {
	t.Helper()

	return newSetting(t, "", "HUB_DATABASE_URL="+url)
}

func newSetting(t *testing.T, data, where string) setting {
	t.Helper()

	address := freeAddress(t)

	return setting{
		address: address, data: data, logs: t.TempDir(),
		env: append(cleanEnvironment(), where, "HUB_LISTEN="+address, "HUB_LOG_LEVEL=info"),
	}
}

// cleanEnvironment is the caller's without what would steer a hub, but for where Postgres' programs are.
func cleanEnvironment() []string {
	var kept []string

	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "HUB_") || strings.HasPrefix(pair, "HUB_POSTGRES_BIN=") {
			kept = append(kept, pair)
		}
	}

	return kept
}

// with is the same setting with another variable.
func (s setting) with(pair string) setting {
	s.env = append(slices.Clip(s.env), pair)

	return s
}

// said is what a program of the hub's wrote, and the code it ended with.
type said struct {
	stdout, stderr string
	code           int
}

// run calls the hub's command line and waits for its end, whatever that is.
func (s setting) run(ctx context.Context, args ...string) (said, error) {
	var stdout, stderr bytes.Buffer

	call := exec.CommandContext(ctx, hubProgram, args...)
	// Else the race detector keeps each of them for a second after its end.
	call.Env = append(slices.Clip(s.env), "GORACE=atexit_sleep_ms=0")
	call.Stdout, call.Stderr = &stdout, &stderr

	err := call.Run()

	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return said{}, fmt.Errorf("hub %s: %w", strings.Join(args, " "), err)
	}

	answer := said{stdout: stdout.String(), stderr: stderr.String(), code: call.ProcessState.ExitCode()}
	if strings.Contains(answer.stderr, raceMark) {
		return answer, fmt.Errorf("hub %s saw a data race:\n%s", strings.Join(args, " "), answer.stderr)
	}

	return answer, nil
}

// succeed calls the command line, which must end with 0, and gives its standard output without the last line's end.
func (s setting) succeed(ctx context.Context, args ...string) (string, error) {
	answer, err := s.run(ctx, args...)
	if err != nil {
		return "", err
	}

	if answer.code != 0 {
		return "", fmt.Errorf("hub %s ended with %d:\n%s", strings.Join(args, " "), answer.code, answer.stderr)
	}

	return strings.TrimSuffix(answer.stdout, "\n"), nil
}

// token makes a token.
func (s setting) token(ctx context.Context, site, role, name string) (string, error) {
	return s.succeed(ctx, "token", "create", "--role", role, "--name", name, "--site", site)
}

// freeAddress is a port of loopback that nobody listens on. It is the hub's again after each of its restarts.
func freeAddress(t *testing.T) string {
	t.Helper()

	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}

	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}

	return address
}

// openFolder is a folder that is gone after the test and that any account can pass: Postgres, which refuses root, runs
// under another one. What t.TempDir gives lies in a folder of mode 0700.
func openFolder(t *testing.T) string {
	t.Helper()

	folder, err := os.MkdirTemp("", "trial-")
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})

	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}

	// As the hub will name it.
	folder, err = filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}

	return folder
}
