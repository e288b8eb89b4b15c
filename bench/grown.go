package main

import (
	"context"
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// claimedShare is which part of the many commands is worked off by claims and reports; the rest is cancelled.
const claimedShare = 10

// measureGrown measures claim and report among many commands beside the same among few.
func measureGrown(ctx context.Context, b *bench) ([]figure, error) {
	few, err := b.newGrown(ctx)
	if err != nil {
		return nil, err
	}
	defer few.close()

	many, err := b.newGrown(ctx)
	if err != nil {
		return nil, err
	}
	defer many.close()

	var (
		figures []figure
		touched = newTouches()
	)

	for _, queued := range []int{b.Million / 100, b.Million / 10, b.Million} {
		if queued < standing {
			continue
		}

		b.sayf("  queueing %d commands", queued)

		if err := many.fill(ctx, queued-many.queued); err != nil {
			return figures, err
		}

		figure, err := b.besideFew(ctx, few, many, fmt.Sprintf("claim and report with %d commands queued", queued))
		figures = append(figures, figure)

		if err != nil {
			return figures, err
		}
	}

	if err := many.explainAll(ctx, touched, fmt.Sprintf("%d queued", b.Million)); err != nil {
		return figures, err
	}

	b.sayf("  working %d commands off", b.Million)

	if err := many.workOff(ctx, b.Million/claimedShare); err != nil {
		return figures, err
	}

	if err := many.fill(ctx, standing); err != nil {
		return figures, err
	}

	figure, err := b.besideFew(ctx, few, many, fmt.Sprintf("claim and report after %d commands were worked off", b.Million))
	figures = append(figures, figure)

	if err != nil {
		return figures, err
	}

	if err := many.explainAll(ctx, touched, fmt.Sprintf("%d worked off", b.Million)); err != nil {
		return figures, err
	}

	return append(figures, touched.figures()...), nil
}

// grown is a hub with one site, and what is queued there.
type grown struct {
	*hub

	works   *agent
	batches []queue.BatchID
	queued  int
}

func (b *bench) newGrown(ctx context.Context) (*grown, error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}

	by, err := h.site(ctx, "one")
	if err != nil {
		h.close()

		return nil, err
	}

	g := &grown{hub: h, works: &agent{queue: h.queue, by: by}}

	if err := g.fill(ctx, standing); err != nil {
		h.close()

		return nil, err
	}

	return g, nil
}

// fill queues so many more.
func (g *grown) fill(ctx context.Context, count int) error {
	for count > 0 {
		some := min(count, batchSize)

		batch, err := g.queue.CreateBatch(ctx, g.works.by, queue.BatchSpec{Commands: plainCommands(some)})
		if err != nil {
			return fmt.Errorf("create a batch: %w", err)
		}

		g.batches = append(g.batches, batch)
		g.queued += some
		count -= some
	}

	return nil
}

func (g *grown) cycles(ctx context.Context, count int) error {
	g.queued -= count

	return g.works.cycles(ctx, count)
}

// workOff ends all that is queued by the hub's own verbs: so many by claims and reports, the rest by cancels.
func (g *grown) workOff(ctx context.Context, claimed int) error {
	if err := g.cycles(ctx, min(claimed, g.queued)); err != nil {
		return err
	}

	for _, batch := range g.batches {
		if _, err := g.queue.CancelBatch(ctx, g.works.by, batch, true); err != nil {
			return fmt.Errorf("cancel batch %s: %w", batch, err)
		}
	}

	g.batches, g.queued = nil, 0

	return nil
}

// besideFew measures both, each having as much queued after it as before.
func (b *bench) besideFew(ctx context.Context, few, many *grown, work string) (figure, error) {
	times, err := b.alternate(ctx, few.side(b.Cycles), many.side(b.Cycles))
	if err != nil {
		return figure{}, err
	}

	return figure{
		Row: "grown", Work: work + fmt.Sprintf(", beside itself with %d queued", standing),
		Floor: rate(b.Cycles, times[0]), Hub: rate(b.Cycles, times[1]),
		Values: ratios(times[1], times[0]), Mark: within(1.15),
	}, nil
}

func (g *grown) side(cycles int) side {
	return side{
		prepare: func(ctx context.Context) error { return g.fill(ctx, cycles) },
		run:     func(ctx context.Context) error { return g.cycles(ctx, cycles) },
	}
}
