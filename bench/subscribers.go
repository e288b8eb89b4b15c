package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

const (
	// markedFrom is how many subscribers there must be for the marks to hold: with fewer, what a process does anyway is
	// much of what is measured.
	markedFrom = 1000
)

// sizes of the rows about subscribers are a decade apart.
func (o *options) sizes() []int { return []int{o.Subscribers / 100, o.Subscribers / 10, o.Subscribers} }

// measureSubscribers measures one change to very many subscribers of the same operation.
func measureSubscribers(ctx context.Context, b *bench) (figures []figure, err error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	by, err := h.site(ctx, "one")
	if err != nil {
		return nil, err
	}

	// Before anybody subscribes: each is a change.
	if err := h.fill(ctx, by, len(b.sizes())*((b.Pairs+1)*b.Changes+firstChanges)); err != nil {
		return nil, err
	}

	token, err := h.token(ctx, "one", access.Viewer)
	if err != nil {
		return nil, err
	}

	all := b.competitors(h, by)
	servers := make([]*process, len(all))

	for i, one := range all {
		if servers[i], err = one.start(ctx); err != nil {
			return nil, fmt.Errorf("start %s: %w", one.name, err)
		}

		defer func() { err = errors.Join(err, servers[i].stop()) }()
	}

	for _, size := range b.sizes() {
		deliveries := make([]*delivery, len(all))

		for i, one := range all {
			deliveries[i] = &delivery{server: servers[i], name: one.name, change: one.changes(servers[i])}
		}

		runs, err := b.deliverBeside(ctx, deliveries, size, token)
		if err != nil {
			return figures, err
		}

		figures = append(figures, delivering(deliveries, runs, size)...)
	}

	return figures, nil
}

// deliverBeside subscribes so many to each and measures them in turn, as alternate does, by what they spend.
func (b *bench) deliverBeside(ctx context.Context, all []*delivery, size int, token string) (runs [][]delivered, err error) {
	for _, one := range all {
		if err := one.subscribe(ctx, size, token); err != nil {
			return nil, err
		}

		defer func() { err = errors.Join(err, one.readers.stop()) }()
	}

	runs = make([][]delivered, len(all))

	for round := range b.Pairs + 1 {
		for i, one := range all {
			if err := b.quiet(ctx); err != nil {
				return nil, err
			}

			runtime.GC()

			took, err := one.run(ctx, b.Changes)
			if err != nil {
				return nil, err
			}

			if round > 0 { // the first warms what there is to warm
				runs[i] = append(runs[i], took)
			}
		}
	}

	return runs, nil
}

// delivering makes figures of what all took: the hub, and then the others, beside the floor.
func delivering(all []*delivery, runs [][]delivered, size int) []figure {
	each := func(d delivered) time.Duration { return d.each }
	last := func(d delivered) time.Duration { return d.last }

	var figures []figure

	for i := 1; i < len(all); i++ {
		spent := figure{
			Row: "subscribers", Work: fmt.Sprintf("%s, %d subscribers: processor time a subscriber and change", all[i].name, size),
			Floor: microseconds(amounts(runs[0], each)), Hub: microseconds(amounts(runs[i], each)),
			Values: ratios(amounts(runs[i], each), amounts(runs[0], each)), Mark: onlyShown(),
		}
		waited := figure{
			Row: "subscribers", Work: fmt.Sprintf("%s, %d subscribers: from the commit to the last of them", all[i].name, size),
			Floor: took(amounts(runs[0], last)), Hub: took(amounts(runs[i], last)),
			Values: ratios(amounts(runs[i], last), amounts(runs[0], last)), Mark: onlyShown(),
		}

		if all[i].name == hubName && size >= markedFrom {
			spent.Mark = within(1.4)
		}

		if all[i].name == hubName && size == markedFrom {
			waited.Mark = within(1.5)
		}

		figures = append(figures, spent, waited)
	}

	return figures
}

// amounts takes one of the times of each run.
func amounts(runs []delivered, of func(delivered) time.Duration) []time.Duration {
	times := make([]time.Duration, len(runs))
	for i, run := range runs {
		times[i] = of(run)
	}

	return times
}

// microseconds is the median time.
func microseconds(times []time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(median(times).Nanoseconds())/1000)
}
