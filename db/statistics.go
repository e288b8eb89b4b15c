package db

import (
	"context"
	"sync"
	"time"
)

// statistics keeps the planner's picture of the tables from being that of empty ones. Every index leads with the
// site, so on a table that was empty when a statement was planned any of them looks as good as the right one, and the
// cached plan stays: a claim would read every row until autovacuum comes by, a minute later. A fresh ANALYZE makes
// every session plan anew.
type statistics struct {
	mu sync.Mutex
	// grown counts events since the last ANALYZE, which is due at due.
	grown, due int
	running    bool
	tasks      sync.WaitGroup
}

const (
	// firstDue is after how many new events the first ANALYZE comes; the later ones come when the log has doubled.
	firstDue = 256

	analyzeWithin = 30 * time.Second

	analyzeTables = `ANALYZE (SKIP_LOCKED) commands, command_refs, command_keys, events, issues, batches, notes`
	countEvents   = `SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'events'::regclass`
)

// grew notes how many events a committed change brought, and analyzes in the background where many came together.
func (d *DB) grew(events int) {
	s := &d.statistics

	s.mu.Lock()
	defer s.mu.Unlock()

	s.grown += events
	if s.grown < max(s.due, firstDue) || s.running || d.background.Err() != nil {
		return
	}

	s.running = true

	s.tasks.Go(func() { d.analyze(d.background) })
}

// analyze renews the planner's statistics.
func (d *DB) analyze(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, analyzeWithin)
	defer cancel()

	var events int

	_, err := d.pool.Exec(bounded, analyzeTables)
	if err == nil {
		err = d.pool.QueryRow(bounded, countEvents).Scan(&events)
	}

	if err != nil && ctx.Err() == nil {
		d.log.Warn("the tables could not be analyzed; claims may be slow until autovacuum comes by", "error", err)
	}

	s := &d.statistics

	s.mu.Lock()
	defer s.mu.Unlock()

	s.running, s.grown, s.due = false, 0, events
}
