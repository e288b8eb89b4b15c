package server

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/live/ws"
)

// lookedAtOnce is how many tokens are looked up at the same time, so that the requests find the database free.
const lookedAtOnce = 8

// sessions are the websockets that are logged in, by their tokens. A token can end while they are open, so it is looked
// up again every so often: once for all of its websockets, and by one goroutine for all tokens.
type sessions struct {
	authenticator *access.Authenticator
	present       graphql.ErrorPresenterFunc
	log           *slog.Logger
	// every is how often the tokens are looked up again, and most how many websockets one has.
	every time.Duration
	most  int
	// running is the context of what runs on behalf of all.
	running context.Context //nolint:containedctx // the server's own, not a caller's
	stop    context.CancelFunc
	watcher sync.WaitGroup

	mu       sync.Mutex
	tokens   map[string]*token
	watching bool
}

func newSessions(running context.Context, config Config) *sessions {
	made := &sessions{
		authenticator: config.Login, present: config.Present, log: config.Log,
		every: config.Times.Login, most: config.Websockets.Connections, tokens: make(map[string]*token),
	}
	made.running, made.stop = context.WithCancel(running)

	return made
}

// login logs a websocket in. end is called where its token has ended later on.
func (s *sessions) login(ctx context.Context, authorization, address string, end func(*ws.Close)) (*session, error) {
	used := s.use(authorization)

	caller, err := used.look(ctx)
	if isDenied(err) {
		// Once more for this one alone, so that its address bears the failure.
		caller, err = s.authenticator.Login(ctx, authorization, address)
	}

	if err != nil {
		s.release(used, nil)

		return nil, s.refused(ctx, err)
	}

	opened := &session{sessions: s, token: used, caller: caller, end: end}
	if !s.keep(used, opened) {
		s.release(used, nil)

		return nil, &ws.Close{Code: websocket.CloseTryAgainLater, Reason: "too many websockets with this token; close some first"}
	}

	return opened, nil
}

// refused says how a websocket is closed whose login failed. A client may try again by itself unless it was told that its
// token is none.
func (s *sessions) refused(ctx context.Context, err error) *ws.Close {
	code := websocket.CloseTryAgainLater

	if denied, ok := errors.AsType[*access.Denied](err); ok && denied.Code == access.Unauthenticated {
		code = ws.Forbidden
	}

	return &ws.Close{Code: code, Reason: s.present(ctx, err).Message}
}

func isDenied(err error) bool {
	_, denied := errors.AsType[*access.Denied](err)

	return denied
}

// use finds or makes the token of that authorization; release must follow.
func (s *sessions) use(authorization string) *token {
	scheme, secret, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	name := strings.ToLower(scheme) + " " + strings.TrimSpace(secret)

	s.mu.Lock()
	defer s.mu.Unlock()

	found := s.tokens[name]
	if found == nil {
		found = &token{sessions: s, authorization: name, open: make(map[*session]struct{})}
		s.tokens[name] = found
	}

	found.users++

	return found
}

// keep takes in a session whose login was accepted; false where there are too many.
func (s *sessions) keep(used *token, opened *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	if len(used.open) >= s.most {
		return false
	}

	used.open[opened] = struct{}{}

	if !s.watching {
		s.watching = true
		s.watcher.Go(s.watch)
	}

	return true
}

// release is for a session that is over, or for a login that was refused.
func (s *sessions) release(used *token, closed *session) {
	s.mu.Lock()
	defer s.mu.Unlock()

	delete(used.open, closed)

	if used.users--; used.users == 0 {
		delete(s.tokens, used.authorization)
	}
}

// watch looks the tokens up again and again.
func (s *sessions) watch() {
	again := time.NewTicker(s.every)
	defer again.Stop()

	for {
		select {
		case <-s.running.Done():
			return
		case <-again.C:
		}

		s.mu.Lock()
		open := slices.Collect(maps.Values(s.tokens))
		s.mu.Unlock()

		var looking errgroup.Group

		looking.SetLimit(lookedAtOnce)

		for _, one := range open {
			looking.Go(func() error {
				_, _ = one.look(s.running) // it has done all that there is to do

				return nil
			})
		}

		_ = looking.Wait() // which has no error to tell
	}
}

// end returns once nothing is looked up any more. No session may begin meanwhile.
func (s *sessions) end() {
	s.stop()
	s.watcher.Wait()
}
