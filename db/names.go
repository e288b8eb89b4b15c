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

// allNames gives, for each of the keys whose issue has or had others, all of them.
func (d *DB) allNames(
	ctx context.Context, at bun.IConn, site queue.SiteID, keys []queue.Key,
) (map[queue.Key][]queue.Key, error) {
	if len(keys) == 0 {
		return nil, nil
	}

	const query = `
WITH present AS (
	SELECT asked.key AS asked, coalesce(k.key, asked.key) AS key
	FROM unnest(ARRAY[?]) AS asked (key) LEFT JOIN issue_keys AS k ON k.site_id = ? AND k.old_key = asked.key
)
SELECT present.asked, present.key AS name, k.old_key AS old
FROM present JOIN issue_keys AS k ON k.site_id = ? AND k.key = present.key
ORDER BY present.asked, k.old_key`

	var rows []struct {
		Asked queue.Key `bun:"asked"`
		Name  queue.Key `bun:"name"`
		Old   queue.Key `bun:"old"`
	}

	if err := d.bun.NewRaw(query, bun.List(keys), site, site).Conn(at).Scan(ctx, &rows); err != nil {
		return nil, err //nolint:wrapcheck // reading and snapshot wrap
	}

	names := make(map[queue.Key][]queue.Key)

	for _, row := range rows {
		if names[row.Asked] == nil {
			names[row.Asked] = []queue.Key{row.Name}
		}

		names[row.Asked] = append(names[row.Asked], row.Old)
	}

	return names, nil
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
