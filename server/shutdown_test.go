package server_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// promised is within what time the whole hub ends; a test that takes longer has failed.
const promised = 10 * time.Second

func within(t *testing.T, ended <-chan struct{}) {
	t.Helper()

	select {
	case <-ended:
	case <-time.After(promised):
		t.Fatal("the hub did not end")
	}
}

func TestALongPollIsAnsweredAsIdleWhenTheHubEnds(t *testing.T) {
	draining, began := make(chan struct{}), make(chan struct{})
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Drain = func() { close(draining) }
		setup.Answers.Claim = func(ctx context.Context, _ int) (*graph.ClaimPayload, error) {
			close(began)

			select {
			case <-draining:
				return &graph.ClaimPayload{IdleReason: new(queue.IdleEmpty)}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	})

	answered := make(chan reply)
	go func() { answered <- hub.Post(t, hub.Agent, `mutation { claim(waitSeconds: 55) { idleReason } }`, nil) }()

	<-began
	start := time.Now()
	hub.Ask()

	if answer := <-answered; answer.Status != 200 || answer.Body != `{"data":{"claim":{"idleReason":"EMPTY"}}}` {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}

	within(t, hub.Ended())

	if err := hub.Stop(); err != nil || time.Since(start) > 2*time.Second {
		t.Errorf("it ended with %v after %s", err, time.Since(start))
	}
}

func TestWhatRunsFinishesBeforeTheHubEnds(t *testing.T) {
	began, finish := make(chan struct{}), make(chan struct{})
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.HoldBatch = func(ctx context.Context, _ string) error {
			close(began)

			select {
			case <-finish:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})

	answered := make(chan reply)
	go func() { answered <- hub.Post(t, hub.Operator, `mutation { holdBatch(id: 1) { id } }`, nil) }()

	<-began
	hub.Ask()
	refusedSoon(t, hub)

	select {
	case <-hub.Ended():
		t.Error("the hub ended while a request ran")
	default:
	}

	close(finish)

	if answer := <-answered; answer.Status != 200 || answer.Code() != "" {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}

	within(t, hub.Ended())
}

// refusedSoon waits until no new connection is taken.
func refusedSoon(t *testing.T, hub *testHub) {
	t.Helper()

	var dialer net.Dialer

	for deadline := time.Now().Add(promised); time.Now().Before(deadline); {
		conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(hub.URL, "http://"))
		if err != nil {
			return
		}

		_ = conn.Close()
	}

	t.Fatal("connections are still taken")
}

func TestWhatDoesNotFinishIsCutOffAsUnavailable(t *testing.T) {
	began := make(chan struct{})
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Finish = 50 * time.Millisecond
		setup.Answers.HoldBatch = func(ctx context.Context, _ string) error {
			close(began)
			<-ctx.Done()

			return ctx.Err()
		}
	})

	answered := make(chan reply)
	go func() { answered <- hub.Post(t, hub.Operator, `mutation { holdBatch(id: 1) { id } }`, nil) }()

	<-began
	hub.Ask()

	if answer := <-answered; answer.Code() != "UNAVAILABLE" || answer.Message() != "the request was cut off; try again" {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}

	within(t, hub.Ended())

	if len(hub.Log.Lines("cutting off requests")) != 1 || len(hub.Log.Lines(`"level":"ERROR"`)) != 0 {
		t.Errorf("logged: %s", hub.Log)
	}
}

func TestARequestThatHearsNothingDoesNotHoldTheHubUp(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Finish = 50 * time.Millisecond
		setup.Config.Times.Goodbye = 50 * time.Millisecond
		setup.Answers.HoldBatch = func(context.Context, string) error {
			close(began)
			<-release

			return nil
		}
	})

	answered := make(chan struct{})

	go func() {
		defer close(answered)

		hub.PostAndForget(t, hub.Operator, `mutation { holdBatch(id: 1) { id } }`)
	}()

	<-began
	hub.Ask()
	within(t, hub.Ended())
	close(release)
	<-answered
}

func TestWebsocketsAreClosedWith1001WhenTheHubEnds(t *testing.T) {
	changes, ended := make(chan *graph.QueueChange, 1), make(chan struct{}, 1)
	hub := watched(t, changes, ended)

	subscribed := dial(t, hub, nil)
	subscribed.login(hub.Operator)
	subscribed.send(subscribe)

	changes <- &graph.QueueChange{}

	if got := subscribed.receive(); got.Type != "next" {
		t.Fatalf("got %s", got.Type)
	}

	loggedIn := dial(t, hub, nil)
	loggedIn.login(hub.Operator)

	silent := dial(t, hub, nil) // has not logged in yet

	hub.Ask()

	for name, socket := range map[string]*client{"subscribed": subscribed, "logged in": loggedIn, "silent": silent} {
		if code, reason := socket.closing(); code != 1001 || reason != "the hub is shutting down" {
			t.Errorf("%s: got %d, %q", name, code, reason)
		}
	}

	<-ended
	within(t, hub.Ended())
}

func TestAWebsocketThatDoesNotAnswerTheCloseIsCut(t *testing.T) {
	hub := watched(t, nil, make(chan struct{}, 1))
	dial(t, hub, nil).login(hub.Operator) // and reads no more

	hub.Ask()
	within(t, hub.Ended())
}

func TestWebsocketsAreClosedWith1001AlsoWhereRequestsAreCutOff(t *testing.T) {
	began := make(chan struct{})
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Finish = 50 * time.Millisecond
		setup.Answers.HoldBatch = func(ctx context.Context, _ string) error {
			close(began)
			<-ctx.Done()

			return ctx.Err()
		}
	})

	socket := dial(t, hub, nil)
	socket.login(hub.Operator)

	answered := make(chan reply)
	go func() { answered <- hub.Post(t, hub.Operator, `mutation { holdBatch(id: 1) { id } }`, nil) }()

	<-began
	hub.Ask()

	if code, _ := socket.closing(); code != 1001 {
		t.Errorf("got %d", code)
	}

	if answer := <-answered; answer.Code() != "UNAVAILABLE" {
		t.Errorf("got %s", answer.Body)
	}

	within(t, hub.Ended())
}

func TestATakenAddressIsAnErrorBeforeAnythingRuns(t *testing.T) {
	hub := startHub(t, nil)

	if err := tryListen(t, strings.TrimPrefix(hub.URL, "http://")); err == nil || !strings.Contains(err.Error(), "cannot listen on 127.0.0.1:") {
		t.Errorf("got %v", err)
	}
}
