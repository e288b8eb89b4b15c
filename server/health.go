package server

import (
	"context"
	"fmt"
	"net/http"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// healthz answers 200 for as long as the process can answer at all.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	plain(w, http.StatusOK, "ok")
}

// readyz answers 200 while the hub can do its work, else 503 with the reason in a word.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if s.ending.Err() != nil {
		plain(w, http.StatusServiceUnavailable, "not ready: the hub is shutting down")

		return
	}

	if err := s.ready(r.Context()); err != nil {
		plain(w, http.StatusServiceUnavailable, "not ready: "+s.config.Present(r.Context(), err).Message)

		return
	}

	plain(w, http.StatusOK, "ready")
}

// ready asks once for all who wait at the same time: anyone may ask, and the database is not to feel it.
func (s *Server) ready(ctx context.Context) error {
	_, err, _ := s.readiness.Do("", func() (any, error) {
		inTime, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Times.Ready)
		defer cancel()

		err := s.config.Ready(inTime)
		if err != nil && inTime.Err() != nil {
			return nil, refusal.Unavailable("the database did not answer within %s", s.config.Times.Ready)
		}

		return nil, err
	})

	return err //nolint:wrapcheck // shown, not passed on
}

// plain answers with a line of text.
func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)

	_, _ = fmt.Fprintln(w, line) // a caller who has gone away is told nothing
}
