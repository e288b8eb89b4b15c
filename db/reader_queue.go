package db

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

var _ queue.Reader = (*DB)(nil)

// newestState joins the site's present state to a query over sites AS s.
const newestState = `CROSS JOIN LATERAL (
	SELECT st.head, st.head_mark, st.counts, st.in_hand, st.seat_instance, st.seat_seen_at, st.seat_pause_seconds
	FROM site_states AS st WHERE st.site_id = s.id ORDER BY st.version DESC LIMIT 1
) AS st`

// Queue gives counts, pace and the log's position of one moment.
func (d *DB) Queue(ctx context.Context, site queue.SiteID) (*queue.Overview, error) {
	row, err := d.site(ctx, site, "read the queue", "s.id", "s.pace", "st.counts", "st.head", "st.head_mark")
	if err != nil {
		return nil, err
	}

	pace, err := row.pace()
	if err != nil {
		return nil, err
	}

	counts, err := countsOf(row.Counts)
	if err != nil {
		return nil, err
	}

	return &queue.Overview{Counts: counts, Pace: pace, Cursor: row.head()}, nil
}

// Head is the log's newest position.
func (d *DB) Head(ctx context.Context, site queue.SiteID) (queue.Cursor, error) {
	row, err := d.site(ctx, site, "read the log's head", "st.head", "st.head_mark")
	if err != nil {
		return queue.Cursor{}, err
	}

	return row.head(), nil
}

// Jira gives what the agent told of its Jira; nil before it did.
func (d *DB) Jira(ctx context.Context, site queue.SiteID) (*queue.Jira, error) {
	row, err := d.site(ctx, site, "read what is known of Jira", "s.id", "s.jira")
	if err != nil {
		return nil, err
	}

	return row.jira()
}

// site reads columns of a site and its present state by one statement.
func (d *DB) site(ctx context.Context, site queue.SiteID, doing string, columns ...string) (*siteRow, error) {
	row := &siteRow{}
	err := d.reading(ctx, doing, func(ctx context.Context, at bun.IConn) error {
		return d.siteAt(ctx, at, site, row, columns...)
	})

	return row, err
}

func (d *DB) siteAt(ctx context.Context, at bun.IConn, site queue.SiteID, row *siteRow, columns ...string) error {
	query := d.bun.NewSelect().Conn(at).Model(row).Join(newestState).Where("s.id = ?", site)

	for _, column := range columns {
		query = query.ColumnExpr(column)
	}

	err := query.Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return queue.Refusef(queue.NotFound, "no site %d", site)
	}

	return err //nolint:wrapcheck // reading wraps
}
