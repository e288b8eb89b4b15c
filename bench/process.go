package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"time"
)

// process is a program in a process of its own.
type process struct {
	// url is where it answers, if it is a server.
	url string
	pid int
	// stop ends it, and waits until it has.
	stop func() error
}

const processEndsWithin = 15 * time.Second

// address is how a server says where it is.
var address = regexp.MustCompile(`https?://\S+`)

// startProcess runs a server and waits until it has said where it listens.
func startProcess(ctx context.Context, name string, args []string, env ...string) (*process, error) {
	p, lines, err := startTelling(ctx, name, args, env...)
	if err != nil {
		return nil, err
	}

	for line := range lines {
		if p.url = address.FindString(line); p.url != "" {
			drained, stop := make(chan struct{}), p.stop

			go func() {
				defer close(drained)

				for range lines { // what else it says is of no interest
				}
			}()

			p.stop = func() error {
				defer func() { <-drained }()

				return stop()
			}

			return p, nil
		}
	}

	return nil, errors.Join(fmt.Errorf("%s did not say where it listens", name), p.stop())
}

// startTelling runs a program and gives the lines that it says, until it has ended.
func startTelling(ctx context.Context, name string, args []string, env ...string) (*process, <-chan string, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = processEndsWithin

	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}

	if err != nil {
		cancel()

		return nil, nil, fmt.Errorf("start %s: %w", name, err)
	}

	lines := make(chan string)

	go func() {
		defer close(lines)

		for said := bufio.NewScanner(stdout); said.Scan(); {
			select {
			case lines <- said.Text():
			case <-ctx.Done(): // nobody listens any more
			}
		}
	}()

	// It ends by the signal that it is sent, and says so or not.
	stop := func() error {
		cancel()

		for range lines { // it is to have said everything before it is waited for
		}

		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("stop %s: %w", name, err)
		}

		return nil
	}

	return &process{pid: cmd.Process.Pid, stop: stop}, lines, nil
}
