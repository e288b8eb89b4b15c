package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

const (
	// littleGarbage has Go collect garbage when there is a tenth more than is in use, not as much again. What a subscriber
	// needs is measured, not how generous the collector is.
	littleGarbage = "GOGC=10"

	kib       = 1024
	idleLimit = 25

	// A process has settled when its memory has been the same, within a hundredth, for calmFor; settleWithin ends that.
	calmFor      = time.Second
	settleWithin = 30 * time.Second
	settleLook   = 250 * time.Millisecond
)

// measureIdle measures by how much the memory of a process grows with each subscriber, after each has had a change.
func measureIdle(ctx context.Context, b *bench) (figures []figure, err error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	by, err := h.site(ctx, "one")
	if err != nil {
		return nil, err
	}

	if err := h.fill(ctx, by, len(b.sizes())*b.Pairs*2*firstChanges); err != nil {
		return nil, err
	}

	token, err := h.token(ctx, "one", access.Viewer)
	if err != nil {
		return nil, err
	}

	all := b.competitors(h, by)

	for _, size := range b.sizes() {
		each := make([][]float64, len(all))

		for range b.Pairs {
			for i, one := range all {
				took, err := one.growth(ctx, size, token)
				if err != nil {
					return figures, err
				}

				each[i] = append(each[i], took)
			}
		}

		figures = append(figures, idling(all, each, size)...)
	}

	return figures, nil
}

// growth starts a server and gives by how many KiB it grows for each of so many subscribers.
func (c competitor) growth(ctx context.Context, count int, token string) (each float64, err error) {
	server, err := c.start(ctx, littleGarbage)
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", c.name, err)
	}

	defer func() { err = errors.Join(err, server.stop()) }()

	measured := make([]int64, 0, 2)
	changes := c.changes(server)

	// The first one alone pays for what all have in common.
	for _, some := range []int{1, count} {
		d := &delivery{name: c.name, server: server, change: changes}

		if err := d.subscribe(ctx, some, token); err != nil {
			return 0, err
		}

		defer func() { err = errors.Join(err, d.readers.stop()) }()

		memory, err := server.settled(ctx)
		if err != nil {
			return 0, err
		}

		measured = append(measured, memory)
	}

	return float64(measured[1]-measured[0]) / kib / float64(count), nil
}

// settled is the memory of a process once it does not change any more.
func (p *process) settled(ctx context.Context) (int64, error) {
	again := time.NewTicker(settleLook)
	defer again.Stop()

	var before int64

	begun, since := time.Now(), time.Now()

	for time.Since(since) < calmFor && time.Since(begun) < settleWithin {
		now, err := p.memory()
		if err != nil {
			return 0, err
		}

		if differs := max(now-before, before-now); differs > now/100 {
			before, since = now, time.Now()
		}

		select {
		case <-again.C:
		case <-ctx.Done():
			return 0, ctx.Err() //nolint:wrapcheck // the caller's own
		}
	}

	return p.memory()
}

// idling makes figures of what all took: the hub, alone and beside the floor, and then the others.
func idling(all []competitor, each [][]float64, size int) []figure {
	var figures []figure

	for i := 1; i < len(all); i++ {
		beside := figure{
			Row: "idle", Work: fmt.Sprintf("%s, %d subscribers: memory of each", all[i].name, size),
			Floor: kibibytes(each[0]), Hub: kibibytes(each[i]), Mark: onlyShown(),
		}
		alone := figure{
			Row: "idle", Work: fmt.Sprintf("%s, %d subscribers: memory of each, in KiB", all[i].name, size), Values: each[i], Mark: onlyShown(),
		}

		for pair := range each[i] {
			beside.Values = append(beside.Values, each[i][pair]/each[0][pair])
		}

		if all[i].name != hubName {
			figures = append(figures, beside)

			continue
		}

		if size >= markedFrom {
			beside.Mark, alone.Mark = within(2), within(idleLimit)
		}

		figures = append(figures, beside, alone)
	}

	return figures
}

func kibibytes(values []float64) string { return fmt.Sprintf("%.1f KiB", median(values)) }
