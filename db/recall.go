package db

import (
	"sync"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// recall remembers what this process left of a site when it handed out a command, since what comes next is nearly always
// the report of that command: it is decided on that, and written in one round trip without a view. Nothing is trusted
// that is remembered: whoever changed the site since, here or in another hub, moved its version on, the guard of the
// write notices, and the change is decided once more on a view.
type recall struct {
	mu    sync.Mutex
	sites map[queue.SiteID]*remembered
}

// remembered is a site with its command in hand, as the claim left both.
type remembered struct {
	// at is when the site's clock was read.
	at       time.Time
	site     queue.Site
	headMark int64
	command  queue.Command
	batch    queue.Batch
}

const (
	// recallWithin bounds how far the database's clock is guessed from an earlier look at it.
	recallWithin = time.Minute
	// recalledSites bounds the memory.
	recalledSites = 10_000
)

// take gives what is remembered of the site and forgets it: whatever change comes next makes it old. Nil for nothing.
func (r *recall) take(site queue.SiteID) *remembered {
	r.mu.Lock()
	defer r.mu.Unlock()

	known := r.sites[site]
	delete(r.sites, site)

	if known == nil || time.Since(known.at) > recallWithin {
		return nil
	}

	return known
}

// keep remembers a claim's change, and no other.
func (r *recall) keep(t *tx, changes *queue.Changes) {
	if t.viewed == nil || len(changes.Commands) != 1 || len(changes.Batches) != 1 || changes.Pace != nil {
		return
	}

	command, batch := changes.Commands[0].Command, changes.Batches[0]
	if command.Status != queue.Claimed || batch.ID != command.Batch {
		return
	}

	known := &remembered{at: t.viewedAt, site: *t.viewed, headMark: t.headMark, command: *command, batch: *batch}
	known.site.SiteState = changes.Site
	known.command.Params = nil
	known.batch.Version = changes.Site.Version

	r.mu.Lock()
	defer r.mu.Unlock()

	if len(r.sites) >= recalledSites || r.sites == nil {
		r.sites = map[queue.SiteID]*remembered{}
	}

	r.sites[t.site] = known
}

// commands gives the view of the remembered command; nil where another is asked for.
func (k *remembered) commands(t *tx, id queue.CommandID) *queue.CommandsView {
	if k == nil || k.command.ID != id || t.begun {
		return nil
	}

	site, command, batch := k.site, k.command, k.batch
	site.Now = site.Now.Add(time.Since(k.at)).Truncate(time.Microsecond)
	t.version, t.headMark, t.recalled = site.Version, k.headMark, true

	return &queue.CommandsView{
		Site:     site,
		Commands: map[queue.CommandID]*queue.Command{id: &command},
		Batches:  map[queue.BatchID]*queue.Batch{batch.ID: &batch},
	}
}
