package db

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	viewEarlier = `SELECT id, content FROM batches WHERE site_id = $1 AND author = $2 AND client_key = $3`
	// Ids are taken under the lock, so that their order in a site is that of the commits.
	takeIDs = `SELECT nextval('command_ids') FROM generate_series(1, $1::integer)`
)

// Create gives ids for a new batch, and the batch made earlier with that client key.
func (t *tx) Create(ctx context.Context, author, clientKey string, commands int) (*queue.CreateView, error) {
	view := &queue.CreateView{}
	queries := []query{t.viewSite(&view.Site)}

	if clientKey != "" {
		queries = append(queries, query{
			sql: viewEarlier, args: []any{t.site, author, clientKey},
			read: func(rows pgx.Rows) error { return rows.Scan(&view.Before, &view.Content) },
		})
	}

	if commands > 0 {
		view.Commands = make([]queue.CommandID, 0, commands)

		queries = append(queries, query{
			sql:  `SELECT nextval('batch_ids')`,
			read: func(rows pgx.Rows) error { return rows.Scan(&view.Batch) },
		}, query{sql: takeIDs, args: []any{commands}, read: func(rows pgx.Rows) error {
			var id queue.CommandID

			err := rows.Scan(&id)
			view.Commands = append(view.Commands, id)

			return err //nolint:wrapcheck // Change wraps
		}})
	}

	return view, t.view(ctx, queries...)
}

const (
	viewBatch = `
SELECT c.title, c.author, c.created_at, c.finished_at, c.held, bc.version, bc.counts
FROM (
	SELECT id AS batch_id, title, author, created_at, finished_at, held FROM batches WHERE site_id = $1 AND id = $2
) c` + latestCounts

	viewBatchCommands = `
SELECT ` + bareColumns + `, CASE WHEN $3 THEN c.params END
FROM commands c WHERE c.site_id = $1 AND c.batch_id = $2 ORDER BY c.position`

	viewBatchNeeds = `
SELECT r.command_id, r.creation_id, r.temp_key
FROM commands c JOIN command_refs r ON r.site_id = $1 AND r.command_id = c.id
WHERE c.site_id = $1 AND c.batch_id = $2
ORDER BY r.creation_id, r.command_id`
)

// Batch gives a batch with all its commands in order; with their parameters where params is set.
func (t *tx) Batch(ctx context.Context, id queue.BatchID, params bool) (*queue.BatchView, error) {
	view := &queue.BatchView{}

	err := t.view(ctx, t.viewSite(&view.Site),
		query{sql: viewBatch, args: []any{t.site, id}, read: func(rows pgx.Rows) error {
			batch := &queue.Batch{ID: id}

			var counts []int64

			err := rows.Scan(&batch.Title, &batch.Author, &batch.CreatedAt, &batch.FinishedAt, &batch.Held, &batch.Version, &counts)
			if err != nil {
				return err //nolint:wrapcheck // Change wraps
			}

			view.Batch = batch
			batch.Counts, err = countsOf(counts)

			return err
		}},
		query{sql: viewBatchCommands, args: []any{t.site, id, params}, read: func(rows pgx.Rows) error {
			cmd, err := readBatchCommand(rows)
			view.Commands = append(view.Commands, cmd)

			return err
		}},
		query{sql: viewBatchNeeds, args: []any{t.site, id}, read: func(rows pgx.Rows) error {
			var need queue.Need

			err := rows.Scan(&need.Command, &need.Creation, (*string)(&need.TempKey))
			view.Needs = append(view.Needs, need)

			return err //nolint:wrapcheck // Change wraps
		}})

	return view, err
}

func readBatchCommand(rows pgx.Rows) (*queue.Command, error) {
	var (
		row    commandRow
		params *json.RawMessage
	)

	if err := rows.Scan(append(row.bareTargets(), &params)...); err != nil {
		return nil, err //nolint:wrapcheck // Change wraps
	}

	if params == nil {
		return row.bare(), nil
	}

	row.Params = *params

	return row.command()
}
