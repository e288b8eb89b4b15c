package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// following gives the context of a subscription by a stream of events: it ends with the given one, within 5 s of its
// token, and as soon as the server is to end, since whoever reads it can take up elsewhere at once. done waits until
// nothing is looked up any more.
func (s *Server) following(ctx context.Context, r *http.Request) (following context.Context, done func()) {
	ctx, stop := context.WithCancel(ctx)
	detach := context.AfterFunc(s.ending, stop)

	var watcher sync.WaitGroup

	watcher.Go(func() {
		s.awaitEndOfToken(ctx, r.Header.Get("Authorization"))
		stop()
	})

	return ctx, func() {
		detach()
		stop()
		watcher.Wait()
	}
}

// awaitEndOfToken looks the token up again and again until it has ended, or the context has. A token that cannot be
// looked up has not.
func (s *Server) awaitEndOfToken(ctx context.Context, authorization string) {
	again := time.NewTicker(s.config.Times.Login)
	defer again.Stop()

	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}

		denied, ended := errors.AsType[*access.Denied](s.config.Login.LookAgain(ctx, authorization))
		if !ended {
			continue
		}

		caller, _ := access.From(ctx)
		s.config.Log.DebugContext(ctx, "ending a stream of events whose token has ended",
			"site", caller.Site, "token", caller.Token, "reason", denied.Message, "request", access.RequestID(ctx))

		return
	}
}
