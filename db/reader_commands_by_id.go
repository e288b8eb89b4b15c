package db

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// CommandsByID gives commands by id; what the site does not have is not there.
func (d *DB) CommandsByID(
	ctx context.Context, site queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID]*queue.Command, error) {
	found := make(map[queue.CommandID]*queue.Command, len(ids))
	if len(ids) == 0 {
		return found, nil
	}

	var rows []commandRow

	err := d.reading(ctx, "read commands", func(ctx context.Context, at bun.IConn) error {
		return scan(ctx, d.bun.NewSelect().Conn(at).Model((*commandRow)(nil)).
			Where("c.site_id = ? AND c.id IN (?)", site, bun.List(ids)), &rows)
	})
	if err != nil {
		return nil, err
	}

	for i := range rows {
		command, err := rows[i].command()
		if err != nil {
			return nil, err
		}

		found[command.ID] = command
	}

	return found, nil
}

// relatedRow is a command found because of another one.
type relatedRow struct {
	commandRow `bun:",extend"`

	Of int64 `bun:"of,scanonly"`
}

// DependsOn gives the creations whose temporary keys the commands name, by id.
func (d *DB) DependsOn(
	ctx context.Context, site queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID][]*queue.Command, error) {
	return d.related(ctx, "read what commands depend on", ids, func(at bun.IConn) *bun.SelectQuery {
		return d.commands(at).ColumnExpr("r.command_id AS of").
			Join("JOIN command_refs AS r ON r.site_id = c.site_id AND r.creation_id = c.id").
			Where("r.site_id = ? AND r.command_id IN (?)", site, bun.List(ids))
	})
}

// Retries gives the commands that repeat these, by id.
func (d *DB) Retries(
	ctx context.Context, site queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID][]*queue.Command, error) {
	return d.related(ctx, "read the retries of commands", ids, func(at bun.IConn) *bun.SelectQuery {
		return d.commands(at).ColumnExpr("c.retry_of AS of").
			Where("c.site_id = ? AND c.retry_of IN (?)", site, bun.List(ids))
	})
}

func (d *DB) commands(at bun.IConn) *bun.SelectQuery {
	return d.bun.NewSelect().Conn(at).Model((*commandRow)(nil)).ColumnExpr("c.*")
}

// related groups what a query finds by the command that it was found for, in the order of the ids.
func (d *DB) related(
	ctx context.Context, doing string, ids []queue.CommandID, find func(at bun.IConn) *bun.SelectQuery,
) (map[queue.CommandID][]*queue.Command, error) {
	found := make(map[queue.CommandID][]*queue.Command, len(ids))
	if len(ids) == 0 {
		return found, nil
	}

	var rows []relatedRow

	err := d.reading(ctx, doing, func(ctx context.Context, at bun.IConn) error {
		return scan(ctx, find(at).OrderExpr("c.id"), &rows)
	})
	if err != nil {
		return nil, err
	}

	for i := range rows {
		command, err := rows[i].command()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doing, err)
		}

		of := queue.CommandID(rows[i].Of)
		found[of] = append(found[of], command)
	}

	return found, nil
}
