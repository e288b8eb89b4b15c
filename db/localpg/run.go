package localpg

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

const (
	orphanGrace = 3 * time.Second
	startPoll   = 20 * time.Millisecond
)

// run sees to it that the server accepts connections, and says whether it had to start it. The
// caller holds the start lock, so no one else starts or stops it meanwhile; alone means that no
// one else uses it either.
func (s *Server) run(ctx context.Context, alone bool) (launched bool, err error) {
	for {
		pm, found, err := s.postmaster()
		if err != nil {
			return false, err
		}

		switch {
		case found && pm.socketDir != "" && private(pm.socketDir, s.owner) == nil && listens(ctx, pm.socketDir, pm.port):
			err := s.await(ctx, pm.socketDir, pm.port, func() bool { return listens(ctx, pm.socketDir, pm.port) })
			if !errors.Is(err, errServerGone) { // Else it was just being stopped, by hand.
				return false, err
			}
		case found && pm.pid > 0 && lives(pm.pid) && serves(pm.pid, s.cluster()):
			if err := s.unreachable(ctx, pm, alone); err != nil {
				return false, err
			}
		default:
			if found {
				if err := s.buryServer(ctx); err != nil {
					return false, err
				}
			}

			return true, s.launch(ctx)
		}
	}
}

// unreachable deals with a server that lives and has no socket. Most likely it is starting or
// stopping, and is waited for; when it has come up, its socket was taken away from it.
func (s *Server) unreachable(ctx context.Context, pm postmaster, alone bool) error {
	if pm.ready {
		if !alone {
			return fmt.Errorf("the server (process %d) in %s lost its socket in %q, and others still use it: "+
				"stop them and start again", pm.pid, s.path, pm.socketDir)
		}

		s.cfg.log().WarnContext(ctx, "the server lost its socket and is started again", "pid", pm.pid, "socket", pm.socketDir)

		return s.stop(ctx)
	}

	select {
	case <-ctx.Done():
		return fmt.Errorf("wait for the server (process %d) in %s, which neither comes up nor ends: %w",
			pm.pid, s.path, context.Cause(ctx))
	case <-time.After(startPoll):
		return nil
	}
}

// buryServer clears away what a killed server left: processes that have not noticed yet, which
// would keep a new one from starting, and its pid file.
func (s *Server) buryServer(ctx context.Context) error {
	if orphans := servants(s.cluster()); len(orphans) > 0 {
		s.cfg.log().WarnContext(ctx, "ending the orphans of a killed server", "pids", orphans)

		if err := endOrphans(ctx, s.cluster(), orphans); err != nil {
			return err
		}
	}

	return s.clearPidFile()
}

// endOrphans lets them end by themselves, as most do at once. SIGQUIT is Postgres' own signal for
// dropping everything; only one that is stuck is left for SIGKILL.
func endOrphans(ctx context.Context, cluster string, orphans []int) error {
	for _, signal := range []syscall.Signal{0, syscall.SIGQUIT, syscall.SIGKILL} {
		for _, pid := range orphans {
			if serves(pid, cluster) {
				_ = syscall.Kill(pid, signal) // It may just have ended.
			}
		}

		grace := orphanGrace
		if signal == 0 {
			grace = time.Second
		}

		waiting, cancel := context.WithTimeout(ctx, grace)
		err := awaitEnd(waiting, cluster, orphans...)

		cancel()

		if err == nil {
			return nil
		}
	}

	return fmt.Errorf("processes %v of a killed server do not end: stop them by hand", orphans)
}
