package db

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const batchList = "batches"

// newestCounts joins a batch's present counts to a query over batches AS b.
const newestCounts = `CROSS JOIN LATERAL (
	SELECT bc.version, bc.counts FROM batch_counts AS bc
	WHERE bc.site_id = b.site_id AND bc.batch_id = b.id ORDER BY bc.version DESC LIMIT 1
) AS k`

// BatchList lists batches, newest first.
func (d *DB) BatchList(
	ctx context.Context, site queue.SiteID, filter queue.BatchFilter, page queue.Page,
) (*queue.List[*queue.Batch], error) {
	before, err := afterID(page.After, batchList)
	if err != nil {
		return nil, err
	}

	if !storable(filter.Author, filter.Search) {
		return &queue.List[*queue.Batch]{}, nil
	}

	var (
		rows  []batchRow
		total *int
		size  = sizeOf(page)
	)

	err = d.snapshot(ctx, "list batches", func(ctx context.Context, at bun.IConn) error {
		if len(filter.Statuses) == 0 && filter.Author == "" && filter.Search == "" {
			var err error
			if total, err = d.total(ctx, at, site, batchList); err != nil {
				return err
			}
		}

		query := d.batches(at, site).OrderExpr("b.id DESC").Limit(int64(size + 1))

		if before != 0 {
			query = query.Where("b.id < ?", before)
		}

		return d.searching(ctx, at, filter.Search, func() error { return scan(ctx, narrowedBatches(query, filter), &rows) })
	})
	if err != nil {
		return nil, err
	}

	list, err := listOf(rows, size, (*batchRow).batch, func(r *batchRow) string {
		return endOf(batchList, decimal(r.ID))
	})
	if err != nil {
		return nil, err
	}

	list.Total = total

	return list, nil
}

// BatchesByID gives batches by id; what the site does not have is not there.
func (d *DB) BatchesByID(
	ctx context.Context, site queue.SiteID, ids []queue.BatchID,
) (map[queue.BatchID]*queue.Batch, error) {
	found := make(map[queue.BatchID]*queue.Batch, len(ids))
	if len(ids) == 0 {
		return found, nil
	}

	var rows []batchRow

	err := d.reading(ctx, "read batches", func(ctx context.Context, at bun.IConn) error {
		return scan(ctx, d.batches(at, site).Where("b.id IN (?)", bun.List(ids)), &rows)
	})
	if err != nil {
		return nil, err
	}

	for i := range rows {
		batch, err := rows[i].batch()
		if err != nil {
			return nil, err
		}

		found[batch.ID] = batch
	}

	return found, nil
}

// batches begins a query for batches of a site with their present counts.
func (d *DB) batches(at bun.IConn, site queue.SiteID) *bun.SelectQuery {
	return d.bun.NewSelect().Conn(at).Model((*batchRow)(nil)).
		ColumnExpr("b.id, b.title, b.author, b.created_at, b.finished_at, b.held, k.version, k.counts").
		Join(newestCounts).Where("b.site_id = ?", site)
}

func narrowedBatches(query *bun.SelectQuery, filter queue.BatchFilter) *bun.SelectQuery {
	if len(filter.Statuses) > 0 {
		query = query.Where("b.status IN (?)", bun.List(distinct(filter.Statuses)))
	}

	if filter.Author != "" {
		query = query.Where("b.author = ?", filter.Author)
	}

	if filter.Search != "" {
		query = query.Where("lower(b.title) LIKE ?", containing(filter.Search))
	}

	return query
}
