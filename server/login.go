package server

import (
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// loggedIn lets a request through with its caller, and counts it as an operation. Nothing of GraphQL is to be had
// without a token, not even the schema.
func (s *Server) loggedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions {
			next.ServeHTTP(w, r)

			return
		}

		caller, err := s.caller(r, r.Header.Get("Authorization"))
		if err == nil {
			err = s.config.Login.Admit(caller)
		}

		if err != nil {
			s.deny(w, r, err)

			return
		}

		next.ServeHTTP(w, r.WithContext(access.With(r.Context(), caller)))
	})
}

func (s *Server) caller(r *http.Request, authorization string) (access.Caller, error) {
	return s.config.Login.Login(r.Context(), authorization, callerAddress(r, s.config.Exposure.BehindProxy))
}

// deny answers a caller who was not let through.
func (s *Server) deny(w http.ResponseWriter, r *http.Request, err error) {
	if denied, ok := errors.AsType[*access.Denied](err); ok {
		switch denied.Code {
		case access.Unauthenticated:
			w.Header().Set("WWW-Authenticate", "Bearer")
		case access.RateLimited:
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(denied.RetryAfter.Seconds()))))
		case access.Forbidden:
		}
	}

	s.transport.Refuse(w, r, err)
}
