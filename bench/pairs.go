package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// side is one of those measured side by side: the floor or the hub. All sides of a row do the same amount of work.
type side struct {
	// prepare makes ready what run needs, before any side runs; it is not measured. Nil where there is nothing to do.
	prepare func(ctx context.Context) error
	// load is not measured either, and comes right before run: it sees what the sides before it left. Nil likewise.
	load func(ctx context.Context) error
	run  func(ctx context.Context) error
}

// alternate measures the sides in turn, A B A B, so that a noisy machine hurts all of them alike, and gives each
// side's times. A first round that is not counted warms caches and plans.
func (b *bench) alternate(ctx context.Context, sides ...side) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(sides))

	for round := range b.Pairs + 1 {
		for _, s := range sides {
			if s.prepare == nil {
				continue
			}

			if err := s.prepare(ctx); err != nil {
				return nil, fmt.Errorf("prepare: %w", err)
			}
		}

		for i, s := range sides {
			took, err := b.time(ctx, s)
			if err != nil {
				return nil, err
			}

			if round > 0 {
				times[i] = append(times[i], took)
			}
		}
	}

	return times, nil
}

// time runs one side, after what the one before left to be done in the background has been done: its planner
// statistics, its dirty pages, its garbage.
func (b *bench) time(ctx context.Context, s side) (time.Duration, error) {
	if s.load != nil {
		if err := s.load(ctx); err != nil {
			return 0, fmt.Errorf("load: %w", err)
		}
	}

	if err := b.quiet(ctx); err != nil {
		return 0, err
	}

	runtime.GC()

	begun := time.Now()

	if err := s.run(ctx); err != nil {
		return 0, err
	}

	return time.Since(begun), nil
}

// median of a list that is not empty.
func median[T int | float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2

	if len(sorted)%2 == 1 {
		return sorted[middle]
	}

	return (sorted[middle-1] + sorted[middle]) / 2
}

// ratios divides pair by pair.
func ratios(above, below []time.Duration) []float64 {
	divided := make([]float64, len(above))
	for i := range above {
		divided[i] = float64(above[i]) / float64(below[i])
	}

	return divided
}
