package server

import (
	"context"
	"errors"
	"strconv"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/live/group"
	"github.com/sdlc-hub/sdlc-hub/live/ws"
)

// session is one websocket that is logged in.
type session struct {
	sessions *sessions
	token    *token
	caller   access.Caller
	end      func(*ws.Close)
}

var _ ws.Session = (*session)(nil)

// Context gives a context that carries the caller.
func (s *session) Context(ctx context.Context) context.Context { return access.With(ctx, s.caller) }

// Admit counts an operation and has the token looked up again. Where that has ended, the websocket is closed with 4403; a
// token that cannot be looked up ends nothing but the operation.
func (s *session) Admit(ctx context.Context) error {
	if err := s.sessions.authenticator.Admit(s.caller); err != nil {
		return err
	}

	_, err := s.token.look(ctx)
	if denied, ok := errors.AsType[*access.Denied](err); ok {
		return &ws.Close{Code: ws.Forbidden, Reason: denied.Message}
	}

	return err
}

// Audience is all callers of the site with the same role: what a subscription shows depends on nothing else.
func (s *session) Audience() group.Audience {
	shared := access.Caller{Role: s.caller.Role, SiteID: s.caller.SiteID, Site: s.caller.Site}

	return group.Audience{
		Key:     strconv.FormatInt(shared.SiteID, 10) + " " + shared.Role.String(),
		Context: access.With(access.WithRequestID(s.sessions.running, newRequestID()), shared),
	}
}

// Mends is true of the agent, which passes on Jira's texts: those are never refused for their characters.
func (s *session) Mends() bool { return s.caller.Role == access.Agent }

// Leave is called when the websocket is closed.
func (s *session) Leave() { s.sessions.release(s.token, s) }

// token is what the sessions of one token share.
type token struct {
	sessions      *sessions
	authorization string

	// The rest is guarded by sessions.mu. users are those who hold it, open among them.
	users int
	open  map[*session]struct{}
	// next is the look-up that has not begun yet; looking is true while one runs.
	next    *lookup
	looking bool
}

// lookup is one look at a token, shared by all who asked for it before it began.
type lookup struct {
	done   chan struct{}
	caller access.Caller
	err    error
}

// look looks the token up: what it answers was true at some time after the call. Where the token has ended, so do its
// sessions.
func (t *token) look(ctx context.Context) (access.Caller, error) {
	t.sessions.mu.Lock()

	asked := t.next
	if asked == nil {
		asked = &lookup{done: make(chan struct{})}
		t.next = asked
	}

	if !t.looking {
		t.looking = true
		t.sessions.watcher.Go(t.lookUp)
	}

	t.sessions.mu.Unlock()

	select {
	case <-asked.done:
		return asked.caller, asked.err
	case <-ctx.Done():
		return access.Caller{}, ctx.Err() //nolint:wrapcheck // whoever ended it knows why
	}
}

// lookUp looks for as long as somebody asks.
func (t *token) lookUp() {
	for {
		t.sessions.mu.Lock()
		asked := t.next
		t.next = nil
		t.looking = asked != nil
		t.sessions.mu.Unlock()

		if asked == nil {
			return
		}

		asked.caller, asked.err = t.sessions.authenticator.Find(t.sessions.running, t.authorization)

		if denied, ok := errors.AsType[*access.Denied](asked.err); ok {
			t.endAll(denied)
		}

		close(asked.done)
	}
}

// endAll closes the websockets of a token that has ended.
func (t *token) endAll(denied *access.Denied) {
	t.sessions.mu.Lock()

	ended := make([]*session, 0, len(t.open))
	for one := range t.open {
		ended = append(ended, one)
	}

	t.sessions.mu.Unlock()

	for _, one := range ended {
		t.sessions.log.Debug("closing a websocket whose token has ended",
			"site", one.caller.Site, "token", one.caller.Token, "reason", denied.Message)
		one.end(&ws.Close{Code: ws.Forbidden, Reason: denied.Message})
	}
}
