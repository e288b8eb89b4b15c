package db

import (
	"context"
	"reflect"
	"strings"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const issueList = "issues"

// IssueList lists the mirror by project and number. There is no total: nobody counts a site's issues.
func (d *DB) IssueList(
	ctx context.Context, site queue.SiteID, filter queue.IssueFilter, page queue.Page,
) (*queue.List[*queue.Issue], error) {
	after, err := afterKey(page.After)
	if err != nil {
		return nil, err
	}

	filter.Keys = storableKeys(filter.Keys)

	if filter.Keys != nil && len(filter.Keys) == 0 || !storable(filter.Project, filter.Sprint, filter.Search) {
		return &queue.List[*queue.Issue]{}, nil
	}

	var (
		rows  []issueRow
		total *int
		size  = sizeOf(page)
	)

	err = d.snapshot(ctx, "list issues", func(ctx context.Context, at bun.IConn) error {
		if reflect.ValueOf(filter).IsZero() {
			var err error
			if total, err = d.total(ctx, at, site, issueList); err != nil {
				return err
			}
		}

		query := d.bun.NewSelect().Conn(at).Model((*issueRow)(nil)).Where("i.site_id = ?", site).Limit(int64(size + 1))

		if filter.HasNote != nil && *filter.HasNote {
			// Notes are few beside issues, and nobody knows where: it is they that are looked through, and no index holds
			// this order, or Postgres would walk the mirror along it for the next one.
			query = query.OrderExpr("i.key_project || '', i.key_number, i.key")
		} else {
			query = query.OrderExpr("i.key_project, i.key_number, i.key")
		}

		if filter.Keys != nil {
			// Where the issue has moved, its row stands under the last of its names.
			names, err := d.namesOf(ctx, at, site, filter.Keys...)
			if err != nil {
				return err
			}

			query = query.Where("i.key IN (?)", bun.List(names))
		}

		if after != "" {
			query = query.Where("(i.key_project, i.key_number, i.key) > (?, ?::numeric, ?)", after.Project(), numberOf(after), after)
		}

		return d.searching(ctx, at, filter.Search, func() error { return scan(ctx, narrowedIssues(query, filter), &rows) })
	})
	if err != nil {
		return nil, err
	}

	list, err := listOf(rows, size, (*issueRow).issue, func(r *issueRow) string {
		return endOf(issueList, r.Key)
	})
	if err != nil {
		return nil, err
	}

	list.Total = total

	return list, nil
}

func narrowedIssues(query *bun.SelectQuery, filter queue.IssueFilter) *bun.SelectQuery {
	if filter.Project != "" {
		query = query.Where("i.project = ?", filter.Project)
	}

	if len(filter.Statuses) > 0 {
		query = query.Where("i.status IN (?)", bun.List(distinct(storableTexts(filter.Statuses))))
	}

	if filter.Sprint != "" {
		query = query.Where("i.sprint = ?", filter.Sprint)
	}

	if filter.Backlog {
		query = query.Where("coalesce(i.sprint, '') = ''")
	}

	switch {
	case filter.Search == "":
	case indexable(filter.Search):
		query = query.Where("lower("+issueText+") LIKE ?", containing(filter.Search))
	default:
		query = query.Where(issueText+" ~* ?", literally(filter.Search))
	}

	if filter.HasNote != nil {
		exists := "EXISTS (SELECT FROM notes AS n WHERE n.site_id = i.site_id AND n.key = i.key)"
		if !*filter.HasNote {
			exists = "NOT " + exists
		}

		query = query.Where(exists)
	}

	return query
}

// issueText is what a search of the mirror looks through, to the letter as issues_search has it.
const issueText = `(i.key || ' ' || i.summary || ' ' || coalesce(i.description, ''))`

// afterKey reads a position of the mirror; "" for its beginning.
func afterKey(after string) (queue.Key, error) {
	if after == "" {
		return "", nil
	}

	if parts, ok := partsOf(after, issueList, 1); ok {
		if key, ok := queue.ParseKey(parts[0]); ok && !key.Temp() && string(key) == parts[0] {
			return key, nil
		}
	}

	return "", noPosition(after)
}

// numberOf is the part of a real key after its project, all digits.
func numberOf(key queue.Key) string { return strings.TrimPrefix(string(key), key.Project()+"-") }

// storableKeys drops what can be no key of an issue; nil stays nil.
func storableKeys(keys []queue.Key) []queue.Key {
	if keys == nil {
		return nil
	}

	kept := make([]queue.Key, 0, len(keys))

	for _, key := range distinct(keys) {
		if storable(string(key)) {
			kept = append(kept, key)
		}
	}

	return kept
}

// storableTexts drops what the database cannot hold. The empty text, which no issue has as its status, stands for
// it: a list that became empty must still find nothing.
func storableTexts(texts []string) []string {
	kept := make([]string, len(texts))

	for i, text := range texts {
		if storable(text) {
			kept[i] = text
		}
	}

	return kept
}
