package db

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// logStretch is how many events one answer looks at: a narrow filter over a long log gives short pages, soon, whose
// End says how far they looked.
const logStretch = 20_000

// Log gives events after (or, newest first, before) a position. A position that the log does not hold any more, or
// never held, is CursorExpired.
func (d *DB) Log(ctx context.Context, site queue.SiteID, query queue.LogQuery) (*queue.LogPage, error) {
	var (
		rows  []eventRow
		view  logView
		end   queue.Cursor
		part  stretch
		names map[queue.Key][]queue.Key
		size  = sizeOf(queue.Page{First: query.First})
	)

	err := d.snapshot(ctx, "read the log", func(ctx context.Context, at bun.IConn) error {
		var err error
		if view, err = d.logView(ctx, at, site, query.After); err != nil {
			return err
		}

		if query.Kinds != nil && len(query.Kinds) == 0 {
			if end = view.asked; query.NewestFirst && query.After == nil {
				end = view.head
			}

			return nil
		}

		part = view.stretch(query)

		if rows, err = d.eventsIn(ctx, at, site, part, query, size); err != nil {
			return err
		}

		if query.WithNames {
			if names, err = d.allNames(ctx, at, site, keysOf(rows)); err != nil {
				return err
			}
		}

		end, err = d.endOfPage(ctx, at, site, view, part, rows, size)

		return err
	})
	if err != nil {
		return nil, err
	}

	page := &queue.LogPage{
		Events:  make([]*queue.Event, 0, min(len(rows), size)),
		HasNext: len(rows) > size || part.more,
		End:     end,
		Begin:   view.begin,
		Names:   names,
	}

	for i := range rows[:min(len(rows), size)] {
		event, err := rows[i].event()
		if err != nil {
			return nil, fmt.Errorf("read the log: %w", err)
		}

		page.Events = append(page.Events, event)
	}

	return page, nil
}

// keysOf are the keys that events stand under, each once.
func keysOf(rows []eventRow) []queue.Key {
	var keys []queue.Key

	for i := range rows {
		for _, key := range []*string{rows[i].Key, rows[i].MovedFrom} {
			if key != nil {
				keys = append(keys, queue.Key(*key))
			}
		}
	}

	return distinct(keys)
}

// eventsIn finds what the query wants in a stretch, and one more than size where there is more.
func (d *DB) eventsIn(
	ctx context.Context, at bun.IConn, site queue.SiteID, part stretch, query queue.LogQuery, size int,
) ([]eventRow, error) {
	if part.from > part.to || !storable(query.Actor) {
		return nil, nil
	}

	order := "e.seq"
	if query.NewestFirst {
		order = "e.seq DESC"
	}

	sql := d.bun.NewSelect().Conn(at).Model((*eventRow)(nil)).
		Where("e.site_id = ? AND e.seq BETWEEN ? AND ?", site, part.from, part.to).
		OrderExpr(order).Limit(int64(size + 1))

	if len(query.Keys) > 0 {
		keys := storableKeys(query.Keys)
		if len(keys) == 0 {
			return nil, nil
		}

		names, err := d.namesOf(ctx, at, site, keys...)
		if err != nil {
			return nil, err
		}

		sql = sql.Where("(e.key IN (?) OR e.moved_from IN (?))", bun.List(names), bun.List(names))
	}

	var rows []eventRow

	return rows, scan(ctx, narrowedLog(sql, query), &rows)
}

func narrowedLog(sql *bun.SelectQuery, query queue.LogQuery) *bun.SelectQuery {
	if len(query.Kinds) > 0 {
		sql = sql.Where("e.kind IN (?)", bun.List(distinct(query.Kinds)))
	} else {
		sql = sql.Where("e.kind NOT IN (?, ?)", queue.EventBatch, queue.EventAgent)
	}

	if query.Actor != "" {
		sql = sql.Where("e.actor = ?", query.Actor)
	}

	if query.Batch != 0 {
		sql = sql.Where("e.batch_id = ?", query.Batch)
	}

	if query.Command != 0 {
		sql = sql.Where("e.command_id = ?", query.Command)
	}

	if len(query.Statuses) > 0 {
		sql = sql.Where("e.to_status IN (?)", bun.List(distinct(query.Statuses)))
	}

	return sql
}

// endOfPage is the last position that was looked at: the last event of a full page, else the stretch's end.
func (d *DB) endOfPage(
	ctx context.Context, at bun.IConn, site queue.SiteID, view logView, part stretch, rows []eventRow, size int,
) (queue.Cursor, error) {
	switch {
	case len(rows) > size:
		return queue.Cursor{Seq: rows[size-1].Seq, Mark: rows[size-1].Mark}, nil
	case part.from > part.to:
		return view.asked, nil
	case part.end == view.head.Seq:
		return view.head, nil
	}

	end := queue.Cursor{Seq: part.end}
	err := d.bun.NewSelect().Conn(at).TableExpr("events AS e").ColumnExpr("e.mark").
		Where("e.site_id = ? AND e.seq = ?", site, part.end).Scan(ctx, &end.Mark)

	return end, err //nolint:wrapcheck // snapshot wraps
}
