package pgtest_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

// childVariable tells the test binary to be another package's test process, and how it ends.
const childVariable = "PGTEST_TEST_CHILD"

// beTestProcess runs the one test that is another package's.
func beTestProcess(m *testing.M, _ string) {
	os.Exit(m.Run())
}

// TestOfAnotherPackage is what a child process runs. By itself it is a test of the shared cluster
// like any other.
func TestOfAnotherPackage(t *testing.T) {
	how, isChild := os.LookupEnv(childVariable)

	url := pgtest.New(t)
	name := ask(t, url, "SELECT current_database()::text")
	data := filepath.Dir(ask(t, pgtest.Cluster(t).AdminURL("postgres"), "SHOW data_directory"))

	if !isChild {
		return
	}

	if _, err := os.Stdout.WriteString("\nuses " + name + " " + data + "\n"); err != nil {
		t.Fatal(err)
	}

	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		t.Fatal(err)
	}

	if how == "panic" {
		go panic("as a test may") // Beside the test, where nothing recovers it and no cleanup runs.

		select {}
	}
}

// testProcess is a process of another package's tests, with a cluster apart from this process's.
type testProcess struct {
	t        *testing.T
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	database string
	data     string
}

func startTestProcess(t *testing.T, temp, how string) *testProcess {
	t.Helper()

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}

	cmd := exec.Command(self, "-test.run=^TestOfAnotherPackage$") //nolint:noctx // Itself; it ends with its input.
	cmd.Env = append(os.Environ(), childVariable+"="+how, "TMPDIR="+temp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}

	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}

	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}

	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}

	process := &testProcess{t: t, cmd: cmd, stdin: stdin}

	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})

	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 3 && words[0] == "uses" {
			process.database, process.data = words[1], words[2]

			return process
		}

		t.Log(lines.Text())
	}

	t.Fatal("the test process did not come to use a database")

	return nil
}

// end lets the process end in its way and waits for it.
func (p *testProcess) end() error {
	p.t.Helper()

	if err := p.stdin.Close(); err != nil {
		p.t.Fatal(err)
	}

	return p.cmd.Wait()
}

// server is the process of the server in use.
func (p *testProcess) server() int {
	p.t.Helper()

	text, err := os.ReadFile(filepath.Join(p.data, "postgres", "postmaster.pid"))
	if err != nil {
		p.t.Fatal(err)
	}

	line, _, _ := strings.Cut(string(text), "\n")

	pid, err := strconv.Atoi(line)
	if err != nil {
		p.t.Fatal(err)
	}

	return pid
}

// ownTemp is a temporary folder that every account can pass, so that a cluster apart is made in it.
func ownTemp(t *testing.T) string {
	t.Helper()

	dir, err := os.MkdirTemp("/tmp", "pgtest")
	if err != nil {
		t.Fatal(err)
	}

	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})

	return dir
}

func awaitEnd(t *testing.T, what string, pid int) {
	t.Helper()

	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()

	for limit := time.After(30 * time.Second); syscall.Kill(pid, 0) == nil; {
		select {
		case <-limit:
			t.Fatalf("process %d did not end: %s", pid, what)
		case <-poll.C:
		}
	}
}

func TestTestProcessesShareAServerThatStopsAfterTheLastOfThem(t *testing.T) {
	t.Parallel()

	temp := ownTemp(t)
	first := startTestProcess(t, temp, "pass")
	second := startTestProcess(t, temp, "pass")
	server := first.server()

	if second.server() != server || first.database == second.database {
		t.Errorf("servers %d and %d, databases %s and %s", server, second.server(), first.database, second.database)
	}

	if err := first.end(); err != nil {
		t.Error(err)
	}

	third := startTestProcess(t, temp, "pass")
	if third.server() != server {
		t.Error("the server did not stay while another process used it")
	}

	for _, process := range []*testProcess{second, third} {
		if err := process.end(); err != nil {
			t.Error(err)
		}
	}

	awaitEnd(t, "the server of ended tests", server)
}

func TestTheServerStopsHoweverTheLastTestProcessEnds(t *testing.T) {
	t.Parallel()

	for how, end := range map[string]func(*testProcess) error{
		"panic":     (*testProcess).end,
		"killed":    func(p *testProcess) error { _ = p.cmd.Process.Kill(); return p.cmd.Wait() },
		"interrupt": func(p *testProcess) error { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGINT); return p.cmd.Wait() },
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()

			temp := ownTemp(t)
			process := startTestProcess(t, temp, how)
			server := process.server()

			if err := end(process); err == nil {
				t.Error("the test process did not fail")
			}

			awaitEnd(t, "the server of tests that ended by "+how, server)

			// What it left is swept up by the next.
			next := startTestProcess(t, temp, "pass")

			if _, err := os.Stat(filepath.Join(next.data, "postgres", "postmaster.pid")); err != nil {
				t.Error(err)
			}

			names := databases(t, next)
			if strings.Contains(names, process.database) || !strings.Contains(names, next.database) {
				t.Errorf("databases: %s; the killed process had %s", names, process.database)
			}

			server = next.server()

			if err := next.end(); err != nil {
				t.Error(err)
			}

			awaitEnd(t, "the server of the last test", server)
		})
	}
}

// databases lists those of the server that a test process uses.
func databases(t *testing.T, of *testProcess) string {
	t.Helper()

	return ask(t, "postgres://postgres@/postgres?port=5432&host="+filepath.Join(of.data, "run"),
		"SELECT string_agg(datname, ' ') FROM pg_database")
}
