package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
)

// Listen takes the address, so that a taken one is known of before anything else is begun. Run does it where it has not
// been done.
func (s *Server) Listen(ctx context.Context) error {
	if s.listener != nil {
		return nil
	}

	var config net.ListenConfig

	listener, err := config.Listen(ctx, "tcp", s.config.Listen)
	if err != nil {
		return cannotListen(s.config.Listen, err)
	}

	s.listener = listener

	return nil
}

// cannotListen says what to do. What the system says comes without the address, which would stand there twice.
func cannotListen(address string, err error) error {
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		err = failed.Err
	}

	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("cannot listen on %s: %w; end what listens there, or name another address with --listen (HUB_LISTEN)",
			address, err)
	}

	return fmt.Errorf("cannot listen on %s: %w; name another address with --listen (HUB_LISTEN)", address, err)
}

// Addr is the address that is listened on, once Listen or Run has taken it, else nil.
func (s *Server) Addr() net.Addr {
	if s.listener == nil {
		return nil
	}

	return s.listener.Addr()
}

// Run serves until the context ends, and then ends in good order: long polls are answered as idle (Config.Drain), no
// new connection is taken, what runs may finish for Times.Finish and is then cut off, and websockets are closed with
// 1001. It returns nil after that, and an error where it could not serve. A Server runs once.
func (s *Server) Run(ctx context.Context) error {
	if err := s.Listen(ctx); err != nil {
		return err
	}

	serving := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: s.config.Times.Header,
		IdleTimeout:       s.config.Times.Idle,
		MaxHeaderBytes:    headerLimit,
		BaseContext:       func(net.Listener) context.Context { return s.running },
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
	}

	failed := make(chan error, 1)

	go func() { failed <- s.serve(serving) }()

	select {
	case err := <-failed:
		s.shutDown(context.WithoutCancel(ctx), serving)

		return err
	case <-ctx.Done():
		s.shutDown(context.WithoutCancel(ctx), serving)

		return <-failed
	}
}

func (s *Server) serve(serving *http.Server) error {
	var err error
	if s.config.Exposure.hasTLS() {
		err = serving.ServeTLS(s.listener, s.config.Exposure.CertFile, s.config.Exposure.KeyFile)
	} else {
		err = serving.Serve(s.listener)
	}

	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}

	return fmt.Errorf("serve on %s: %w", s.listener.Addr(), err)
}

// shutDown takes a context that does not end with the caller's: it has times of its own.
func (s *Server) shutDown(ctx context.Context, serving *http.Server) {
	s.end()
	s.config.Drain()

	inTime, cancel := context.WithTimeout(ctx, s.config.Times.Finish)
	defer cancel()

	if err := serving.Shutdown(inTime); err != nil {
		s.config.Log.WarnContext(ctx, "cutting off requests that did not finish in time", "waited", s.config.Times.Finish)
		s.endCutOff(ctx, serving)
	}

	s.sockets.Shutdown(inTime)
	s.cutOff()
	s.sessions.end()
}

// endCutOff ends the context of what still runs, gives it a moment to answer that, and closes what is left.
func (s *Server) endCutOff(ctx context.Context, serving *http.Server) {
	s.cutOff()

	moment, cancel := context.WithTimeout(ctx, s.config.Times.Goodbye)
	defer cancel()

	if err := serving.Shutdown(moment); err != nil {
		_ = serving.Close() // its listener is closed already, which is all that it could say
	}
}
