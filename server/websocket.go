package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// subprotocol is the one that is spoken.
const subprotocol = "graphql-transport-ws"

// The close codes of that protocol, and of websockets themselves, that are ours to send.
const (
	closeForbidden     = 4403
	closeNoSubprotocol = 4406
)

// websocket opens a websocket. The token comes in the upgrade's header or in the payload of connection_init.
//
// A page of another origin may open one too, but has to show a token in the payload: nothing that a browser sends along
// by itself logs it in, and a page that holds a token may use it from wherever it was served.
func (s *Server) websocket(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()

	if authorization := r.Header.Get("Authorization"); authorization != "" && isOwnOrigin(r) {
		caller, err := s.caller(r, authorization)
		if err != nil {
			s.deny(w, r, err)

			return
		}

		ctx = access.With(ctx, caller)
	}

	opened := s.upgrade(w, r, stop)
	if opened == nil {
		return
	}

	defer opened.finish()

	if !s.sockets.add(opened) {
		opened.goAway()

		return
	}

	defer s.sockets.remove(opened)

	s.serveSocket(w, r.WithContext(ctx), opened)
}

// upgrade gives the websocket, or nil where it has answered why there is none.
func (s *Server) upgrade(w http.ResponseWriter, r *http.Request, stop context.CancelFunc) *socket {
	upgrader := websocket.Upgrader{
		HandshakeTimeout: s.config.Times.Write,
		Subprotocols:     []string{subprotocol},
		CheckOrigin:      func(*http.Request) bool { return true }, // see websocket
		Error: func(w http.ResponseWriter, r *http.Request, status int, reason error) {
			s.transport.RefuseWith(w, r, status, refusal.BadRequest("no websocket: %s", reason))
		},
	}

	conn, err := upgrader.Upgrade(w, r, http.Header{requestIDHeader: {access.RequestID(r.Context())}})
	if err != nil {
		return nil // Error has answered
	}

	return &socket{conn: conn, write: s.config.Times.Write, goodbye: s.config.Times.Goodbye, hub: s.ending, stop: stop}
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request, opened *socket) {
	if !slices.Contains(websocket.Subprotocols(r), subprotocol) {
		_ = opened.WriteClose(closeNoSubprotocol, "Subprotocol not acceptable: there is "+subprotocol)

		return
	}

	limit := s.config.BodyLimit / socketShare
	login := &socketLogin{login: s.config.Login, socket: opened, log: s.config.Log, every: s.config.Times.Login}

	defer login.wait()

	transport.Websocket{
		Implementation:   existing{opened},
		InitFunc:         s.initSocket(r, login),
		InitTimeout:      s.config.Times.Init,
		PingPongInterval: s.config.Times.Ping,
		PayloadReadLimit: &limit,
	}.Do(w, r, socketExecutor{GraphExecutor: s.exec, login: login})
}

// initSocket logs in by the payload of connection_init; without a token in it the one of the upgrade counts, which may
// have ended since.
func (s *Server) initSocket(r *http.Request, login *socketLogin) transport.WebsocketInitFunc {
	return func(ctx context.Context, payload transport.InitPayload) (context.Context, *transport.InitPayload, error) {
		authorization := payload.Authorization()
		if _, known := access.From(ctx); known && authorization == "" {
			authorization = r.Header.Get("Authorization")
		}

		caller, err := s.caller(r, authorization)
		if err == nil {
			ctx = access.With(ctx, caller)
			login.authorization = authorization
			login.watch(ctx)

			return ctx, nil, nil
		}

		code := websocket.CloseTryAgainLater

		if denied, ok := errors.AsType[*access.Denied](err); ok && denied.Code == access.Unauthenticated {
			code = closeForbidden
		}

		reason := s.config.Present(ctx, err).Message

		return transport.AppendCloseReason(transport.WithWebsocketCloseCode(ctx, code), closeReason(reason)), nil, err
	}
}

// closeReason cuts a text to what a close frame holds, between characters.
func closeReason(text string) string {
	const most = 123

	if len(text) <= most {
		return text
	}

	return strings.ToValidUTF8(text[:most], "")
}

// isOwnOrigin tells whether the request is from no page or from one of this host.
func isOwnOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}

	from, err := url.Parse(origin)

	return err == nil && strings.EqualFold(from.Host, r.Host)
}

// existing gives gqlgen's transport a websocket that is open already, so that the handshake's errors are ours to answer.
type existing struct{ *socket }

// Accept gives the websocket.
func (e existing) Accept(http.ResponseWriter, *http.Request, transport.WebsocketAcceptOptions) (transport.WebsocketConn, error) {
	return e.socket, nil
}
