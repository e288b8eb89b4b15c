package hubtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	startWithin = 90 * time.Second
	stopWithin  = 15 * time.Second
	lookEvery   = 20 * time.Millisecond
)

// Hub is one running `hub serve`.
type Hub struct {
	// URL is the hub's address, without a path.
	URL string

	program  string
	database string
	process  *exec.Cmd
	log      *os.File
	ended    chan struct{} // closed once exit is set
	exit     error
	sites    atomic.Int64
}

// Start runs `hub serve` of program on a free port over the database at
// databaseURL, its log in a file of dir, and returns once /readyz says yes. An
// error carries what the hub wrote.
func Start(ctx context.Context, program, databaseURL, dir string) (*Hub, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	log, err := os.CreateTemp(dir, "hub-*.log")
	if err != nil {
		return nil, fmt.Errorf("make the hub's log: %w", err)
	}
	hub := &Hub{
		URL: "http://" + address, program: program, database: databaseURL,
		log: log, ended: make(chan struct{}),
	}
	// Not CommandContext: the hub is ended by Stop, which looks at how it ended.
	hub.process = exec.Command(program, "serve") //nolint:noctx // see above
	hub.process.Env = append(hub.environment(), "HUB_LISTEN="+address, "HUB_LOG_LEVEL=warn")
	hub.process.Stdout, hub.process.Stderr = log, log
	hub.process.SysProcAttr = endWithCaller()
	if err := hub.process.Start(); err != nil {
		return nil, fmt.Errorf("start the hub: %w", err)
	}
	go func() {
		hub.exit = hub.process.Wait()
		close(hub.ended)
	}()
	if err := hub.awaitReady(ctx); err != nil {
		return nil, errors.Join(err, hub.Stop())
	}
	return hub, nil
}

// Stop ends the hub as an operator does, by SIGTERM, and waits for it. A hub
// that does not end in time, ends with another code than 0, or saw a data race
// is an error that carries its log.
func (h *Hub) Stop() error {
	defer func() { _ = h.log.Close() }()
	late := false
	if err := h.process.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal the hub: %w", err)
	}
	select {
	case <-h.ended:
	case <-time.After(stopWithin):
		late = true
		_ = h.process.Process.Kill()
		<-h.ended
	}
	said, err := os.ReadFile(h.log.Name())
	if err != nil {
		return fmt.Errorf("read the hub's log: %w", err)
	}
	switch {
	case late:
		return fmt.Errorf("the hub did not end within %s of SIGTERM:\n%s", stopWithin, tail(said))
	case bytes.Contains(said, []byte("WARNING: DATA RACE")):
		return fmt.Errorf("the hub saw a data race:\n%s", tail(said))
	case h.exit != nil:
		return fmt.Errorf("the hub ended with %w:\n%s", h.exit, tail(said))
	}
	return nil
}

func (h *Hub) awaitReady(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, startWithin)
	defer stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		if h.ready(ctx) {
			return nil
		}
		select {
		case <-h.ended:
			if h.exit == nil {
				return errors.New("the hub ended before it was ready")
			}
			return fmt.Errorf("the hub ended before it was ready: %w", h.exit)
		case <-ctx.Done():
			return fmt.Errorf("wait for the hub to be ready: %w", ctx.Err())
		case <-look.C:
		}
	}
}

func (h *Hub) ready(ctx context.Context) bool {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// environment is the caller's without what would steer a hub, and with the
// database.
func (h *Hub) environment() []string {
	kept := []string{"HUB_DATABASE_URL=" + h.database}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "HUB_") {
			kept = append(kept, pair)
		}
	}
	return kept
}

func freeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return "", fmt.Errorf("free the port again: %w", err)
	}
	return address, nil
}

// tail is the end of a log, as much as a reader of a test's output wants.
func tail(said []byte) []byte {
	const most = 16 << 10
	if len(said) > most {
		return said[len(said)-most:]
	}
	return said
}
