package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// The floor's queue has rows as wide as the hub's, with the key and the one index that a queue needs.
	makeFloor = `
CREATE TABLE floor.jobs (LIKE public.commands INCLUDING DEFAULTS INCLUDING STORAGE, PRIMARY KEY (site_id, id));
CREATE INDEX jobs_ready ON floor.jobs (site_id, id) WHERE status = 'queued'`

	// It is given the very commands that the hub was given.
	fillFloor = `
INSERT INTO floor.jobs SELECT * FROM public.commands
WHERE site_id = $1 AND id > (SELECT coalesce(max(id), 0) FROM floor.jobs WHERE site_id = $1)`

	floorClaim = `
UPDATE floor.jobs SET status = 'claimed', deliveries = deliveries + 1, claimed_at = clock_timestamp()
WHERE site_id = $1 AND id = (
	SELECT id FROM floor.jobs WHERE site_id = $1 AND status = 'queued' ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1
)
RETURNING id, kind, params, deliveries, dedupe_key::text`

	floorComplete = `
UPDATE floor.jobs SET status = 'done', finished_at = clock_timestamp() WHERE site_id = $1 AND id = $2 AND status = 'claimed'`
)

// claimFloor is the least that a queue in Postgres does: a claim and a completion, each committed.
type claimFloor struct {
	conn *pgx.Conn
	site queue.SiteID
}

// claim takes the next job.
func (f *claimFloor) claim(ctx context.Context) (int64, error) {
	var (
		id         int64
		kind       string
		params     json.RawMessage
		deliveries int
		dedupe     string
	)

	err := f.conn.QueryRow(ctx, floorClaim, f.site).Scan(&id, &kind, &params, &deliveries, &dedupe)

	return id, wrap("the floor's claim", err)
}

func (f *claimFloor) complete(ctx context.Context, id int64) error {
	tag, err := f.conn.Exec(ctx, floorComplete, f.site, id)
	if err == nil && tag.RowsAffected() != 1 {
		err = fmt.Errorf("%d rows instead of 1", tag.RowsAffected())
	}

	return wrap("the floor's completion", err)
}

func (f *claimFloor) cycle(ctx context.Context) error {
	id, err := f.claim(ctx)
	if err != nil {
		return err
	}

	return f.complete(ctx, id)
}

func (f *claimFloor) cycles(ctx context.Context, count int) error {
	for range count {
		if err := f.cycle(ctx); err != nil {
			return err
		}
	}

	return nil
}

// refill gives the floor the site's new commands, and the planner a look at them.
func (h *hub) refill(ctx context.Context, sites ...queue.Actor) error {
	for _, by := range sites {
		if _, err := h.plain.Exec(ctx, fillFloor, by.Site); err != nil {
			return fmt.Errorf("fill the floor: %w", err)
		}
	}

	_, err := h.plain.Exec(ctx, "ANALYZE floor.jobs")

	return wrap("analyze the floor", err)
}
