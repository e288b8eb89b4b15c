package trial

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

const (
	// The first start makes a Postgres cluster, and on a busy machine that takes its time.
	readyWithin = 90 * time.Second
	// endWithin is the promise: SIGTERM ends the hub within ten seconds.
	endWithin = 10 * time.Second
	lookEvery = 10 * time.Millisecond

	raceMark = "WARNING: DATA RACE"
)

// hub is one running `hub serve`.
type hub struct {
	url     string
	log     string
	process *exec.Cmd
	// ended is closed once the process has ended and exit is set.
	ended chan struct{}
	exit  error
}

// serve runs `hub serve` until the test ends and waits until it is ready.
func (s setting) serve(t *testing.T) *hub {
	t.Helper()

	h, err := s.launch()
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if h.running() {
			h.endGently(t)
		}
	})

	if err := h.awaitReady(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, h.tail())
	}

	return h
}

// launch starts `hub serve` and waits for nothing.
func (s setting) launch() (*hub, error) {
	log, err := os.CreateTemp(s.logs, "hub-*.log")
	if err != nil {
		return nil, fmt.Errorf("make the hub's log: %w", err)
	}
	defer log.Close() //nolint:errcheck // the hub has its own handle of it

	h := &hub{url: "http://" + s.address, log: log.Name(), ended: make(chan struct{})}
	h.process = exec.Command(cmp.Or(s.program, hubProgram), "serve") //nolint:noctx // how it ends is what is tried
	h.process.Env, h.process.Stdout, h.process.Stderr = s.env, log, log

	if err := h.process.Start(); err != nil {
		return nil, fmt.Errorf("start the hub: %w", err)
	}

	go func() {
		h.exit = h.process.Wait()
		close(h.ended)
	}()

	return h, nil
}

func (h *hub) running() bool {
	select {
	case <-h.ended:
		return false
	default:
		return true
	}
}

// awaitReady returns once /readyz says yes; an error where the hub ends before, or too much time goes by.
func (h *hub) awaitReady(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, readyWithin)
	defer stop()

	look := time.NewTicker(lookEvery)
	defer look.Stop()

	for !ready(ctx, h.url) {
		select {
		case <-h.ended:
			return fmt.Errorf("the hub ended before it was ready: %w", h.exit)
		case <-ctx.Done():
			return fmt.Errorf("wait for the hub to be ready: %w", ctx.Err())
		case <-look.C:
		}
	}

	return nil
}

func ready(ctx context.Context, url string) bool {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/readyz", http.NoBody)
	if err != nil {
		return false
	}

	// A connection of its own each time: one to a killed hub is of no use.
	ask.Close = true

	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return false
	}

	_ = answer.Body.Close() // it holds one line

	return answer.StatusCode == http.StatusOK
}

// end sends SIGTERM and gives how long the hub took to end with 0. Any other end, and one that takes longer than was
// promised, is an error; so is a data race that it saw while it ran.
func (h *hub) end() (time.Duration, error) {
	begun := time.Now()

	if err := h.process.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, fmt.Errorf("signal the hub: %w", err)
	}

	select {
	case <-h.ended:
	case <-time.After(endWithin):
		_ = h.process.Process.Kill()
		<-h.ended

		return 0, fmt.Errorf("the hub had not ended %s after SIGTERM:\n%s", endWithin, h.tail())
	}

	if h.exit != nil {
		return 0, fmt.Errorf("after SIGTERM the hub ended with %w:\n%s", h.exit, h.tail())
	}

	return time.Since(begun), h.raced()
}

// endGently is end for a test that is not about it.
func (h *hub) endGently(t *testing.T) {
	t.Helper()

	if _, err := h.end(); err != nil {
		t.Error(err)
	}
}

// kill ends the hub with -9 and waits for its end.
func (h *hub) kill() error {
	if err := h.process.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill the hub: %w", err)
	}

	<-h.ended

	return nil
}

// raced is an error where the hub's race detector found something.
func (h *hub) raced() error {
	text, err := os.ReadFile(h.log)
	if err != nil {
		return fmt.Errorf("read the hub's log: %w", err)
	}

	if at := bytes.Index(text, []byte(raceMark)); at >= 0 {
		return fmt.Errorf("the hub saw a data race:\n%s", text[at:min(len(text), at+8<<10)])
	}

	return nil
}

// tail is the end of the hub's log, for whoever reads why a test failed.
func (h *hub) tail() string {
	const most = 8 << 10

	text, err := os.ReadFile(h.log)
	if err != nil {
		return err.Error()
	}

	return string(text[max(0, len(text)-most):])
}
