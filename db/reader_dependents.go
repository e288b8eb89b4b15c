package db

import (
	"context"
	"strconv"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const dependentList = "dependents"

// Dependents lists the commands that name a creation's temporary key, by id.
func (d *DB) Dependents(
	ctx context.Context, site queue.SiteID, creation queue.CommandID, page queue.Page,
) (*queue.List[*queue.Command], error) {
	after, err := afterDependent(page.After, creation)
	if err != nil {
		return nil, err
	}

	var (
		rows []commandRow
		size = sizeOf(page)
	)

	err = d.reading(ctx, "list the dependents of a command", func(ctx context.Context, at bun.IConn) error {
		return scan(ctx, d.bun.NewSelect().Conn(at).Model((*commandRow)(nil)).
			Join("JOIN command_refs AS r ON r.site_id = c.site_id AND r.command_id = c.id").
			Where("r.site_id = ? AND r.creation_id = ? AND r.command_id > ?", site, creation, after).
			OrderExpr("r.command_id").Limit(int64(size+1)), &rows)
	})
	if err != nil {
		return nil, err
	}

	return listOf(rows, size, (*commandRow).command, func(r *commandRow) string {
		return endOf(dependentList, creation.String(), decimal(r.ID))
	})
}

// afterDependent reads a position of the list of that creation's dependents; 0 for its beginning.
func afterDependent(after string, creation queue.CommandID) (int64, error) {
	if after == "" {
		return 0, nil
	}

	if parts, ok := partsOf(after, dependentList, 2); ok && parts[0] == creation.String() {
		if id, err := strconv.ParseInt(parts[1], 10, 64); err == nil {
			return id, nil
		}
	}

	return 0, noPosition(after)
}
