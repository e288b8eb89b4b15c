package trial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Ctrl-C in a terminal goes to the hub and, were it not kept out of it, to its Postgres too, which then would end while
// the hub still writes.
func TestCtrlCInATerminalEndsTheHubAndItsPostgres(t *testing.T) {
	t.Parallel()

	data := filepath.Join(openFolder(t), "data")
	at := overData(t, data)
	keyboard, screen := openTerminal(t)

	serve := exec.Command(hubProgram, "serve") //nolint:noctx // how it ends is what is tried
	serve.Env = at.env
	serve.Stdin, serve.Stdout, serve.Stderr = screen, screen, screen
	serve.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}

	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}

	if err := screen.Close(); err != nil {
		t.Fatal(err)
	}

	var shown bytes.Buffer

	read, ended := make(chan error, 1), make(chan error, 1)

	go func() {
		_, err := io.Copy(&shown, keyboard)
		read <- err
	}()
	go func() { ended <- serve.Wait() }()

	await(t, "the hub is ready", func() bool { return len(ended) > 0 || ready(t.Context(), "http://"+at.address) })

	was, err := postmasterOf(data)
	if err != nil {
		t.Fatal(err)
	}

	if _, err := keyboard.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}

	select {
	case err = <-ended:
	case <-time.After(endWithin):
		_ = serve.Process.Kill()
		err = errors.Join(fmt.Errorf("it had not ended %s after Ctrl-C", endWithin), <-ended)
	}

	// Linux' way to say that nobody has the terminal open any more.
	if err := <-read; !errors.Is(err, syscall.EIO) {
		t.Errorf("read the terminal: %v", err)
	}

	if err != nil || serve.ProcessState.ExitCode() != 0 {
		t.Errorf("the hub ended with %d: %v\n%s", serve.ProcessState.ExitCode(), err, &shown)
	}

	if bytes.Contains(shown.Bytes(), []byte(raceMark)) {
		t.Errorf("the hub saw a data race:\n%s", &shown)
	}

	nobodyLeft(t, data, was)
}

// openTerminal gives both ends of a new terminal: what a person types goes into the first and comes out of the second.
func openTerminal(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()

	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := keyboard.Close(); err != nil {
			t.Error(err)
		}
	})

	connection, err := keyboard.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}

	var (
		number   int
		unlocked error
	)

	if err := connection.Control(func(fd uintptr) {
		number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		unlocked = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0)
	}); err != nil {
		t.Fatal(err)
	}

	if err := errors.Join(err, unlocked); err != nil {
		t.Fatal(err)
	}

	screen, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}

	return keyboard, screen
}
