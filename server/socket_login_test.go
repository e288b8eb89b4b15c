package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ends are how a token may end, with the reason that its websocket is closed with.
var ends = map[string]struct { //nolint:gochecknoglobals // a table of several tests
	by     error
	reason string
}{
	"revoked": {access.ErrRevoked, "this token has been revoked; have a new one made"},
	"expired": {access.ErrExpired, "this token has expired; have a new one made"},
	"deleted": {access.ErrUnknown, "this token is not known to the hub"},
}

func TestAnEndedTokensSubscriptionIsClosedWithinFiveSeconds(t *testing.T) {
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			changes, ended := make(chan *graph.QueueChange, 1), make(chan struct{}, 1)
			hub := watched(t, changes, ended) // with the times that hold outside of tests

			socket := dial(t, hub, nil)
			socket.login(hub.Operator)
			socket.send(subscribe)

			changes <- &graph.QueueChange{}

			if got := socket.receive(); got.Type != "next" {
				t.Fatalf("got %s", got.Type)
			}

			hub.Tokens.End(hub.Operator, end.by)

			start := time.Now()
			code, reason := socket.closing()

			if took := time.Since(start); code != 4403 || reason != end.reason || took > 5*time.Second {
				t.Errorf("got %d, %q after %s", code, reason, took)
			}

			<-ended
		})
	}
}

func TestAnOperationWithAnEndedTokenIsRefusedAtOnce(t *testing.T) {
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			carriedOut := make(chan struct{}, 1)
			changes, ended := make(chan *graph.QueueChange), make(chan struct{}, 1)
			hub := startHub(t, func(setup *hubSetup) {
				setup.Config.Times.Login = time.Hour
				setup.Answers.HoldBatch = func(context.Context, string) error {
					carriedOut <- struct{}{}

					return nil
				}
				setup.Answers.QueueChanged = func(ctx context.Context) (<-chan *graph.QueueChange, error) {
					context.AfterFunc(ctx, func() { ended <- struct{}{} })

					return changes, nil
				}
			})

			socket := dial(t, hub, nil)
			socket.login(hub.Operator)
			socket.send(subscribe)

			changes <- &graph.QueueChange{}

			if got := socket.receive(); got.Type != "next" {
				t.Fatalf("got %s", got.Type)
			}

			hub.Tokens.End(hub.Operator, end.by)
			socket.send(`{"id": "2", "type": "subscribe", "payload": {"query": "mutation { holdBatch(id: 1) { id } }"}}`)

			if code, reason := socket.closing(); code != 4403 || reason != end.reason {
				t.Errorf("got %d, %q", code, reason)
			}

			<-ended // the subscription beside it

			if len(carriedOut) > 0 {
				t.Error("it was carried out all the same")
			}
		})
	}
}

func TestATokenThatEndsBetweenTheUpgradeAndTheInitDoesNotLogIn(t *testing.T) {
	hub := startHub(t, nil)
	socket := dial(t, hub, http.Header{"Authorization": {"Bearer " + hub.Operator}})

	hub.Tokens.End(hub.Operator, access.ErrRevoked)
	socket.send(`{"type": "connection_init"}`)

	if code, reason := socket.closing(); code != 4403 || reason != ends["revoked"].reason {
		t.Errorf("got %d, %q", code, reason)
	}
}

func TestADatabaseThatIsAwayEndsNoWebsocket(t *testing.T) {
	changes := make(chan *graph.QueueChange)
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Login = time.Millisecond
		setup.Answers.QueueChanged = func(context.Context) (<-chan *graph.QueueChange, error) { return changes, nil }
	})

	socket := dial(t, hub, nil)
	socket.login(hub.Operator)
	socket.send(subscribe)

	changes <- &graph.QueueChange{}

	if got := socket.receive(); got.Type != "next" || got.ID != "1" {
		t.Fatalf("got %s, %s", got.Type, got.Payload)
	}

	asked := make(chan struct{})

	hub.Tokens.Away(func(ctx context.Context) error {
		select {
		case asked <- struct{}{}:
		case <-ctx.Done():
		}

		return queue.Away(errors.New("refused"))
	})

	for range 5 { // the look-ups of the watcher
		<-asked
	}

	hub.Tokens.Away(func(context.Context) error { return queue.Away(errors.New("refused")) })

	go func() { // whoever still waits
		for range asked {
		}
	}()

	defer close(asked)

	socket.send(`{"id": "2", "type": "subscribe", "payload": {"query": "{ __typename }"}}`)

	if got := socket.receive(); got.Type != "error" || !strings.Contains(string(got.Payload), `"UNAVAILABLE"`) {
		t.Errorf("an operation meanwhile: %s, %s", got.Type, got.Payload)
	}

	hub.Tokens.Away(func(context.Context) error { return nil })

	changes <- &graph.QueueChange{}

	if got := socket.receive(); got.Type != "next" || got.ID != "1" {
		t.Errorf("the subscription after it: %s, %s", got.Type, got.Payload)
	}
}
