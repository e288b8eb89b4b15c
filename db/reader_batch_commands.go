package db

import (
	"context"
	"math"
	"strconv"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const batchCommandList = "batch commands"

// BatchCommands lists the commands of a batch by position. The filter's own Batch does not count.
func (d *DB) BatchCommands(
	ctx context.Context, site queue.SiteID, batch queue.BatchID, filter queue.CommandFilter, page queue.Page,
) (*queue.List[*queue.Command], error) {
	after, err := afterPosition(page.After, batch)
	if err != nil {
		return nil, err
	}

	if !storable(string(filter.Key), filter.Search) {
		return &queue.List[*queue.Command]{}, nil
	}

	var (
		rows  []commandRow
		total *int
		size  = sizeOf(page)
	)

	filter.Batch = batch

	err = d.snapshot(ctx, "list the commands of a batch", func(ctx context.Context, at bun.IConn) error {
		var err error
		if total, err = d.commandTotal(ctx, at, site, filter); err != nil {
			return err
		}

		query := d.bun.NewSelect().Conn(at).Model((*commandRow)(nil)).
			Where("c.site_id = ? AND c.batch_id = ? AND c.position > ?", site, batch, after).
			OrderExpr("c.position").Limit(int64(size + 1))

		if filter.Key != "" {
			keys, err := d.namesOf(ctx, at, site, filter.Key)
			if err != nil {
				return err
			}

			query = query.Where(`EXISTS (SELECT FROM command_keys AS ck
				WHERE ck.site_id = c.site_id AND ck.command_id = c.id AND ck.key IN (?))`, bun.List(keys))
		}

		return scan(ctx, withText(narrowed(query, filter.Statuses, filter.Kinds), filter.Search), &rows)
	})
	if err != nil {
		return nil, err
	}

	list, err := listOf(rows, size, (*commandRow).command, func(r *commandRow) string {
		return endOf(batchCommandList, batch.String(), strconv.Itoa(r.Position))
	})
	if err != nil {
		return nil, err
	}

	list.Total = total

	return list, nil
}

// afterPosition reads a position of the list of that batch; -1 for its beginning.
func afterPosition(after string, batch queue.BatchID) (int, error) {
	if after == "" {
		return -1, nil
	}

	if parts, ok := partsOf(after, batchCommandList, 2); ok && parts[0] == batch.String() {
		if position, err := strconv.Atoi(parts[1]); err == nil && position <= math.MaxInt32 {
			return position, nil
		}
	}

	return 0, noPosition(after)
}
