package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	takeCommands = `INSERT INTO floor.commands SELECT * FROM public.commands WHERE site_id = $1 AND batch_id = $2`

	floorCancel = `
UPDATE floor.commands SET status = 'skipped', error = $3, finished_at = clock_timestamp(), root_cause = $4
WHERE site_id = $1 AND batch_id = $2`
)

// measureCancel measures the cancel of a creation that all others of its batch wait for, beside one UPDATE of as many
// rows and COPY of as many events.
func measureCancel(ctx context.Context, b *bench) ([]figure, error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	by, err := h.site(ctx, "one")
	if err != nil {
		return nil, err
	}

	if err := h.copyTables(ctx, "commands", "events"); err != nil {
		return nil, err
	}

	var figures []figure

	for _, size := range batchSizes() {
		c := &cancelling{hub: h, by: by, size: size}

		times, err := b.alternate(ctx, side{prepare: c.create, run: c.cancel}, side{load: c.load, run: c.floor})
		if err != nil {
			return figures, err
		}

		figures = append(figures, figure{
			Row: "cancel", Work: fmt.Sprintf("cancel of an ensure_issue with %d dependents, beside one UPDATE and COPY of the events",
				size-1),
			Floor: took(times[1]), Hub: took(times[0]), Values: ratios(times[0], times[1]), Mark: markOf(size, 2),
		})
	}

	return figures, nil
}

// cancelling is one batch that is called off, by the hub and by the floor.
type cancelling struct {
	*hub

	by       queue.Actor
	size     int
	batch    queue.BatchID
	creation queue.CommandID
	events   *written
}

// create makes the batch, for the floor too.
func (c *cancelling) create(ctx context.Context) error {
	var err error

	c.batch, err = c.queue.CreateBatch(ctx, c.by, queue.BatchSpec{Commands: issueCommands(c.size, 1, c.size-1)})
	if err != nil {
		return fmt.Errorf("create a batch: %w", err)
	}

	err = c.plain.QueryRow(ctx, `SELECT min(id) FROM commands WHERE site_id = $1 AND batch_id = $2`, c.by.Site, c.batch).
		Scan(&c.creation)
	if err != nil {
		return fmt.Errorf("find the creation: %w", err)
	}

	if _, err := c.plain.Exec(ctx, takeCommands, c.by.Site, c.batch); err != nil {
		return fmt.Errorf("fill the floor: %w", err)
	}

	_, err = c.plain.Exec(ctx, "ANALYZE floor.commands")

	return wrap("analyze the floor", err)
}

func (c *cancelling) cancel(ctx context.Context) error {
	done, err := c.queue.CancelCommands(ctx, c.by, []queue.CommandID{c.creation}, false)
	if err == nil && len(done.Skipped) != c.size-1 {
		err = fmt.Errorf("%d commands were skipped instead of %d", len(done.Skipped), c.size-1)
	}

	return wrap("cancel", err)
}

// load reads the events of the cancel for the floor.
func (c *cancelling) load(ctx context.Context) error {
	var err error

	c.events, err = c.written(ctx, "events", "site_id = $1 AND batch_id = $2 AND cause <> 'submitted'", c.by.Site, c.batch)

	return err
}

func (c *cancelling) floor(ctx context.Context) error {
	return c.inTx(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, floorCancel, c.by.Site, c.batch, "создание задачи new:1 отменено", c.creation)
		if err == nil && tag.RowsAffected() != int64(c.size) {
			err = fmt.Errorf("%d rows instead of %d", tag.RowsAffected(), c.size)
		}

		if err != nil {
			return fmt.Errorf("the floor's cancel: %w", err)
		}

		return c.events.copyInto(ctx, tx, pgx.Identifier{"floor", "events"})
	})
}
