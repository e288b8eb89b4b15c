package localpg_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// child is another process that uses a server.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
}

// startChild runs one in a process group of its own, as the given user if that is not nil.
func startChild(t *testing.T, spec childSpec, as *syscall.Credential) *child {
	t.Helper()

	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}

	cmd := exec.Command(binary(t, as)) //nolint:noctx // The test's own binary; it ends with its input.
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	cmd.Dir = "/"
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: as}

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

	started := &child{t: t, cmd: cmd, stdin: stdin, out: bufio.NewReader(stdout)}

	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})

	return started
}

// binary is the test's own, where another user can run it: go test keeps it in a folder of mode 0700.
func binary(t *testing.T, as *syscall.Credential) string {
	t.Helper()

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}

	if as == nil {
		return self
	}

	content, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}

	reachable := filepath.Join(scratch(t), "localpg.test")
	if err := os.WriteFile(reachable, content, 0o755); err != nil {
		t.Fatal(err)
	}

	return reachable
}

// report waits for what came of the child's Start.
func (c *child) report() childReport {
	c.t.Helper()

	line, err := c.out.ReadBytes('\n')
	if err != nil {
		c.t.Fatalf("the child told nothing: %v", err)
	}

	var told childReport
	if err := json.Unmarshal(line, &told); err != nil {
		c.t.Fatalf("the child told %q: %v", line, err)
	}

	return told
}

// ready waits for the child to have started.
func (c *child) ready() childReport {
	c.t.Helper()

	told := c.report()
	if told.Error != "" {
		c.t.Fatalf("the child did not start: %s", told.Error)
	}

	return told
}

// leave has the child close the server and end, and waits for it.
func (c *child) leave() {
	c.t.Helper()

	if err := c.stdin.Close(); err != nil {
		c.t.Fatal(err)
	}

	if err := c.cmd.Wait(); err != nil {
		c.t.Fatalf("the child left with %v", err)
	}
}

// kill ends the child as it is, without a chance to leave, and waits for it.
func (c *child) kill() {
	c.t.Helper()

	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}

	_ = c.cmd.Wait() // Says that it was killed.
}
