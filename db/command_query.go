package db

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// commandQuery finds the newest commands that a filter leaves. Each of its branches follows an index that holds its
// commands in order, so that it reads a page and not the table; the page is the newest of what the branches find.
type commandQuery struct {
	db     *bun.DB
	site   queue.SiteID
	filter queue.CommandFilter
	// keys are all names of the issue that the filter wants.
	keys []queue.Key
	// before bounds the ids from above; 0 for none.
	before int64
	size   int
}

// ids finds the newest, one more than a page has where there are more.
func (q *commandQuery) ids(ctx context.Context, at bun.IConn) ([]int64, error) {
	if q.walks() {
		if _, err := at.ExecContext(ctx, "SET LOCAL enable_sort = off"); err != nil {
			return nil, err //nolint:wrapcheck // snapshot wraps
		}
	}

	branches := q.branches()
	each := strings.TrimSuffix(strings.Repeat("(?) UNION ALL ", len(branches)), " UNION ALL ")

	var found []int64
	if err := scan(ctx, q.db.NewSelect().Conn(at).TableExpr("("+each+") AS found", branches...).ColumnExpr("found.id"), &found); err != nil {
		return nil, err
	}

	// Two branches may have found the same: by two keys, or in the text and in the error.
	slices.Sort(found)
	found = slices.Compact(found)
	slices.Reverse(found)

	return found[:min(len(found), q.size+1)], nil
}

// walks tells whether a branch follows the batches. It has to stop at a full page; Postgres, which knows little of how
// the batches of one site differ from those of another, would now and then rather read them all and sort.
func (q *commandQuery) walks() bool {
	alone := q.filter.Key == "" && q.filter.Batch == 0 && q.filter.Search == ""

	return alone && (slices.Contains(q.filter.Statuses, queue.Queued) || slices.Contains(q.filter.Statuses, queue.Done))
}

func (q *commandQuery) branches() []any {
	switch {
	case q.filter.Key != "":
		return q.byKey()
	case q.filter.Batch != 0:
		return []any{q.searched(q.page("c.position", q.filter.Statuses...).Where("c.batch_id = ?", q.filter.Batch))}
	case q.filter.Search != "":
		return q.bySearch()
	case len(q.filter.Statuses) == 0:
		return []any{q.page("c.id")}
	default:
		return q.byStatus()
	}
}

// byKey follows command_keys, one key a branch.
func (q *commandQuery) byKey() []any {
	branches := make([]any, 0, len(q.keys))

	for _, key := range q.keys {
		branch := q.page("ck.command_id", q.filter.Statuses...).
			Join("JOIN command_keys AS ck ON ck.site_id = c.site_id AND ck.command_id = c.id").
			Where("ck.key = ?", key)

		if q.filter.Batch != 0 {
			branch = branch.Where("c.batch_id = ?", q.filter.Batch)
		}

		branches = append(branches, q.searched(branch))
	}

	return branches
}

// bySearch looks for the text where Postgres has an index for it, and for errors where alone they are.
func (q *commandQuery) bySearch() []any {
	pattern := containing(q.filter.Search)
	texts := q.page("c.id", q.filter.Statuses...).
		Join("JOIN command_texts AS t ON t.site_id = c.site_id AND t.command_id = c.id")

	if indexable(q.filter.Search) {
		texts = texts.Where("t.text LIKE ?", pattern)
	} else {
		texts = texts.Where("strpos(t.text, ?) > 0", strings.ToLower(q.filter.Search))
	}

	branches := []any{texts}

	for _, status := range unsuccessful() {
		if len(q.filter.Statuses) == 0 || slices.Contains(q.filter.Statuses, status) {
			branches = append(branches, q.page("c.id", status).Where("lower(c.error) LIKE ?", pattern))
		}
	}

	return branches
}

// byStatus gives each status the index that serves it, so that a rare one among a million is found at once.
func (q *commandQuery) byStatus() []any {
	var branches []any

	for _, status := range distinct(q.filter.Statuses) {
		switch status {
		case queue.Claimed:
			// There is at most one, and the site knows it.
			branches = append(branches, q.page("c.id", status).Where(`c.id = (
				SELECT st.in_hand FROM site_states AS st WHERE st.site_id = ? ORDER BY st.version DESC LIMIT 1)`, q.site))
		case queue.Queued:
			branches = append(branches, q.ofBatches("b.status <> 'finished'", status))
		case queue.Done:
			branches = append(branches, q.ofBatches("b.status <> 'pending'", status))
		case queue.Failed, queue.Cancelled, queue.Skipped, queue.Confirmed:
			// commands_unsuccessful
			branches = append(branches, q.page("c.id", status))
		}
	}

	return branches
}

// ofBatches walks the batches of a kind from the newest, and each from its end, which is the order of the ids.
func (q *commandQuery) ofBatches(which string, status queue.Status) *bun.SelectQuery {
	branch := q.page("b.id", status).OrderExpr("c.position DESC").
		Join("JOIN batches AS b ON b.site_id = c.site_id AND b.id = c.batch_id").
		Where("b.site_id = ?", q.site).Where(which)

	if q.before != 0 {
		branch = branch.Where(`b.id <= (
			SELECT l.batch_id FROM commands AS l WHERE l.site_id = ? AND l.id < ? ORDER BY l.id DESC LIMIT 1)`, q.site, q.before)
	}

	return branch
}

// page begins a branch: ids of those statuses (none: any) and of the filter's kinds, the newest by that column.
func (q *commandQuery) page(by string, statuses ...queue.Status) *bun.SelectQuery {
	branch := q.db.NewSelect().TableExpr("commands AS c").ColumnExpr("c.id").
		Where("c.site_id = ?", q.site).
		OrderExpr(by + " DESC").Limit(int64(q.size + 1))

	if q.before != 0 {
		branch = branch.Where("c.id < ?", q.before)
	}

	return narrowed(branch, statuses, q.filter.Kinds)
}

// searched narrows a branch of few commands to those with the text.
func (q *commandQuery) searched(branch *bun.SelectQuery) *bun.SelectQuery {
	return withText(branch, q.filter.Search)
}

// narrowed keeps commands of those statuses and kinds; none: any. One alone is not a list: only so does Postgres see
// that an index by status holds them in order.
func narrowed(query *bun.SelectQuery, statuses []queue.Status, kinds []queue.Kind) *bun.SelectQuery {
	if statuses = distinct(statuses); len(statuses) == 1 {
		query = query.Where("c.status = ?", statuses[0])
	} else if len(statuses) > 1 {
		query = query.Where("c.status IN (?)", bun.List(statuses))
	}

	if len(kinds) > 0 {
		query = query.Where("c.kind IN (?)", bun.List(distinct(kinds)))
	}

	return query
}

// withText keeps commands that have the text in keys, texts or error, looking at each.
func withText(query *bun.SelectQuery, text string) *bun.SelectQuery {
	if text == "" {
		return query
	}

	pattern := containing(text)

	return query.
		Join("LEFT JOIN command_texts AS t ON t.site_id = c.site_id AND t.command_id = c.id").
		Where("(t.text LIKE ? OR lower(c.error) LIKE ?)", pattern, pattern)
}

// unsuccessful are the statuses that commands_unsuccessful serves; no other has an error.
func unsuccessful() []queue.Status {
	return []queue.Status{queue.Failed, queue.Cancelled, queue.Skipped, queue.Confirmed}
}
