package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestWhatIsOnItsWayIsReadBeforeATooBigMessageCutsTheConnection(t *testing.T) {
	// With the megabyte of the contract, and more time than a busy machine takes for the writing.
	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Goodbye = time.Minute })
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)

	// Far more than any buffer holds: the client can only write all of it if somebody reads it.
	for range 3 {
		if err := socket.WriteMessage(websocket.TextMessage, make([]byte, 8<<20)); err != nil {
			t.Fatalf("it was cut while writing: %v", err)
		}
	}

	if code, _ := socket.closing(); code != websocket.CloseMessageTooBig {
		t.Errorf("closed with %d", code)
	}
}

func TestAMessageOfAMegabyteIsTaken(t *testing.T) {
	hub := startHub(t, nil)
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)

	padding := (10<<20)/10 - len(`{"type": "ping", "payload": {"a": ""}}`)
	socket.send(`{"type": "ping", "payload": {"a": "` + strings.Repeat("x", padding) + `"}}`)

	if got := socket.receive(); got.Type != "pong" {
		t.Errorf("got %s", got.Type)
	}
}

// pouring is a hub whose queueChanged sends large changes for as long as anybody takes them.
func pouring(t *testing.T, change func(*hubSetup)) (hub *testHub, sent *atomic.Int64, ended chan struct{}) {
	t.Helper()

	sent, ended = &atomic.Int64{}, make(chan struct{}, 100)
	name := strings.Repeat("x", 10<<10)
	hub = startHub(t, func(setup *hubSetup) {
		setup.Answers.QueueChanged = func(ctx context.Context) (<-chan *graph.QueueChange, error) {
			out := make(chan *graph.QueueChange)

			go func() {
				defer func() { ended <- struct{}{} }()

				for {
					select {
					case out <- &graph.QueueChange{Queue: &graph.Queue{Pace: &queue.Pace{PausedReason: &name, Paused: true}}}:
						sent.Add(1)
					case <-ctx.Done():
						return
					}
				}
			}()

			return out, nil
		}

		if change != nil {
			change(setup)
		}
	})

	return hub, sent, ended
}

const pourOut = `subscription { queueChanged { queue { pace { pausedReason } } } }`

func TestAReaderThatStallsIsCutOff(t *testing.T) {
	hub, sent, ended := pouring(t, func(setup *hubSetup) { setup.Config.Times.Write = 100 * time.Millisecond })
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)
	socket.send(sub("1", pourOut))

	<-ended // without a read

	if sent.Load() < 100 {
		t.Errorf("it was cut after %d answers, which the system's buffers had taken", sent.Load())
	}
}

func TestOfAStalledReaderABoundedAmountIsKept(t *testing.T) {
	hub, sent, ended := pouring(t, func(setup *hubSetup) { setup.Config.Times.Write = time.Hour })
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)
	socket.send(sub("1", pourOut))

	// It stands still once the system's buffers and ours are full; the answers are 10 kB each.
	for before := int64(-1); before != sent.Load(); {
		before = sent.Load()

		still := time.NewTimer(500 * time.Millisecond)
		<-still.C
	}

	if sent.Load() > 4000 {
		t.Errorf("%d answers were taken though nobody read any", sent.Load())
	}

	_ = socket.NetConn().Close()
	<-ended
}

func TestASlowReaderThatReadsOnGetsEveryAnswer(t *testing.T) {
	// What counts as a stall is another test's: on a busy machine this reader may do nothing for seconds.
	hub, _, ended := pouring(t, func(setup *hubSetup) { setup.Config.Times.Write = time.Hour })
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)
	socket.send(sub("1", pourOut))

	for range 3000 {
		if got := socket.receive(); got.Type != "next" || len(got.Payload) < 10<<10 {
			t.Fatalf("got %s, %d bytes", got.Type, len(got.Payload))
		}
	}

	socket.send(`{"type": "complete", "id": "1"}`)
	<-ended
}

func TestAFloodOfSubscribeAndCompleteLeavesNothing(t *testing.T) {
	var running atomic.Int64

	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.QueueChanged = func(ctx context.Context) (<-chan *graph.QueueChange, error) {
			running.Add(1)
			context.AfterFunc(ctx, func() { running.Add(-1) })

			return make(chan *graph.QueueChange), nil
		}
	})
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)

	for n := range 2000 {
		socket.send(sub(strconv.Itoa(n%3), "subscription { queueChanged { at } }"))
		socket.send(fmt.Sprintf(`{"type": "complete", "id": "%d"}`, n%3))
	}

	talk(t, socket)

	if err := hub.Stop(); err != nil || running.Load() != 0 {
		t.Errorf("%d run on; %v", running.Load(), err)
	}
}

func TestTooManyOperationsOnAWebsocketAreRefused(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Websockets.Operations = 2
		setup.Answers.QueueChanged = func(context.Context) (<-chan *graph.QueueChange, error) {
			out := make(chan *graph.QueueChange, 1)
			out <- &graph.QueueChange{}

			return out, nil
		}
	})
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)

	const changes = "subscription { queueChanged { at } }"

	talk(t, socket, say(sub("1", changes), "next 1"), say(sub("2", changes), "next 2"))
	socket.send(sub("3", changes))

	if got := socket.receive(); got.Type != "error" || !strings.Contains(string(got.Payload), `"RATE_LIMITED"`) ||
		!strings.Contains(string(got.Payload), `"status":429`) {
		t.Errorf("got %s, %s", got.Type, got.Payload)
	}

	talk(t, socket, say(`{"type": "complete", "id": "1"}`), say(sub("3", changes), "next 3"))
}

func TestTooManyWebsocketsOfATokenAreTurnedAway(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Config.Websockets.Connections = 2 })
	first := dial(t, hub, nil)
	first.login(hub.Operator)
	dial(t, hub, nil).login(hub.Operator)

	third := dial(t, hub, http.Header{"Authorization": {"bearer  " + hub.Operator}}) // which is the same token
	third.send(initiate)

	if code, reason := third.closing(); code != websocket.CloseTryAgainLater || !strings.Contains(reason, "too many websockets") {
		t.Errorf("got %d, %q", code, reason)
	}

	dial(t, hub, nil).login(hub.Agent)

	if err := first.NetConn().Close(); err != nil {
		t.Fatal(err)
	}

	// The hub notices on its own time that the first has gone.
	for {
		again := dial(t, hub, nil)
		again.send(initWith(`"Bearer ` + hub.Operator + `"`))

		var got message
		if again.ReadJSON(&got) == nil {
			return
		}
	}
}

func TestATokenIsLookedUpOnceForAllOfItsWebsockets(t *testing.T) {
	const sockets = 40

	var looks atomic.Int64

	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Login = 20 * time.Millisecond })
	for range sockets {
		dial(t, hub, nil).login(hub.Operator)
	}

	rounds := make(chan struct{})

	hub.Tokens.Away(func(ctx context.Context) error {
		looks.Add(1)

		select {
		case rounds <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})

	for range 5 {
		<-rounds
	}

	if n := looks.Load(); n > 7 {
		t.Errorf("%d look-ups in five rounds of %d websockets", n, sockets)
	}

	hub.Tokens.Away(func(context.Context) error { return nil })

	go func() {
		for range rounds {
		}
	}()
	t.Cleanup(func() { close(rounds) })
}

func TestARevokedTokenEndsAllOfItsWebsocketsAndNoOthers(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Login = 20 * time.Millisecond })

	var ending []*client

	for range 5 {
		socket := dial(t, hub, nil)
		socket.login(hub.Operator)
		ending = append(ending, socket)
	}

	other := dial(t, hub, nil)
	other.login(hub.Agent)

	hub.Tokens.End(hub.Operator, access.ErrRevoked)

	for _, socket := range ending {
		if code, _ := socket.closing(); code != 4403 {
			t.Errorf("closed with %d", code)
		}
	}

	talk(t, other)
}

func TestWhatRunsOnAWebsocketFinishesBeforeTheHubEnds(t *testing.T) {
	began, finish := make(chan struct{}), make(chan struct{})
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.HoldBatch = func(ctx context.Context, _ string) error {
			close(began)

			select {
			case <-finish:
				return nil
			case <-ctx.Done():
				return errors.New("cut off")
			}
		}
	})
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)
	socket.send(sub("1", "mutation { holdBatch(id: 1) { id } }"))
	<-began
	hub.Ask()
	refusedSoon(t, hub)
	close(finish)

	if got := socket.receive(); got.Type != "next" || strings.Contains(string(got.Payload), "errors") {
		t.Errorf("got %s, %s", got.Type, got.Payload)
	}

	if got := socket.receive(); got.Type != "complete" {
		t.Errorf("got %s", got.Type)
	}

	if code, _ := socket.closing(); code != 1001 {
		t.Errorf("closed with %d", code)
	}

	within(t, hub.Ended())
}
