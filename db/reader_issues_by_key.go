package db

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// IssuesByKey finds issues under their present and their old keys, by the key asked for.
func (d *DB) IssuesByKey(ctx context.Context, site queue.SiteID, keys []queue.Key) (map[queue.Key]*queue.Issue, error) {
	return byKey(ctx, d, "read issues", site, keys, (*issueRow).issue, func(r *issueRow) string { return r.Key })
}

// PresentKeys gives, for those of the keys that their issues do not have any more, the ones they have now.
func (d *DB) PresentKeys(ctx context.Context, site queue.SiteID, keys []queue.Key) (map[queue.Key]queue.Key, error) {
	if keys = storableKeys(keys); len(keys) == 0 {
		return map[queue.Key]queue.Key{}, nil
	}

	var present map[queue.Key]queue.Key

	err := d.reading(ctx, "read present keys", func(ctx context.Context, at bun.IConn) error {
		var err error
		present, err = d.presentOf(ctx, at, site, distinct(keys))

		return err
	})

	return present, err
}

// NotesByKey finds notes under present and old keys, by the key asked for.
func (d *DB) NotesByKey(ctx context.Context, site queue.SiteID, keys []queue.Key) (map[queue.Key]*queue.Note, error) {
	return byKey(ctx, d, "read notes", site, keys, (*noteRow).note, func(r *noteRow) string { return r.Key })
}

// byKey finds rows whose key is one of those, or the one that an issue has now which had one of those before.
func byKey[R, T any](
	ctx context.Context, d *DB, doing string, site queue.SiteID, keys []queue.Key,
	convert func(*R) (*T, error), keyOf func(*R) string,
) (map[queue.Key]*T, error) {
	found := make(map[queue.Key]*T, len(keys))

	if keys = storableKeys(keys); len(keys) == 0 {
		return found, nil
	}

	var (
		rows    []R
		present map[queue.Key]queue.Key
	)

	err := d.snapshot(ctx, doing, func(ctx context.Context, at bun.IConn) error {
		var err error
		if present, err = d.presentOf(ctx, at, site, keys); err != nil {
			return err
		}

		all := keys
		for _, key := range present {
			all = append(all, key)
		}

		return scan(ctx, d.bun.NewSelect().Conn(at).Model((*R)(nil)).
			Where("site_id = ? AND key IN (?)", site, bun.List(distinct(all))), &rows)
	})
	if err != nil {
		return nil, err
	}

	byPresent := make(map[queue.Key]*T, len(rows))

	for i := range rows {
		if byPresent[queue.Key(keyOf(&rows[i]))], err = convert(&rows[i]); err != nil {
			return nil, err
		}
	}

	for _, key := range keys {
		if row, ok := byPresent[key]; ok {
			found[key] = row
		} else if row, ok := byPresent[present[key]]; ok {
			found[key] = row
		}
	}

	return found, nil
}
