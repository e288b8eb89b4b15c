package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// pace is how far apart changes are at least: five a second.
	pace = 200 * time.Millisecond
	// somebody subscribes only after having said so, so the first changes may not reach everybody.
	firstChanges = 10
	firstWithin  = 5 * time.Second
)

// delivery is a server, those who subscribed to it, and what makes it deliver something.
type delivery struct {
	name    string
	server  *process
	readers *readers
	change  change
}

// subscribe lets so many subscribe, and goes on until all of them have a change.
func (d *delivery) subscribe(ctx context.Context, count int, token string) error {
	joined, err := subscribe(ctx, d.server, count, token)
	if err != nil {
		return fmt.Errorf("%d subscribers of %s: %w", count, d.name, err)
	}

	d.readers = joined

	for range firstChanges {
		var at position

		if at, _, err = d.change(ctx); err == nil {
			_, err = joined.everybody(ctx, at, firstWithin)
		}

		if !errors.Is(err, errLate) {
			break
		}
	}

	if err != nil {
		return errors.Join(fmt.Errorf("the first change of %s: %w", d.name, err), joined.stop())
	}

	return nil
}

// delivered is what so many changes took.
type delivered struct {
	// each is the server's processor time a subscriber and change, last the median time to the last subscriber.
	each, last time.Duration
}

// run makes so many changes, the next when everybody has the one before.
func (d *delivery) run(ctx context.Context, changes int) (delivered, error) {
	before, err := d.server.processorTime()
	if err != nil {
		return delivered{}, err
	}

	times := make([]time.Duration, changes)

	next := time.NewTicker(pace)
	defer next.Stop()

	for i := range times {
		if times[i], err = d.once(ctx); err != nil {
			return delivered{}, err
		}

		select {
		case <-next.C:
		case <-ctx.Done():
			return delivered{}, ctx.Err() //nolint:wrapcheck // the caller's own
		}
	}

	after, err := d.server.processorTime()

	return delivered{each: (after - before) / time.Duration(changes*d.readers.count), last: median(times)}, err
}

// once makes a change and gives how long it took to the last subscriber.
func (d *delivery) once(ctx context.Context) (time.Duration, error) {
	at, made, err := d.change(ctx)
	if err != nil {
		return 0, fmt.Errorf("a change of %s: %w", d.name, err)
	}

	last, err := d.readers.everybody(ctx, at, everybodyWithin)

	return last.Sub(made), wrap("a change of "+d.name, err)
}
