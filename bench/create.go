package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// largeBatch is the largest there may be.
	largeBatch = queue.MaxCommands
	// Every tenth command creates an issue, which four others name.
	creationsShare = 10
	dependentsEach = 4
)

// batchSizes are a decade apart, to show how the cost grows; the mark is the largest one's.
func batchSizes() []int { return []int{largeBatch / 100, largeBatch / 10, largeBatch} }

// markOf is the mark where the size is the largest.
func markOf(size int, limit float64) mark {
	if size < largeBatch {
		return onlyShown()
	}

	return within(limit)
}

// createdIn says, for each table that a new batch is written into, which of its rows are the batch's.
func createdIn() map[string]string {
	const byCommand = "site_id = $1 AND command_id IN (SELECT id FROM public.commands WHERE site_id = $1 AND batch_id = $2)"

	return map[string]string{
		"batches":       "site_id = $1 AND id = $2",
		"batch_counts":  "site_id = $1 AND batch_id = $2",
		"commands":      "site_id = $1 AND batch_id = $2",
		"command_refs":  byCommand,
		"command_keys":  byCommand,
		"command_texts": byCommand,
		"events":        "site_id = $1 AND batch_id = $2",
	}
}

// createdTables are those tables, in the order in which the floor fills them.
func createdTables() []string {
	return []string{"batches", "batch_counts", "commands", "command_refs", "command_keys", "command_texts", "events"}
}

// measureCreate measures batches beside COPY of the same rows into tables with the same indexes.
func measureCreate(ctx context.Context, b *bench) ([]figure, error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	by, err := h.site(ctx, "one")
	if err != nil {
		return nil, err
	}

	if err := h.copyTables(ctx, createdTables()...); err != nil {
		return nil, err
	}

	var figures []figure

	for _, size := range batchSizes() {
		figure, err := b.createBeside(ctx, h, by, size)
		if err != nil {
			return figures, err
		}

		figures = append(figures, figure)
	}

	return figures, nil
}

func (b *bench) createBeside(ctx context.Context, h *hub, by queue.Actor, size int) (figure, error) {
	spec := queue.BatchSpec{Commands: issueCommands(size, size/creationsShare, dependentsEach)}

	var batch queue.BatchID

	// The hub goes first in each pair, for the floor writes the rows that it wrote.
	times, err := b.alternate(ctx,
		side{run: func(ctx context.Context) error {
			var err error
			batch, err = h.queue.CreateBatch(ctx, by, spec)

			return wrap("create a batch", err)
		}},
		h.copySide(func(ctx context.Context) ([]*written, error) { return h.created(ctx, by.Site, batch) }))
	if err != nil {
		return figure{}, err
	}

	return figure{
		Row: "create", Work: fmt.Sprintf("createBatch of %d commands, %d of them creations, beside COPY of the same rows",
			size, size/creationsShare),
		Floor: took(times[1]), Hub: took(times[0]), Values: ratios(times[0], times[1]), Mark: markOf(size, 2.5),
	}, nil
}

// copySide is a floor that copies rows which are known only once the other side has run.
func (h *hub) copySide(load func(ctx context.Context) ([]*written, error)) side {
	var loaded []*written

	return side{
		load: func(ctx context.Context) error {
			var err error
			loaded, err = load(ctx)

			return err
		},
		run: func(ctx context.Context) error {
			return h.inTx(ctx, func(tx pgx.Tx) error {
				for _, w := range loaded {
					if err := w.copyInto(ctx, tx, pgx.Identifier{"floor", w.table}); err != nil {
						return err
					}
				}

				return nil
			})
		},
	}
}

// created reads all that was written with a batch.
func (h *hub) created(ctx context.Context, site queue.SiteID, batch queue.BatchID) ([]*written, error) {
	var all []*written

	for _, table := range createdTables() {
		w, err := h.written(ctx, table, createdIn()[table], site, batch)
		if err != nil {
			return nil, err
		}

		all = append(all, w)
	}

	return all, nil
}
