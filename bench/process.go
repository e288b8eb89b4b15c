package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"time"
)

// process is a server in a process of its own.
type process struct {
	// url is where it answers.
	url  string
	stop func() error
}

const processEndsWithin = 15 * time.Second

// address is how a server says where it is.
var address = regexp.MustCompile(`https?://\S+`)

// startProcess runs a program and waits until it has said where it listens.
func startProcess(ctx context.Context, name string, args []string, env ...string) (*process, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = processEndsWithin

	stdout, err := cmd.StdoutPipe()
	if err != nil {
		cancel()

		return nil, fmt.Errorf("start %s: %w", name, err)
	}

	if err := cmd.Start(); err != nil {
		cancel()

		return nil, fmt.Errorf("start %s: %w", name, err)
	}

	// It ends by the signal that it is sent, and says so or not.
	stop := func() error {
		cancel()

		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("stop %s: %w", name, err)
		}

		return nil
	}

	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if url := address.FindString(lines.Text()); url != "" {
			drained := make(chan struct{})

			go func() {
				defer close(drained)

				_, _ = io.Copy(io.Discard, stdout) // what else it says is of no interest
			}()

			return &process{url: url, stop: func() error {
				cancel()
				<-drained

				return stop()
			}}, nil
		}
	}

	return nil, errors.Join(fmt.Errorf("%s did not say where it listens", name), stop())
}
