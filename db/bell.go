package db

import (
	"sync"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// bell wakes those in this process who wait for a site to change.
type bell struct {
	mu    sync.Mutex
	sites map[queue.SiteID]chan struct{}
}

// Woken gives a channel that is closed at the next change of the site: at once where this process makes it, soon where
// another one does.
func (d *DB) Woken(site queue.SiteID) <-chan struct{} {
	woken := d.bell.woken(site)

	d.hearing.Do(func() { d.tasks.Go(func() { d.hear(d.background) }) })

	return woken
}

func (b *bell) woken(site queue.SiteID) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()

	if b.sites == nil {
		b.sites = map[queue.SiteID]chan struct{}{}
	}

	if b.sites[site] == nil {
		b.sites[site] = make(chan struct{})
	}

	return b.sites[site]
}

// ring wakes all who wait for the site.
func (b *bell) ring(site queue.SiteID) {
	b.mu.Lock()
	defer b.mu.Unlock()

	if waiting := b.sites[site]; waiting != nil {
		close(waiting)
		delete(b.sites, site)
	}
}

// ringAll wakes all who wait for any site.
func (b *bell) ringAll() {
	b.mu.Lock()
	defer b.mu.Unlock()

	for _, waiting := range b.sites {
		close(waiting)
	}

	clear(b.sites)
}
