package db

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// total reads one of the kept totals of a site: of its batches, issues or notes.
func (d *DB) total(ctx context.Context, at bun.IConn, site queue.SiteID, of string) (*int, error) {
	var kept []int

	err := scan(ctx, d.bun.NewSelect().Conn(at).TableExpr("site_states").ColumnExpr("?", bun.Ident(of)).
		Where("site_id = ?", site).OrderExpr("version DESC").Limit(1), &kept)
	if err != nil || len(kept) == 0 {
		return nil, err
	}

	return &kept[0], nil
}
