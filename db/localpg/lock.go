package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

const lockPoll = 10 * time.Millisecond

// openLock opens a lock file of the data folder, and makes it if it is missing. It belongs to
// the folder's account, so that the hub may be run by root one day and by that account another.
func openLock(root *os.Root, name string, owner account) (*os.File, error) {
	file, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}

	if err := handFile(file, owner); err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return file, nil
}

// handFile gives an open file to the account. Only root needs to and can.
func handFile(file *os.File, owner account) error {
	if os.Geteuid() != 0 {
		return nil
	}

	if err := file.Chown(int(owner.uid), int(owner.gid)); err != nil {
		return fmt.Errorf("hand over to account %s: %w", owner.name, err)
	}

	return nil
}

// lock waits for a lock until ctx is over. It asks again and again, since flock(2) itself
// cannot be called off.
func lock(ctx context.Context, file *os.File, how int) error {
	poll := time.NewTicker(lockPoll)
	defer poll.Stop()

	for {
		locked, err := tryLock(file, how)
		if locked || err != nil {
			return err
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", file.Name(), context.Cause(ctx))
		case <-poll.C:
		}
	}
}

// tryLock says whether it got the lock. Where it changes the kind of a lock that the file
// already holds and does not get it, the old one may be lost.
func tryLock(file *os.File, how int) (bool, error) {
	for {
		err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)

		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, syscall.EINTR):
		default:
			return false, fmt.Errorf("lock %s: %w", file.Name(), err)
		}
	}
}

func unlock(file *os.File) error {
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_UN); err != nil {
		return fmt.Errorf("unlock %s: %w", file.Name(), err)
	}

	return nil
}
