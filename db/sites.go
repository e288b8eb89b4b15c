package db

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"regexp"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// SiteInfo is what an operator sees of a site.
type SiteInfo struct {
	ID        queue.SiteID
	Name      string
	CreatedAt time.Time
}

// siteName is what a site may be called.
var siteName = regexp.MustCompile(`^[\p{L}\p{N}._-]{1,100}$`)

// CreateSite makes a site with the default pace and an empty log. A name that is none is Unprocessable, one that is
// there already a Conflict.
func (d *DB) CreateSite(ctx context.Context, name string) (queue.SiteID, error) {
	if err := CheckSiteName(name); err != nil {
		return 0, err
	}

	var id queue.SiteID

	err := d.within(ctx, "create a site", func(ctx context.Context) error {
		return d.inTx(ctx, nil, func(ctx context.Context, tx bun.IConn) error {
			var err error
			id, err = d.createSite(ctx, tx, name)

			return err
		})
	})

	return id, err
}

// CheckSiteName refuses, without asking the database, what no site can be called, as Unprocessable.
func CheckSiteName(name string) error {
	if !siteName.MatchString(name) {
		return queue.Refusef(queue.Unprocessable,
			"%.120q is no name for a site: it has 1 to 100 letters, digits, hyphens, underscores and dots", name)
	}

	return nil
}

func (d *DB) createSite(ctx context.Context, tx bun.IConn, name string) (queue.SiteID, error) {
	mark, err := newMark()
	if err != nil {
		return 0, err
	}

	pace, err := encodeJSON(queue.DefaultPace())
	if err != nil {
		return 0, err
	}

	var ids []queue.SiteID

	err = d.bun.NewRaw(`
WITH made AS (
	INSERT INTO sites (name, log_mark, pace) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING RETURNING id
)
INSERT INTO site_states (site_id, version, head, head_mark) SELECT id, 0, 0, ? FROM made RETURNING site_id`,
		name, mark, string(pace), mark).Conn(tx).Scan(ctx, &ids)
	if err != nil {
		return 0, err //nolint:wrapcheck // within wraps
	}

	if len(ids) == 0 {
		return 0, queue.Refusef(queue.Conflict, "there is a site %q already", name)
	}

	return ids[0], nil
}

// newMark draws a number that nobody guesses and no two logs share.
func newMark() (int64, error) {
	var raw [8]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return 0, fmt.Errorf("draw a mark: %w", err)
	}

	return int64(binary.BigEndian.Uint64(raw[:])), nil //nolint:gosec // the bits are kept, not the number
}

// Sites lists every site by name.
func (d *DB) Sites(ctx context.Context) ([]SiteInfo, error) {
	return d.sites(ctx, func(query *bun.SelectQuery) *bun.SelectQuery { return query.OrderExpr("s.name") })
}

// SiteByName finds a site; NotFound where there is none of that name.
func (d *DB) SiteByName(ctx context.Context, name string) (SiteInfo, error) {
	var found []SiteInfo

	if storable(name) {
		var err error

		found, err = d.sites(ctx, func(query *bun.SelectQuery) *bun.SelectQuery { return query.Where("s.name = ?", name) })
		if err != nil {
			return SiteInfo{}, err
		}
	}

	if len(found) == 0 {
		return SiteInfo{}, queue.Refusef(queue.NotFound, "there is no site %.120q", name)
	}

	return found[0], nil
}

func (d *DB) sites(ctx context.Context, narrow func(*bun.SelectQuery) *bun.SelectQuery) ([]SiteInfo, error) {
	var rows []siteRow

	err := d.reading(ctx, "list the sites", func(ctx context.Context, at bun.IConn) error {
		return scan(ctx, narrow(d.bun.NewSelect().Conn(at).Model((*siteRow)(nil)).Column("id", "name", "created_at")), &rows)
	})
	if err != nil {
		return nil, err
	}

	sites := make([]SiteInfo, len(rows))
	for i, row := range rows {
		sites[i] = SiteInfo{ID: queue.SiteID(row.ID), Name: row.Name, CreatedAt: row.CreatedAt.UTC()}
	}

	return sites, nil
}
