package group_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// clientsOf has this program be the clients of a test, in a process of its own: what they cost is not to be counted.
const (
	clientsOf = "TEST_CLIENTS_OF"
	idlers    = 1000
)

func TestMain(m *testing.M) {
	if address := os.Getenv(clientsOf); address != "" {
		os.Exit(beClients(os.Stdout, address, os.Getenv("TEST_TOKEN")))
	}

	goleak.VerifyTestMain(m)
}

// beClients subscribes over so many websockets, tells that it has, and reads until its standard input ends.
func beClients(out io.Writer, address, token string) int {
	const atOnce = 50

	var subscribing errgroup.Group

	stay := make(chan struct{})

	subscribing.SetLimit(atOnce)

	for range idlers {
		subscribing.Go(func() error {
			dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}

			conn, _, err := dialer.DialContext(context.Background(), "ws://"+address+"/graphql", nil)
			if err != nil {
				return err
			}

			go func() {
				<-stay

				for {
					if _, _, err := conn.NextReader(); err != nil {
						return
					}
				}
			}()

			return hello(conn, token)
		})
	}

	if err := subscribing.Wait(); err != nil {
		_, _ = fmt.Fprintln(out, err)

		return 1
	}

	close(stay)
	_, _ = fmt.Fprintln(out, "subscribed")

	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')

	return 0
}

// hello logs in and subscribes after the first event, and waits for the second: then it has begun.
func hello(conn *websocket.Conn, token string) error {
	for _, message := range []string{
		`{"type": "connection_init", "payload": {"authorization": "Bearer ` + token + `"}}`,
		`{"id": "1", "type": "subscribe", "payload": {"query": "` + changes + `", "variables": {"after": "` + cursorAt(1).String() + `"}}}`,
	} {
		if err := conn.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
			return err
		}

		if _, raw, err := conn.ReadMessage(); err != nil || strings.Contains(string(raw), "error") {
			return fmt.Errorf("got %s, %w", raw, err)
		}
	}

	return nil
}

// startClients gives when they have subscribed, and stops them when the test ends.
func (h *hub) startClients(token string) {
	h.t.Helper()

	clients := exec.CommandContext(h.t.Context(), os.Args[0])
	clients.Env = append(os.Environ(), clientsOf+"="+h.address, "TEST_TOKEN="+token)

	leave, err := clients.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}

	said, err := clients.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}

	if err := clients.Start(); err != nil {
		h.t.Fatal(err)
	}

	h.t.Cleanup(func() {
		_ = leave.Close()
		_ = clients.Wait() // whatever became of them, the test has its result
	})

	if line, err := bufio.NewReader(said).ReadString('\n'); line != "subscribed\n" {
		h.t.Fatalf("the clients said %q, %v", line, err)
	}
}

func TestAnIdleSubscriberCostsTwoGoroutinesAnd25KiBAtMost(t *testing.T) {
	hub := newHub(t)
	token := hub.tokens.create("anna", access.Viewer)

	hub.log.write(changed(1), changed(2))
	hub.dial(token).subscribe("1", 1) // what all have in common is there from now on

	memory, goroutines := used()

	hub.startClients(token)

	// Each of them is written to, so that whatever that needs is counted too.
	hub.log.write(changed(3))

	moreMemory, moreGoroutines := used()
	each := (moreMemory - memory) / idlers

	t.Logf("an idle subscriber takes %d bytes and %.3f goroutines", each, float64(moreGoroutines-goroutines)/idlers)

	if each > 25<<10 {
		t.Errorf("an idle subscriber takes %d bytes", each)
	}

	if moreGoroutines-goroutines > 2*idlers+20 {
		t.Errorf("%d idle subscribers take %d goroutines", idlers, moreGoroutines-goroutines)
	}
}

// used is what is in use after the garbage is gone: memory in bytes, stacks too, and goroutines.
func used() (int64, int) {
	var stats runtime.MemStats

	for range 3 { // what pools keep goes with the second
		runtime.GC()
	}

	runtime.ReadMemStats(&stats)

	return int64(stats.HeapInuse + stats.StackInuse), runtime.NumGoroutine() //nolint:gosec // far from too much
}
