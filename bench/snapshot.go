package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	// fourHours is how many cycles one agent makes in that time, at its pace of about five seconds.
	fourHours = 3000
	// snapshotCycles is how many cycles a side makes at most here, so that the hours do not become days.
	snapshotCycles = 500
)

// measureSnapshot measures claim and report while another connection has held an old snapshot for hours, as a backup
// does, beside itself without.
func measureSnapshot(ctx context.Context, b *bench) ([]figure, error) {
	calm, err := b.newGrown(ctx)
	if err != nil {
		return nil, err
	}
	defer calm.close()

	held, err := b.newGrown(ctx)
	if err != nil {
		return nil, err
	}
	defer held.close()

	release, err := held.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer release()

	for _, g := range []*grown{calm, held} {
		if err := g.fill(ctx, fourHours); err != nil {
			return nil, err
		}

		if err := g.cycles(ctx, fourHours); err != nil {
			return nil, err
		}
	}

	cycles := min(b.Cycles, snapshotCycles)

	times, err := b.alternate(ctx, calm.side(cycles), held.side(cycles))
	if err != nil {
		return nil, err
	}

	return []figure{{
		Row: "snapshot", Work: fmt.Sprintf("claim and report under a snapshot %d cycles old, beside itself without", fourHours),
		Floor: rate(cycles, times[0]), Hub: rate(cycles, times[1]),
		Values: ratios(times[1], times[0]), Mark: within(1.25),
	}}, nil
}

// hold takes a snapshot of the database and keeps it until it is released.
func (h *hub) hold(ctx context.Context) (func(), error) {
	conn, err := pgx.Connect(ctx, h.url)
	if err != nil {
		return nil, fmt.Errorf("connect for the snapshot: %w", err)
	}

	release := func() { _ = conn.Close(context.WithoutCancel(ctx)) } // its transaction has nothing to lose

	// The snapshot is taken by the first statement, not by BEGIN.
	for _, sql := range []string{"BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM sites"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			release()

			return nil, fmt.Errorf("take a snapshot: %w", err)
		}
	}

	return release, nil
}
