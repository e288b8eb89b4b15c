package main

import (
	"context"
)

const (
	// standing is how many commands are queued besides those that a measurement works off.
	standing = 1000
	// batchSize is how many commands a batch of the rows about claims has.
	batchSize = 1000
)

// measureOneSite measures claim and report without HTTP.
func measureOneSite(ctx context.Context, b *bench) ([]figure, error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	by, err := h.site(ctx, "one")
	if err != nil {
		return nil, err
	}

	if _, err := h.plain.Exec(ctx, makeFloor); err != nil {
		return nil, wrap("make the floor", err)
	}

	if err := h.fill(ctx, by, standing); err != nil {
		return nil, err
	}

	floor := &claimFloor{conn: h.plain, site: by.Site}
	works := &agent{queue: h.queue, by: by}

	times, err := b.alternate(ctx,
		side{
			prepare: func(ctx context.Context) error {
				if err := h.fill(ctx, by, b.Cycles); err != nil {
					return err
				}

				return h.refill(ctx, by)
			},
			run: func(ctx context.Context) error { return floor.cycles(ctx, b.Cycles) },
		},
		side{run: func(ctx context.Context) error { return works.cycles(ctx, b.Cycles) }})
	if err != nil {
		return nil, err
	}

	return []figure{{
		Row: "one-site", Work: "claim and report, one agent, the database's part",
		Floor: rate(b.Cycles, times[0]), Hub: rate(b.Cycles, times[1]),
		Values: ratios(times[0], times[1]), Mark: atLeast(0.55),
	}}, nil
}
