package ws

import (
	"bytes"
	"context"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair is an outbox over loopback, written to directly or not, and its other end.
func pair(t *testing.T, straight bool) (*outbox, net.Conn) {
	t.Helper()

	var config net.ListenConfig

	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}

	defer func() { _ = listener.Close() }()

	var dialer net.Dialer

	far, err := dialer.DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}

	near, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}

	made := &outbox{wire: near, stall: time.Hour}
	if straight {
		made.direct = newDirect(near)
	}

	t.Cleanup(func() {
		_ = near.Close()
		_ = far.Close()
		made.writers.Wait()
	})

	return made, far
}

// ways are both that an outbox writes in.
var ways = map[string]bool{"straight": true, "by its goroutine": false} //nolint:gochecknoglobals // a table of several tests

func TestEveryFrameComesWholeAndInOrder(t *testing.T) {
	for name, straight := range ways {
		t.Run(name, func(t *testing.T) {
			out, far := pair(t, straight)

			var want []byte

			frames := make([]frame, 3000)
			for n := range frames {
				// Of all lengths, about the borders of the header's forms too.
				length := []int{0, 1, 125, 126, 300, 5000, 65535, 65536}[n%8]
				frames[n] = frame{kind: websocket.TextMessage, head: "<", body: bytes.Repeat([]byte{byte('a' + n%26)}, length), tail: ">"}
				want = frames[n].append(want)
			}

			go func() {
				for _, one := range frames {
					out.send(context.Background(), one)
				}
			}()

			got := make([]byte, len(want))
			if _, err := io.ReadFull(far, got); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("what came differs; %v", err)
			}
		})
	}
}

func TestAFullOutboxTakesNothingButWhatIsUrgent(t *testing.T) {
	for name, straight := range ways {
		t.Run(name, func(t *testing.T) {
			out, far := pair(t, straight)
			one := text(strings.Repeat("x", 10<<10))
			taken := 0

			for out.put(one, false) {
				if taken++; taken > 10_000 {
					t.Fatal("it is never full")
				}
			}

			if out.isIdle() {
				t.Error("it says that it is idle")
			}

			if !out.put(text("urgent"), true) {
				t.Error("what is urgent was not taken")
			}

			go func() { _, _ = io.Copy(io.Discard, far) }()

			if err := out.awaitRoom(t.Context()); err != nil || !out.put(one, false) {
				t.Errorf("there is no room after it was read: %v", err)
			}
		})
	}
}

func TestNothingIsTakenAfterTheLastFrame(t *testing.T) {
	out, far := pair(t, true)

	out.close(text("last"))

	if !out.put(text("more"), true) {
		t.Error("whoever writes into a closed outbox is to go on")
	}

	if err := out.awaitRoom(t.Context()); err == nil {
		t.Error("it has room")
	}

	_ = out.wire.Close()

	if got, err := io.ReadAll(far); err != nil || string(got) != "\x81\x04last" {
		t.Errorf("came %q, %v", got, err)
	}
}

func TestWhoWaitsForRoomIsLetGoWhereTheConnectionIsOver(t *testing.T) {
	near, far := net.Pipe() // takes nothing by itself, where a socket's buffer might still make room
	out := &outbox{wire: near, stall: time.Hour}

	t.Cleanup(out.writers.Wait)

	for out.put(text(strings.Repeat("x", 10<<10)), false) {
		continue
	}

	waited := make(chan error)
	go func() { waited <- out.awaitRoom(context.Background()) }()

	for !isAwaited(out) {
		runtime.Gosched()
	}

	_ = far.Close()

	if err := <-waited; err != nil {
		t.Errorf("it is not let go, but told %v", err)
	}

	if !out.put(text("x"), false) {
		t.Error("it is still full")
	}
}

// isAwaited tells whether someone waits for room. Whoever comes later than the connection's end is told of that instead.
func isAwaited(o *outbox) bool {
	o.mu.Lock()
	defer o.mu.Unlock()

	return o.room != nil
}
