package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	fastGrace      = 10 * time.Second // Without a deadline.
	immediateGrace = 6 * time.Second  // Postgres itself kills its processes after five.
)

// Close leaves the server; the last to leave stops it. It ends the server's sessions and writes
// everything to disk (a fast shutdown); where that does not end in time it drops everything
// (immediate), which the next start recovers from without loss. In time is by a second before
// ctx's deadline, or 10 seconds. It waits at most 6 seconds beyond that. Later calls do nothing.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.closed {
		return nil
	}

	if err := lock(ctx, s.start, syscall.LOCK_EX); err != nil {
		return errors.Join(fmt.Errorf("leave the private Postgres: %w", err), s.release())
	}

	if err := s.leave(ctx); err != nil {
		return fmt.Errorf("leave the private Postgres: %w", err)
	}

	return nil
}

// leave stops the server if nobody else uses it, and gives up the locks. The caller holds the start lock.
func (s *Server) leave(ctx context.Context) error {
	alone, err := tryLock(s.users, syscall.LOCK_EX)
	if err == nil && alone {
		err = s.stop(ctx)
	}

	return errors.Join(err, s.release())
}

// stop ends the server, if one runs. The caller holds the start lock.
func (s *Server) stop(ctx context.Context) error {
	pm, found, err := s.postmaster()
	if err != nil || !found || pm.pid <= 0 {
		return err
	}

	if !lives(pm.pid) || !serves(pm.pid, s.cluster()) {
		if pm.socketDir != "" && listens(ctx, pm.socketDir, pm.port) {
			return fmt.Errorf("the server in %s is not to be stopped from here: process %d is not its", s.path, pm.pid)
		}

		return nil // It was killed; the next start clears up.
	}

	begun := time.Now()
	how := "fast"

	first, cancel := fastPhase(ctx)
	err = s.end(first, pm.pid, syscall.SIGINT)

	cancel()

	if err != nil {
		s.cfg.log().WarnContext(ctx, "Postgres does not stop in time, it will recover at the next start", "pid", pm.pid)

		how = "immediate"
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), immediateGrace)

		err := s.end(last, pm.pid, syscall.SIGQUIT)

		cancel()

		if err != nil {
			return fmt.Errorf("stop the server: %w", err)
		}
	}

	if filepath.Dir(pm.socketDir) != s.path {
		_ = os.Remove(pm.socketDir) // Empty by now; the data folder's own stays.
	}

	s.cfg.log().InfoContext(ctx, "private Postgres is stopped", "data", s.path, "how", how, "took", time.Since(begun).Round(time.Millisecond))

	return nil
}

// fastPhase is the part of ctx's time that a fast shutdown may take.
func fastPhase(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithTimeout(ctx, fastGrace)
	}

	return context.WithDeadline(ctx, deadline.Add(-min(time.Second, time.Until(deadline)/2)))
}

func (s *Server) end(ctx context.Context, pid int, signal syscall.Signal) error {
	if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("signal process %d: %w", pid, err)
	}

	return awaitEnd(ctx, s.cluster(), pid)
}
