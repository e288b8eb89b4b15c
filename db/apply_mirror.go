package db

import (
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// A moved issue takes the place of what was under its new key; all old keys lead to the new one.
	dropAlias    = `DELETE FROM issue_keys WHERE site_id = $1 AND old_key = $2`
	dropReplaced = `
DELETE FROM issues WHERE site_id = $1 AND key = $3 AND EXISTS (SELECT FROM issues WHERE site_id = $1 AND key = $2)`
	moveIssue   = `UPDATE issues SET key = $3 WHERE site_id = $1 AND key = $2`
	moveAliases = `UPDATE issue_keys SET key = $3 WHERE site_id = $1 AND key = $2`
	addAlias    = `
INSERT INTO issue_keys (site_id, old_key, key) VALUES ($1, $2, $3)
ON CONFLICT (site_id, old_key) DO UPDATE SET key = excluded.key`

	// Jira's ids are freed first, or an id that goes from one row of the push to another would stand twice.
	freeJiraIDs = `UPDATE issues SET jira_id = NULL WHERE site_id = $1 AND key = ANY($2)`

	writeIssues = `
INSERT INTO issues (site_id, key, jira_id, key_project, key_number, project, issue_type, summary, description, status,
	sprint, parent, fields, links, links_version, refreshed_at, missing)
SELECT $1::bigint, n.key, n.jira_id, n.key_project, n.key_number::numeric, n.project, n.issue_type, n.summary, n.description,
	n.status, n.sprint, n.parent, n.fields::json, n.links::json, n.links_version, n.refreshed_at, n.missing
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
	$11::text[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::timestamptz[], $17::boolean[])
	AS n (key, jira_id, key_project, key_number, project, issue_type, summary, description, status, sprint, parent,
		fields, links, links_version, refreshed_at, missing)
ON CONFLICT (site_id, key) DO UPDATE SET jira_id = excluded.jira_id, key_project = excluded.key_project,
	key_number = excluded.key_number, project = excluded.project, issue_type = excluded.issue_type,
	summary = excluded.summary, description = excluded.description, status = excluded.status, sprint = excluded.sprint,
	parent = excluded.parent, fields = excluded.fields, links = excluded.links, links_version = excluded.links_version,
	refreshed_at = excluded.refreshed_at, missing = excluded.missing`

	writeSeen = `
UPDATE issues i SET refreshed_at = n.refreshed_at, links_version = n.links_version
FROM unnest($2::text[], $3::timestamptz[], $4::bigint[]) AS n (key, refreshed_at, links_version)
WHERE i.site_id = $1 AND i.key = n.key`
)

func (w *writer) writeMirror() {
	for _, move := range w.changes.Moved {
		w.queue(dropAlias, w.tx.site, move.To)

		if move.From != "" {
			w.queue(dropReplaced, w.tx.site, move.From, move.To)
			w.queue(moveIssue, w.tx.site, move.From, move.To)
			w.queue(moveAliases, w.tx.site, move.From, move.To)
			w.queue(addAlias, w.tx.site, move.From, move.To)
		}
	}

	if issues := w.changes.Issues; len(issues) > 0 {
		keys := make([]queue.Key, len(issues))
		for i, issue := range issues {
			keys[i] = issue.Key
		}

		w.queue(freeJiraIDs, w.tx.site, keys)
		w.queue(writeIssues, append([]any{w.tx.site}, columns(issues, w.issueCells)...)...)
	}

	if seen := w.changes.Seen; len(seen) > 0 {
		w.queue(writeSeen, append([]any{w.tx.site}, columns(seen, func(issue *queue.Issue) []any {
			return []any{string(issue.Key), issue.RefreshedAt, issue.LinksVersion}
		})...)...)
	}
}

func (w *writer) issueCells(i *queue.Issue) []any {
	project := i.Key.Project()

	return []any{
		string(i.Key), textOrNull(i.JiraID), project, strings.TrimPrefix(string(i.Key), project+"-"), i.Project, i.IssueType,
		i.Summary, i.Description, i.Status, i.Sprint, i.Parent, w.json(i.Fields), w.json(i.Links), i.LinksVersion,
		i.RefreshedAt, i.Missing,
	}
}

const (
	removeNotes = `DELETE FROM notes WHERE site_id = $1 AND key = ANY($2)`
	writeNotes  = `
INSERT INTO notes (site_id, key, text, author, updated_at)
SELECT $1::bigint, n.key, n.text, n.author, n.updated_at
FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS n (key, text, author, updated_at)
ON CONFLICT (site_id, key) DO UPDATE SET text = excluded.text, author = excluded.author, updated_at = excluded.updated_at`
)

func (w *writer) writeNotes() {
	if keys := w.changes.RemovedNotes; len(keys) > 0 {
		w.queue(removeNotes, w.tx.site, keys)
	}

	if notes := w.changes.Notes; len(notes) > 0 {
		w.queue(writeNotes, append([]any{w.tx.site}, columns(notes, func(n *queue.Note) []any {
			return []any{string(n.Key), n.Text, n.Author, n.UpdatedAt}
		})...)...)
	}
}
