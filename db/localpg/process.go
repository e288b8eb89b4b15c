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
