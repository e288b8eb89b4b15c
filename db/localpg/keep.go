package localpg

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

const (
	keepEvery    = time.Second
	boundEvery   = time.Minute
	longestPause = time.Minute
)

// Keep watches over the server until ctx is over or the server is closed: it starts one again that
// died, under the same [Server.URL], and bounds its log. It returns nothing since nothing ends it
// but that; what goes wrong is logged and tried again, after pauses of up to a minute. A program
// that runs for long has it run beside it and waits for its return before it calls Close.
func (s *Server) Keep(ctx context.Context) {
	pause, bounded := keepEvery, time.Now()

	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}

		err := s.revive(ctx)
		if err == nil && time.Since(bounded) >= boundEvery {
			bounded = time.Now()
			err = s.underLock(ctx, s.boundLog)
		}

		switch {
		case err == nil:
			pause = keepEvery
		case errors.Is(err, errClosed) || ctx.Err() != nil:
			return
		default:
			pause = min(2*pause, longestPause)
			s.cfg.log().ErrorContext(ctx, "cannot keep the private Postgres up", "error", err, "again_in", pause)
		}
	}
}

var errClosed = errors.New("the server was closed")

// revive starts the server if it is dead.
func (s *Server) revive(ctx context.Context) error {
	if pm, found, err := s.postmaster(); err == nil && found && lives(pm.pid) && serves(pm.pid, s.cluster()) {
		return nil // The usual case costs a look.
	}

	return s.underLock(ctx, func() error {
		before := s.socketDir

		launched, err := s.run(ctx, false)
		if err != nil {
			return err
		}

		if s.socketDir != before {
			return fmt.Errorf("the server's socket is now in %s, this process must be started again", s.socketDir)
		}

		if launched {
			s.cfg.log().WarnContext(ctx, "private Postgres had died and was started again", "data", s.path)
		}

		return nil
	})
}

func (s *Server) underLock(ctx context.Context, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.closed {
		return errClosed
	}

	if err := lock(ctx, s.start, syscall.LOCK_EX); err != nil {
		return err
	}

	return errors.Join(do(), unlock(s.start))
}
