package server

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// requestIDHeader names the request in the log, in the answer and in an INTERNAL error.
const requestIDHeader = "X-Request-ID"

// properRequestID is what is taken over from a caller: nothing that could forge a line of the log.
var properRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// named gives each request its id: the caller's own where it is a proper one.
func named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestIDHeader)
		if !properRequestID.MatchString(id) {
			id = newRequestID()
		}

		w.Header().Set(requestIDHeader, id)
		next.ServeHTTP(w, r.WithContext(access.WithRequestID(r.Context(), id)))
	})
}

func newRequestID() string {
	var random [16]byte

	_, _ = rand.Read(random[:]) // does not fail

	return hex.EncodeToString(random[:])
}

// logged writes a line a request at debug: no header, no query, no body, for any of them can hold a secret.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.config.Log.Enabled(r.Context(), slog.LevelDebug) {
			next.ServeHTTP(w, r)

			return
		}

		start := time.Now()
		counted := &countingWriter{ResponseWriter: w, status: http.StatusOK}

		next.ServeHTTP(counted, r)

		s.config.Log.DebugContext(r.Context(), "request",
			"method", r.Method, "path", r.URL.Path, "status", counted.status, "bytes", counted.bytes,
			"took", time.Since(start), "from", r.RemoteAddr, "request", access.RequestID(r.Context()))
	})
}

// rescued answers a panic that no resolver's recovery caught.
func (s *Server) rescued(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.rescue(w, r)

		next.ServeHTTP(w, r)
	})
}

// rescue is to be deferred.
func (s *Server) rescue(w http.ResponseWriter, r *http.Request) {
	switch thrown := recover(); thrown {
	case nil:
	case http.ErrAbortHandler:
		panic(thrown) // net/http's own word for a wanted end
	default:
		s.transport.Refuse(w, r, s.config.Recover(r.Context(), thrown))
	}
}

// timed gives each body a deadline. net/http has none for one that no handler reads, which it reads itself to use the
// connection again: a caller who is turned away could else hold the connection for ever.
func (s *Server) timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			// Not every ResponseWriter has deadlines; the hub's own do.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.config.Times.Body))
		}

		next.ServeHTTP(w, r)
	})
}

// secured sets the headers that keep browsers from doing more with an answer than is wanted.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")

		next.ServeHTTP(w, r)
	})
}

// countingWriter notes what is written through it.
type countingWriter struct {
	http.ResponseWriter

	status int
	bytes  int
}

// WriteHeader notes the status.
func (c *countingWriter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *countingWriter) Write(body []byte) (int, error) {
	n, err := c.ResponseWriter.Write(body)
	c.bytes += n

	return n, err //nolint:wrapcheck // passed through
}

// Unwrap lets http.ResponseController find what is beneath.
func (c *countingWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Hijack is for the websocket's library, which does not look beneath.
func (c *countingWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c.status = http.StatusSwitchingProtocols

	connection, buffer, err := http.NewResponseController(c.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("take over the connection: %w", err)
	}

	return connection, buffer, nil
}
