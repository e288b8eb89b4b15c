package db

import (
	"context"
	"sync"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// siteLocks makes the changes of one site queue up in this process before they take a connection, so that a busy
// site holds one connection of the pool and not all. What serialises a site across processes is its row.
type siteLocks struct {
	mu    sync.Mutex
	sites map[queue.SiteID]*siteLock
}

type siteLock struct {
	// turn holds one token while nobody has the lock.
	turn  chan struct{}
	users int
}

// lock waits for the site and gives what frees it again.
func (l *siteLocks) lock(ctx context.Context, site queue.SiteID) (func(), error) {
	lock := l.enter(site)

	select {
	case <-lock.turn:
		return func() {
			lock.turn <- struct{}{}
			l.leave(site, lock)
		}, nil
	case <-ctx.Done():
		l.leave(site, lock)

		return nil, ctx.Err() //nolint:wrapcheck // Change tells whose deadline it was
	}
}

func (l *siteLocks) enter(site queue.SiteID) *siteLock {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.sites == nil {
		l.sites = map[queue.SiteID]*siteLock{}
	}

	lock := l.sites[site]
	if lock == nil {
		lock = &siteLock{turn: make(chan struct{}, 1)}
		lock.turn <- struct{}{}
		l.sites[site] = lock
	}

	lock.users++

	return lock
}

func (l *siteLocks) leave(site queue.SiteID, lock *siteLock) {
	l.mu.Lock()
	defer l.mu.Unlock()

	if lock.users--; lock.users == 0 {
		delete(l.sites, site)
	}
}
