package db

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// History gives the events of commands, each command's oldest first, as far back as the log is kept.
func (d *DB) History(
	ctx context.Context, site queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID][]*queue.Event, error) {
	history := make(map[queue.CommandID][]*queue.Event, len(ids))
	if len(ids) == 0 {
		return history, nil
	}

	var rows []eventRow

	err := d.reading(ctx, "read the history of commands", func(ctx context.Context, at bun.IConn) error {
		return scan(ctx, d.bun.NewSelect().Conn(at).Model((*eventRow)(nil)).
			Where("e.site_id = ? AND e.command_id IN (?) AND e.kind = ?", site, bun.List(ids), queue.EventCommand).
			OrderExpr("e.command_id, e.seq"), &rows)
	})
	if err != nil {
		return nil, err
	}

	for i := range rows {
		event, err := rows[i].event()
		if err != nil {
			return nil, err
		}

		history[event.Command] = append(history[event.Command], event)
	}

	return history, nil
}
