package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// issueColumns are what issueTargets reads.
	issueColumns = `i.key, i.jira_id, i.project, i.issue_type, i.summary, i.description, i.status, i.sprint, i.parent,
	i.fields, i.links, i.links_version, i.refreshed_at, i.missing`

	// viewIssues finds issues by present keys, by old ones and by Jira's ids.
	viewIssues = `
SELECT ` + issueColumns + `
FROM (
	SELECT unnest($2::text[]) AS key
	UNION SELECT key FROM issue_keys WHERE site_id = $1 AND old_key = ANY($2)
	UNION SELECT key FROM issues WHERE site_id = $1 AND jira_id = ANY($3)
) wanted JOIN issues i ON i.site_id = $1 AND i.key = wanted.key`

	viewMoved = `SELECT old_key, key FROM issue_keys WHERE site_id = $1 AND old_key = ANY($2)`

	viewHeld = `
SELECT ` + heldColumns + ` FROM commands c` + latestCounts + realKeys + `
WHERE c.site_id = $1 AND c.id IN (
	$2, (SELECT in_hand FROM site_states WHERE site_id = $1 ORDER BY version DESC LIMIT 1)
)`

	viewCounted = `
SELECT r.key FROM refresh_keys r JOIN commands c ON c.site_id = $1 AND c.id = $2 AND c.deliveries = r.delivery
WHERE r.site_id = $1 AND r.command_id = $2 AND r.key = ANY($3)`
)

func (r *issueRow) targets() []any {
	return []any{
		&r.Key, &r.JiraID, &r.Project, &r.IssueType, &r.Summary, &r.Description, &r.Status, &r.Sprint, &r.Parent,
		&r.Fields, &r.Links, &r.LinksVersion, &r.RefreshedAt, &r.Missing,
	}
}

// Issues gives rows of the mirror under their present keys, and where keys were moved to.
func (t *tx) Issues(ctx context.Context, keys []queue.Key) (*queue.IssuesView, error) {
	view := emptyIssues()

	return &view, t.view(ctx, t.viewIssues(&view, keys, nil, func(*queue.Issue) {}), t.viewMoved(view.Present, keys))
}

func emptyIssues() queue.IssuesView {
	return queue.IssuesView{Issues: map[queue.Key]*queue.Issue{}, Present: map[queue.Key]queue.Key{}}
}

func (t *tx) viewIssues(view *queue.IssuesView, keys []queue.Key, jiraIDs []string, found func(*queue.Issue)) query {
	return query{sql: viewIssues, args: []any{t.site, keys, jiraIDs}, read: func(rows pgx.Rows) error {
		var row issueRow
		if err := rows.Scan(row.targets()...); err != nil {
			return err //nolint:wrapcheck // Change wraps
		}

		issue, err := row.issue()
		if err != nil {
			return err
		}

		view.Issues[issue.Key] = issue
		found(issue)

		return nil
	}}
}

func (t *tx) viewMoved(present map[queue.Key]queue.Key, keys []queue.Key) query {
	return query{sql: viewMoved, args: []any{t.site, keys}, read: func(rows pgx.Rows) error {
		var old, now string

		err := rows.Scan(&old, &now)
		present[queue.Key(old)] = queue.Key(now)

		return err //nolint:wrapcheck // Change wraps
	}}
}

// Mirror gives what a push may touch, and the command in hand.
func (t *tx) Mirror(
	ctx context.Context, keys []queue.Key, jiraIDs []string, refresh queue.CommandID,
) (*queue.MirrorView, error) {
	view := &queue.MirrorView{
		IssuesView: emptyIssues(), ByJiraID: map[string]queue.Key{}, Batches: map[queue.BatchID]*queue.Batch{},
		Counted: map[queue.Key]bool{},
	}

	queries := []query{
		t.viewSite(&view.Site),
		t.viewIssues(&view.IssuesView, keys, jiraIDs, func(issue *queue.Issue) {
			if issue.JiraID != "" {
				view.ByJiraID[issue.JiraID] = issue.Key
			}
		}),
		t.viewMoved(view.Present, keys),
		{sql: viewHeld, args: []any{t.site, refresh}, read: func(rows pgx.Rows) error {
			return readMirrorCommand(rows, view, refresh)
		}},
	}

	if refresh != 0 {
		queries = append(queries, query{
			sql: viewCounted, args: []any{t.site, refresh, keys},
			read: func(rows pgx.Rows) error {
				var key string

				err := rows.Scan(&key)
				view.Counted[queue.Key(key)] = true

				return err //nolint:wrapcheck // Change wraps
			},
		})
	}

	return view, t.view(ctx, queries...)
}

// readMirrorCommand reads the command in hand or the refresh that a push names, which may be the same.
func readMirrorCommand(rows pgx.Rows, view *queue.MirrorView, refresh queue.CommandID) error {
	var held heldRow

	if err := rows.Scan(held.targets()...); err != nil {
		return err //nolint:wrapcheck // Change wraps
	}

	cmd, batch, real, err := held.read()
	if err != nil {
		return err
	}

	if _, known := view.Batches[batch.ID]; !known {
		view.Batches[batch.ID] = batch
	}

	if cmd.Status == queue.Claimed {
		cmd.Params = queue.Substitute(cmd.Params, real)
		view.InHand = cmd
	}

	if cmd.ID == refresh {
		view.Refresh = cmd
	}

	return nil
}

const (
	// viewReal finds, for temporary keys that no open creation bears, the newest real key made under each.
	viewReal = `
SELECT DISTINCT ON (asked.key) asked.key, c.result_key
FROM unnest($2::text[]) AS asked (key)
JOIN commands c ON c.site_id = $1 AND c.temp_key = asked.key AND c.result_key IS NOT NULL
WHERE NOT EXISTS (
	SELECT FROM commands o WHERE o.site_id = $1 AND o.temp_key = asked.key AND o.status IN ('queued', 'claimed')
)
ORDER BY asked.key, c.id DESC`

	// viewNotes follows temporary keys to the real ones, and moved ones to the present.
	viewNotes = `
WITH asked AS (
	SELECT unnest($2::text[]) AS key
	UNION SELECT key FROM (` + viewReal + `) made (temp_key, key)
), wanted AS (
	SELECT key FROM asked
	UNION SELECT k.key FROM asked JOIN issue_keys k ON k.site_id = $1 AND k.old_key = asked.key
)
SELECT n.key, n.text, n.author, n.updated_at FROM wanted JOIN notes n ON n.site_id = $1 AND n.key = wanted.key`

	viewNotesMoved = `
SELECT k.old_key, k.key
FROM (SELECT unnest($2::text[]) AS key UNION SELECT key FROM (` + viewReal + `) made (temp_key, key)) asked
JOIN issue_keys k ON k.site_id = $1 AND k.old_key = asked.key`
)

// Notes gives the notes of these keys and what became of temporary ones.
func (t *tx) Notes(ctx context.Context, keys []queue.Key) (*queue.NotesView, error) {
	view := &queue.NotesView{
		Notes: map[queue.Key]*queue.Note{}, Present: map[queue.Key]queue.Key{}, Real: map[queue.Key]queue.Key{},
	}

	pair := func(into map[queue.Key]queue.Key) func(pgx.Rows) error {
		return func(rows pgx.Rows) error {
			var from, to string

			err := rows.Scan(&from, &to)
			into[queue.Key(from)] = queue.Key(to)

			return err //nolint:wrapcheck // Change wraps
		}
	}

	err := t.view(ctx, t.viewSite(&view.Site),
		query{sql: viewReal, args: []any{t.site, keys}, read: pair(view.Real)},
		query{sql: viewNotesMoved, args: []any{t.site, keys}, read: pair(view.Present)},
		query{sql: viewNotes, args: []any{t.site, keys}, read: func(rows pgx.Rows) error {
			var row noteRow
			if err := rows.Scan(&row.Key, &row.Text, &row.Author, &row.UpdatedAt); err != nil {
				return err //nolint:wrapcheck // Change wraps
			}

			note, err := row.note()
			view.Notes[note.Key] = note

			return err
		}})

	return view, err
}
