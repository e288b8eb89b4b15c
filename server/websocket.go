package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/live/ws"
	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

func newSockets(config Config, exec graphql.GraphExecutor) *ws.Server {
	return ws.New(ws.Config{
		Exec: exec,
		Present: func(ctx context.Context, err error) *gqlerror.Error {
			switch {
			case errors.Is(err, ws.ErrTooMany):
				err = refusal.RateLimited("%s: there are %d", err, config.Websockets.Operations)
			case errors.Is(err, ws.ErrEnding):
				err = refusal.Unavailable("%s", err)
			}

			return config.Present(ctx, err)
		},
		Recover: config.Recover,
		Times: ws.Times{
			Init: config.Times.Init, Ping: config.Times.Ping, Write: config.Times.Write, Goodbye: config.Times.Goodbye,
		},
		Limits: ws.Limits{Message: config.BodyLimit / socketShare, Operations: config.Websockets.Operations},
	})
}

// websocket opens a websocket. The token comes in the upgrade's header or in the payload of connection_init.
//
// A page of another origin may open one too, but has to show a token in the payload: nothing that a browser sends along
// by itself logs it in, and a page that holds a token may use it from wherever it was served.
func (s *Server) websocket(w http.ResponseWriter, r *http.Request) {
	carried := ""

	if authorization := r.Header.Get("Authorization"); authorization != "" && isOwnOrigin(r) {
		if _, err := s.caller(r, authorization); err != nil {
			s.deny(w, r, err)

			return
		}

		carried = authorization
	}

	id := access.RequestID(r.Context())
	address := callerAddress(r, s.config.Exposure.BehindProxy)
	login := func(ctx context.Context, authorization string, end func(*ws.Close)) (ws.Session, error) {
		if authorization == "" {
			authorization = carried // which may have ended since
		}

		return s.sessions.login(ctx, authorization, address, end)
	}

	// Not the request's context, which ends when this returns.
	s.sockets.Open(access.WithRequestID(s.running, id), w, r, http.Header{requestIDHeader: {id}}, login, //nolint:contextcheck // as said
		func(status int, reason error) {
			if errors.Is(reason, ws.ErrEnding) {
				s.transport.Refuse(w, r, refusal.Unavailable("%s", reason))

				return
			}

			s.transport.RefuseWith(w, r, status, refusal.BadRequest("no websocket: %s", reason))
		})
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
