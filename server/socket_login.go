package server

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// socketLogin is what one websocket was logged in with. A token can end while its websocket is open, so it is looked up
// again before each operation and, for what runs on, every so often.
type socketLogin struct {
	login  *access.Authenticator
	socket *socket
	log    *slog.Logger
	// every is how often the token is looked up again without an operation.
	every time.Duration

	// authorization is set before watch is called and before the first operation, by the websocket's own goroutine.
	authorization string
	watcher       sync.WaitGroup
}

// check tells whether the token is valid still. Where it is not, it closes the websocket with 4403 and ends what runs
// there; a token that cannot be looked up ends nothing.
func (l *socketLogin) check(ctx context.Context) error {
	err := l.login.LookAgain(ctx, l.authorization)

	if denied, ok := errors.AsType[*access.Denied](err); ok {
		caller, _ := access.From(ctx)
		l.log.DebugContext(ctx, "closing a websocket whose token has ended",
			"site", caller.Site, "token", caller.Token, "reason", denied.Message, "request", access.RequestID(ctx))

		_ = l.socket.WriteClose(closeForbidden, closeReason(denied.Message)) // a client that is gone needs no reason
		l.socket.stop()
	}

	return err
}

// watch looks the token up again and again until the context ends, which it does with the websocket. wait waits for it.
func (l *socketLogin) watch(ctx context.Context) {
	l.watcher.Go(func() {
		again := time.NewTicker(l.every)
		defer again.Stop()

		for {
			select {
			case <-ctx.Done():
				return
			case <-again.C:
				_ = l.check(ctx) // it has done all that there is to do
			}
		}
	})
}

// wait ends the websocket's context, and waits until nothing is looked up any more.
func (l *socketLogin) wait() {
	l.socket.stop()
	l.watcher.Wait()
}
