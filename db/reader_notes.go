package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const noteList = "notes"

// NoteList lists notes, newest first.
func (d *DB) NoteList(ctx context.Context, site queue.SiteID, page queue.Page) (*queue.List[*queue.Note], error) {
	at, key, err := afterNote(page.After)
	if err != nil {
		return nil, err
	}

	var (
		rows  []noteRow
		total *int
		size  = sizeOf(page)
	)

	err = d.snapshot(ctx, "list notes", func(ctx context.Context, conn bun.IConn) error {
		var err error
		if total, err = d.total(ctx, conn, site, noteList); err != nil {
			return err
		}

		query := d.bun.NewSelect().Conn(conn).Model((*noteRow)(nil)).Where("n.site_id = ?", site).
			OrderExpr("n.updated_at DESC, n.key").Limit(int64(size + 1))

		if page.After != "" {
			query = query.Where("n.updated_at <= ? AND (n.updated_at < ? OR n.key > ?)", at, at, key)
		}

		return scan(ctx, query, &rows)
	})
	if err != nil {
		return nil, err
	}

	list, err := listOf(rows, size, (*noteRow).note, func(r *noteRow) string {
		return endOf(noteList, timeText(r.UpdatedAt), r.Key)
	})
	if err != nil {
		return nil, err
	}

	list.Total = total

	return list, nil
}

// afterNote reads a position among the notes.
func afterNote(after string) (time.Time, string, error) {
	if after == "" {
		return time.Time{}, "", nil
	}

	if parts, ok := partsOf(after, noteList, 2); ok && storable(parts[1]) {
		if at, err := time.Parse(time.RFC3339Nano, parts[0]); err == nil && timeText(at) == parts[0] {
			return at, parts[1], nil
		}
	}

	return time.Time{}, "", noPosition(after)
}
