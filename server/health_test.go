package server_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestHealthzSaysThatTheHubRuns(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Ready = func(context.Context) error { return queue.Away(errors.New("refused")) }
	})

	if answer := hub.Get(t, "/healthz", nil); answer.Status != 200 || answer.Body != "ok\n" {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}
}

func TestReadyzSaysWhetherTheHubCanWork(t *testing.T) {
	var state atomic.Value

	state.Store(func(context.Context) error { return nil })

	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Ready = 30 * time.Millisecond
		setup.Config.Ready = func(ctx context.Context) error {
			check, _ := state.Load().(func(context.Context) error)

			return check(ctx)
		}
	})

	for name, look := range map[string]struct {
		check  func(context.Context) error
		status int
		body   string
	}{
		"ready": {func(context.Context) error { return nil }, 200, "ready\n"},
		"the database is away": {
			func(context.Context) error { return queue.Away(errors.New("dial /secret: refused")) },
			503, "not ready: the database is away; try again\n",
		},
		"the database is silent": {
			func(ctx context.Context) error {
				<-ctx.Done()

				return queue.Away(ctx.Err())
			}, 503, "not ready: the database did not answer within 30ms\n",
		},
		"something else": {func(context.Context) error { return errors.New("secret") }, 503, "not ready: internal error\n"},
	} {
		state.Store(look.check)

		if answer := hub.Get(t, "/readyz", nil); answer.Status != look.status || answer.Body != look.body {
			t.Errorf("%s: got %d, %s", name, answer.Status, answer.Body)
		}
	}
}

func TestTheFrontSaysWhatThisIs(t *testing.T) {
	hub := startHub(t, nil)

	answer := hub.Get(t, "/", nil)
	if answer.Status != 200 || answer.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("got %d, %v", answer.Status, answer.Header)
	}

	for _, word := range []string{"sdlc-hub 1.2.3", "/graphql", "/healthz", "/readyz", "Bearer"} {
		if !strings.Contains(answer.Body, word) {
			t.Errorf("%s is not told of in:\n%s", word, answer.Body)
		}
	}

	for _, path := range []string{"/nowhere", "/graphql/", "/graphqlx", "/healthz/x"} {
		if answer := hub.Get(t, path, nil); answer.Status != 404 {
			t.Errorf("%s: %d", path, answer.Status)
		}
	}
}
