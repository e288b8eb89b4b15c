package db

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// logView is which events a site's log holds, and the position that a reader asked with.
type logView struct {
	// oldest is the number of the oldest event that is kept; head.Seq + 1 where there is none.
	oldest int64
	// begin is the oldest position.
	begin queue.Cursor
	head  queue.Cursor
	asked queue.Cursor
}

// stretch is the part of the log that one answer looks at.
type stretch struct {
	// from and to are its first and last event, whichever way it is read; from > to where it is empty.
	from, to int64
	// end is where reading it ends.
	end int64
	// more tells whether the log goes on beyond.
	more bool
}

// logRow is what logView asks for.
type logRow struct {
	LogMark    int64  `bun:"log_mark"`
	Head       int64  `bun:"head"`
	HeadMark   int64  `bun:"head_mark"`
	Oldest     *int64 `bun:"oldest"`
	OldestMark *int64 `bun:"oldest_mark"`
	AskedMark  *int64 `bun:"asked_mark"`
}

// logView looks at the log and judges the position asked with; nil asks for everything that is kept.
func (d *DB) logView(ctx context.Context, at bun.IConn, site queue.SiteID, asked *queue.Cursor) (logView, error) {
	const query = `
SELECT s.log_mark, st.head, st.head_mark, first.seq AS oldest, first.mark AS oldest_mark,
	(SELECT e.mark FROM events AS e WHERE e.site_id = s.id AND e.seq = ?) AS asked_mark
FROM sites AS s
` + newestState + `
LEFT JOIN LATERAL (SELECT e.seq, e.mark FROM events AS e WHERE e.site_id = s.id ORDER BY e.seq LIMIT 1) AS first ON true
WHERE s.id = ?`

	var row logRow

	err := d.bun.NewRaw(query, orZero(asked).Seq, site).Conn(at).Scan(ctx, &row)
	if errors.Is(err, sql.ErrNoRows) {
		return logView{}, queue.Refusef(queue.NotFound, "no site %d", site)
	}

	if err != nil {
		return logView{}, err //nolint:wrapcheck // snapshot wraps
	}

	return row.view().ask(asked, &row)
}

func (r *logRow) view() logView {
	head := queue.Cursor{Seq: r.Head, Mark: r.HeadMark}

	switch {
	case r.Oldest == nil && r.Head > 0:
		// Of a log that was pruned to nothing but its head's number, the head is the only position there is.
		return logView{oldest: r.Head + 1, begin: head, head: head}
	case r.Oldest == nil || *r.Oldest == 1:
		return logView{oldest: 1, begin: queue.Cursor{Mark: r.LogMark}, head: head}
	default:
		return logView{oldest: *r.Oldest, begin: queue.Cursor{Seq: *r.Oldest, Mark: *r.OldestMark}, head: head}
	}
}

// ask takes up a position, if the log holds it. Before the first event it does as long as that one is kept.
func (v logView) ask(asked *queue.Cursor, row *logRow) (logView, error) {
	switch {
	case asked == nil:
		// Where nothing is kept it is the one position there is; else what is read tells where it ends.
		v.asked = v.begin

		return v, nil
	case *asked == v.begin:
	case row.AskedMark != nil && *row.AskedMark == asked.Mark && asked.Seq <= row.Head:
	default:
		return v, queue.Refusef(queue.CursorExpired, "the log does not hold the position %s: begin anew", asked)
	}

	v.asked = *asked

	return v, nil
}

// stretch is what a query looks at from its position on.
func (v logView) stretch(query queue.LogQuery) stretch {
	from, to := v.oldest, v.head.Seq

	switch {
	case query.NewestFirst && query.After != nil:
		to = query.After.Seq - 1
	case query.After != nil:
		from = query.After.Seq + 1
	}

	// The index by command finds its events however far apart they are.
	bounded := query.Command == 0 && to-from >= logStretch

	if query.NewestFirst {
		if bounded {
			from = to - logStretch + 1
		}

		return stretch{from: from, to: to, end: from, more: from > v.oldest && from <= to}
	}

	if bounded {
		to = from + logStretch - 1
	}

	return stretch{from: from, to: to, end: to, more: to < v.head.Seq && from <= to}
}
