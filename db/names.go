package db

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// namesOf gives every key that the issue known under this one has or had, this one included.
func (d *DB) namesOf(ctx context.Context, at bun.IConn, site queue.SiteID, keys ...queue.Key) ([]queue.Key, error) {
	const query = `
WITH asked AS (
	SELECT asked.key FROM unnest(ARRAY[?]) AS asked (key)
), present AS (
	SELECT coalesce(k.key, asked.key) AS key
	FROM asked LEFT JOIN issue_keys AS k ON k.site_id = ? AND k.old_key = asked.key
)
SELECT key FROM asked
UNION SELECT key FROM present
UNION SELECT k.old_key FROM present JOIN issue_keys AS k ON k.site_id = ? AND k.key = present.key`

	var names []queue.Key

	err := d.bun.NewRaw(query, bun.List(keys), site, site).Conn(at).Scan(ctx, &names)

	return names, err //nolint:wrapcheck // reading and snapshot wrap
}

// presentOf gives, for those of the keys that their issues do not have any more, the present ones.
func (d *DB) presentOf(ctx context.Context, at bun.IConn, site queue.SiteID, keys []queue.Key) (map[queue.Key]queue.Key, error) {
	var moved []struct {
		OldKey queue.Key `bun:"old_key"`
		Key    queue.Key `bun:"key"`
	}

	query := d.bun.NewSelect().Conn(at).TableExpr("issue_keys AS k").ColumnExpr("k.old_key, k.key").
		Where("k.site_id = ?", site).Where("k.old_key IN (?)", bun.List(keys))
	if err := scan(ctx, query, &moved); err != nil {
		return nil, err
	}

	present := make(map[queue.Key]queue.Key, len(moved))
	for _, move := range moved {
		present[move.OldKey] = move.Key
	}

	return present, nil
}
