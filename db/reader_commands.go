package db

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const commandList = "commands"

// CommandList lists commands, newest first.
func (d *DB) CommandList(
	ctx context.Context, site queue.SiteID, filter queue.CommandFilter, page queue.Page,
) (*queue.List[*queue.Command], error) {
	before, err := afterID(page.After, commandList)
	if err != nil {
		return nil, err
	}

	if !storable(string(filter.Key), filter.Search) {
		return &queue.List[*queue.Command]{}, nil
	}

	wanted := commandQuery{db: d.bun, site: site, filter: filter, before: before, size: sizeOf(page)}

	var (
		rows  []commandRow
		total *int
	)

	err = d.snapshot(ctx, "list commands", func(ctx context.Context, at bun.IConn) error {
		var err error
		if total, err = d.commandTotal(ctx, at, site, filter); err != nil {
			return err
		}

		if filter.Key != "" {
			if wanted.keys, err = d.namesOf(ctx, at, site, filter.Key); err != nil {
				return err
			}
		}

		return d.searching(ctx, at, filter.Search, func() error {
			ids, err := wanted.ids(ctx, at)
			if err != nil || len(ids) == 0 {
				return err
			}

			return scan(ctx, d.bun.NewSelect().Conn(at).Model((*commandRow)(nil)).
				Where("c.site_id = ? AND c.id IN (?)", site, bun.List(ids)), &rows)
		})
	})
	if err != nil {
		return nil, err
	}

	slices.SortFunc(rows, func(a, b commandRow) int { return cmp.Compare(b.ID, a.ID) })

	list, err := listOf(rows, wanted.size, (*commandRow).command, func(r *commandRow) string {
		return endOf(commandList, decimal(r.ID))
	})
	if err != nil {
		return nil, err
	}

	list.Total = total

	return list, nil
}

// commandTotal is how many commands match in all, from the kept counts; nil where those cannot tell.
func (d *DB) commandTotal(ctx context.Context, at bun.IConn, site queue.SiteID, filter queue.CommandFilter) (*int, error) {
	if len(filter.Kinds) > 0 || filter.Key != "" || filter.Search != "" {
		return nil, nil
	}

	counts, err := d.countsAt(ctx, at, site, filter.Batch)
	if err != nil {
		return nil, err
	}

	total := counts.Total()

	if len(filter.Statuses) > 0 {
		total = 0
		for _, status := range distinct(filter.Statuses) {
			total += *counts.Of(status)
		}
	}

	return &total, nil
}

// countsAt reads the counts of a batch, or with 0 of the whole site. Those of a batch that is not there are zero.
func (d *DB) countsAt(ctx context.Context, at bun.IConn, site queue.SiteID, batch queue.BatchID) (queue.Counts, error) {
	var row siteRow

	if batch == 0 {
		if err := d.siteAt(ctx, at, site, &row, "st.counts"); err != nil {
			return queue.Counts{}, err
		}

		return countsOf(row.Counts)
	}

	query := d.bun.NewSelect().Conn(at).TableExpr("batch_counts AS k").ColumnExpr("k.counts").
		Where("k.site_id = ? AND k.batch_id = ?", site, batch).OrderExpr("k.version DESC").Limit(1)

	if err := scan(ctx, query, &row); err != nil {
		return queue.Counts{}, err
	}

	if row.Counts == nil {
		return queue.Counts{}, nil
	}

	return countsOf(row.Counts)
}

func distinct[T ~string](list []T) []T { return slices.Compact(slices.Sorted(slices.Values(list))) }
