package db

import (
	"context"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	insertBatch = `
INSERT INTO batches (site_id, id, title, author, client_key, content, created_at, held, status)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

	insertCounts = `INSERT INTO batch_counts (site_id, batch_id, version, counts) VALUES ($1, $2, $3, $4)`
)

// copyNew writes a new batch with its commands, who waits for whom, and what finds them.
func (w *writer) copyNew(ctx context.Context) error {
	in := w.changes.New
	if in == nil {
		return nil
	}

	b := in.Batch
	w.queue(insertBatch, w.tx.site, b.ID, b.Title, b.Author, in.ClientKey, in.Content, b.CreatedAt, b.Held, string(b.Status()))
	w.queue(insertCounts, w.tx.site, b.ID, w.changes.Site.Version, storedCounts(b.Counts))

	err := w.copy(ctx, "commands", []string{
		"site_id", "id", "batch_id", "position", "kind", "params", "temp_key", "dedupe_key", "chain", "retry_of",
		"created_at", "status", "waiting",
	}, len(in.Commands), func(i int) []any {
		c := in.Commands[i]

		return []any{
			w.tx.site, c.ID, c.Batch, c.Position, string(c.Kind), w.params(c.Params), textOrNull(string(c.TempKey)), c.DedupeKey,
			c.Chain, orNull(c.RetryOf), c.CreatedAt, string(c.Status), c.Waiting,
		}
	})
	if err != nil {
		return err
	}

	err = w.copy(ctx, "command_refs", []string{"site_id", "creation_id", "command_id", "temp_key"}, len(in.Needs),
		func(i int) []any {
			need := in.Needs[i]

			return []any{w.tx.site, need.Creation, need.Command, string(need.TempKey)}
		})
	if err != nil {
		return err
	}

	return w.copyLookups(ctx, in.Commands)
}

// copyLookups writes by what keys and words the commands are found.
func (w *writer) copyLookups(ctx context.Context, commands []*queue.Command) error {
	var keys [][]any

	for _, c := range commands {
		for _, key := range queue.KeysOf(c.Params) {
			keys = append(keys, []any{w.tx.site, string(key), c.ID})
		}
	}

	err := w.copy(ctx, "command_keys", []string{"site_id", "key", "command_id"}, len(keys), func(i int) []any { return keys[i] })
	if err != nil {
		return err
	}

	return w.copy(ctx, "command_texts", []string{"site_id", "command_id", "text"}, len(commands), func(i int) []any {
		return []any{w.tx.site, commands[i].ID, strings.ToLower(searchText(commands[i].Params))}
	})
}

func (w *writer) params(params queue.Params) string {
	raw, err := encodeParams(params)
	if err != nil {
		w.err = err
	}

	return string(raw)
}

// searchText is what a search for a command looks through: its keys and what people wrote.
func searchText(params queue.Params) string {
	var words []string

	for _, key := range queue.KeysOf(params) {
		words = append(words, string(key))
	}

	switch p := params.(type) {
	case queue.EnsureIssue:
		words = append(words, p.Project, p.IssueType, p.Summary, orZero(p.Description))
	case queue.EnsureFields:
		words = append(words, p.Fields.Names()...)
	case queue.EnsureStatus:
		words = append(words, p.Path...)
	case queue.EnsureLink:
		words = append(words, p.Type)
	case queue.EnsureSprint:
		words = append(words, orZero(p.Sprint))
	case queue.EnsureComment:
		words = append(words, p.Body)
	case queue.Refresh:
		words = append(words, orZero(p.JQL))
	}

	return strings.Join(words, "\n")
}
