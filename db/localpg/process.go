package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

const processPoll = 10 * time.Millisecond

// lives says whether a process is there.
func lives(pid int) bool {
	// A container's first process inherits the orphans: the ended ones are buried here, since
	// Postgres takes their numbers for alive.
	if os.Getpid() == 1 {
		var status syscall.WaitStatus
		if buried, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil); err == nil && buried == pid {
			return false
		}
	}

	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && !unburied(pid)
}

// abandon ends a server that was not seen to come up.
func abandon(pid int) {
	const grace = 2 * time.Second

	poll := time.NewTicker(processPoll)
	defer poll.Stop()

	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		if !lives(pid) {
			return
		}

		_ = syscall.Kill(pid, signal) // It may just have ended.

		for begun := time.Now(); lives(pid) && time.Since(begun) < grace; {
			<-poll.C
		}
	}
}

// awaitEnd waits until no process of pids serves the cluster any more, or ctx is over.
func awaitEnd(ctx context.Context, cluster string, pids ...int) error {
	poll := time.NewTicker(processPoll)
	defer poll.Stop()

	for _, pid := range pids {
		for lives(pid) && serves(pid, cluster) {
			select {
			case <-ctx.Done():
				return fmt.Errorf("wait for process %d: %w", pid, context.Cause(ctx))
			case <-poll.C:
			}
		}
	}

	return nil
}
