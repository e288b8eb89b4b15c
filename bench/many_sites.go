package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// manySites is how many sites work at once, each with its agent; the floor has as many connections.
	manySites = 20
	// manyTimes is how many times the cycles of a single site they make together.
	manyTimes = 5
)

// measureManySites measures claim and report of 20 sites at once.
func measureManySites(ctx context.Context, b *bench) ([]figure, error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	if _, err := h.plain.Exec(ctx, makeFloor); err != nil {
		return nil, wrap("make the floor", err)
	}

	sites, floors, err := h.manySites(ctx)
	if err != nil {
		return nil, err
	}

	defer func() {
		for _, floor := range floors {
			_ = floor.conn.Close(context.WithoutCancel(ctx)) // its database is dropped next
		}
	}()

	each := max(manyTimes*b.Cycles/manySites, 1)

	atOnce := func(cycles func(ctx context.Context, site int) error) func(context.Context) error {
		return func(ctx context.Context) error {
			all, ctx := errgroup.WithContext(ctx)

			for site := range manySites {
				all.Go(func() error { return cycles(ctx, site) })
			}

			return all.Wait()
		}
	}

	times, err := b.alternate(ctx,
		side{
			prepare: func(ctx context.Context) error {
				for _, by := range sites {
					if err := h.fill(ctx, by, each); err != nil {
						return err
					}
				}

				return h.refill(ctx, sites...)
			},
			run: atOnce(func(ctx context.Context, site int) error { return floors[site].cycles(ctx, each) }),
		},
		side{run: atOnce(func(ctx context.Context, site int) error {
			return (&agent{queue: h.queue, by: sites[site]}).cycles(ctx, each)
		})})
	if err != nil {
		return nil, err
	}

	return []figure{{
		Row: "many-sites", Work: fmt.Sprintf("claim and report, %d sites at once", manySites),
		Floor: rate(each*manySites, times[0]), Hub: rate(each*manySites, times[1]),
		Values: ratios(times[0], times[1]), Mark: atLeast(0.5),
	}}, nil
}

// manySites makes the sites, each with a queue, and the floor's connections.
func (h *hub) manySites(ctx context.Context) ([]queue.Actor, []*claimFloor, error) {
	var (
		sites  []queue.Actor
		floors []*claimFloor
	)

	for n := range manySites {
		by, err := h.site(ctx, fmt.Sprintf("site-%d", n))
		if err != nil {
			return nil, nil, err
		}

		if err := h.fill(ctx, by, standing); err != nil {
			return nil, nil, err
		}

		conn, err := pgx.Connect(ctx, h.url)
		if err != nil {
			return nil, nil, fmt.Errorf("connect for the floor: %w", err)
		}

		sites, floors = append(sites, by), append(floors, &claimFloor{conn: conn, site: by.Site})
	}

	return sites, floors, nil
}
