package db

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// bareColumns are a command without its parameters, for bareTargets.
const bareColumns = `c.id, c.batch_id, c.position, c.kind, c.temp_key, c.dedupe_key::text, c.chain, c.retry_of,
	c.created_at, c.status, c.waiting, c.error, c.result_key, c.deliveries, c.progress_done, c.progress_total,
	c.progress_at, c.claimed_at, c.finished_at, c.root_cause`

func (r *commandRow) bareTargets() []any {
	return []any{
		&r.ID, &r.BatchID, &r.Position, &r.Kind, &r.TempKey, &r.DedupeKey, &r.Chain, &r.RetryOf,
		&r.CreatedAt, &r.Status, &r.Waiting, &r.Error, &r.ResultKey, &r.Deliveries, &r.ProgressDone, &r.ProgressTotal,
		&r.ProgressAt, &r.ClaimedAt, &r.FinishedAt, &r.RootCause,
	}
}

// readCounts makes a batch that knows its counts alone.
func readCounts(id int64, version int64, stored []int64) (*queue.Batch, error) {
	counts, err := countsOf(stored)

	return &queue.Batch{ID: queue.BatchID(id), Version: version, Counts: counts}, err
}

// latestCounts joins the counts of a command's batch.
const latestCounts = `
JOIN LATERAL (
	SELECT version, counts FROM batch_counts WHERE site_id = $1 AND batch_id = c.batch_id ORDER BY version DESC LIMIT 1
) bc ON true`

// realKeys joins the temporary keys that a command names and the real ones behind them.
const realKeys = `
CROSS JOIN LATERAL (
	SELECT array_agg(r.temp_key) AS temp, array_agg(m.result_key) AS made
	FROM command_refs r JOIN commands m ON m.site_id = $1 AND m.id = r.creation_id
	WHERE r.site_id = $1 AND r.command_id = c.id
) k`

// heldColumns are what a heldRow reads.
const heldColumns = bareColumns + `, c.params, bc.version, bc.counts, k.temp, k.made`

const (
	// firstReady is the first command that waits for nothing. The search begins where the site says, so that it never
	// reads what was worked off.
	firstReady = `(
	SELECT r.id FROM commands r
	WHERE r.site_id = $1 AND r.status = 'queued' AND r.waiting = 0 AND r.id >= st.ready_from ORDER BY r.id LIMIT 1
)`

	viewHeldOf = `
SELECT ` + siteColumns + `, ` + heldColumns + fromSite + `
LEFT JOIN (commands c` + latestCounts + realKeys + `) ON c.site_id = $1 AND c.id = `

	viewClaim = viewHeldOf + `CASE WHEN st.in_hand <> 0 THEN st.in_hand ELSE ` + firstReady + ` END WHERE s.id = $1`
	viewReady = viewHeldOf + firstReady + ` WHERE s.id = $1`
)

// Claim gives what a claim decides on.
func (t *tx) Claim(ctx context.Context) (*queue.ClaimView, error) {
	view := &queue.ClaimView{Batches: map[queue.BatchID]*queue.Batch{}, Real: map[queue.CommandID]map[queue.Key]queue.Key{}}

	return view, t.addHeld(ctx, viewClaim, &view.Site, view)
}

// Ready adds the first command that waits for nothing to a view that has one in hand instead.
func (t *tx) Ready(ctx context.Context, view *queue.ClaimView) error {
	var again queue.Site // the one of the view has been decided on already

	return t.addHeld(ctx, viewReady, &again, view)
}

// addHeld reads the site and the command that the statement joins to it.
func (t *tx) addHeld(ctx context.Context, sql string, site *queue.Site, view *queue.ClaimView) error {
	var held heldRow

	return t.view(ctx, t.viewWith(site, sql, []any{t.site}, held.targets, func() error {
		cmd, batch, real, err := held.read()
		if err != nil {
			return err
		}

		if _, known := view.Batches[batch.ID]; !known {
			view.Batches[batch.ID] = batch
		}

		view.Real[cmd.ID] = real

		if cmd.Status == queue.Claimed {
			view.InHand = cmd
		} else {
			view.Ready = cmd
		}

		return nil
	}))
}

// heldRow is a command with its parameters, its batch's counts and its real keys.
type heldRow struct {
	row        commandRow
	params     json.RawMessage
	version    int64
	counts     []int64
	temp, made []*string
}

// targets are where heldColumns go, of a row that nothing of the one before is left in.
func (r *heldRow) targets() []any {
	*r = heldRow{}

	return append(r.row.bareTargets(), &r.params, &r.version, &r.counts, &r.temp, &r.made)
}

func (r *heldRow) read() (*queue.Command, *queue.Batch, map[queue.Key]queue.Key, error) {
	r.row.Params = r.params

	cmd, err := r.row.command()
	if err != nil {
		return nil, nil, nil, err
	}

	batch, err := readCounts(r.row.BatchID, r.version, r.counts)
	if err != nil {
		return nil, nil, nil, err
	}

	real := map[queue.Key]queue.Key{}

	for i, key := range r.made {
		if key != nil && r.temp[i] != nil {
			real[queue.Key(*r.temp[i])] = queue.Key(*key)
		}
	}

	return cmd, batch, real, nil
}

const (
	viewCommands = `
SELECT ` + bareColumns + ` FROM commands c WHERE c.site_id = $1 AND c.id = ANY($2)`

	viewCommandBatches = `
SELECT c.batch_id, bc.version, bc.counts
FROM (SELECT DISTINCT batch_id FROM commands WHERE site_id = $1 AND id = ANY($2)) c` + latestCounts

	// viewCommand is both for a single one, as nearly every report wants.
	viewCommand = `
SELECT ` + siteColumns + `, ` + bareColumns + `, bc.version, bc.counts` + fromSite + `
LEFT JOIN (commands c` + latestCounts + `) ON c.site_id = $1 AND c.id = $2
WHERE s.id = $1`
)

// Commands gives commands by id, without their parameters, with their batches.
func (t *tx) Commands(ctx context.Context, ids []queue.CommandID) (*queue.CommandsView, error) {
	view := &queue.CommandsView{
		Commands: map[queue.CommandID]*queue.Command{}, Batches: map[queue.BatchID]*queue.Batch{},
	}

	if len(ids) == 1 {
		if known := t.known.commands(t, ids[0]); known != nil {
			return known, nil
		}

		return view, t.view(ctx, t.viewCommand(view, ids[0]))
	}

	err := t.view(ctx, t.viewSite(&view.Site),
		query{sql: viewCommands, args: []any{t.site, ids}, read: func(rows pgx.Rows) error {
			var row commandRow
			if err := rows.Scan(row.bareTargets()...); err != nil {
				return err //nolint:wrapcheck // Change wraps
			}

			cmd := row.bare()
			view.Commands[cmd.ID] = cmd

			return nil
		}},
		query{sql: viewCommandBatches, args: []any{t.site, ids}, read: func(rows pgx.Rows) error {
			batch, err := readBatchCounts(rows)
			if err == nil {
				view.Batches[batch.ID] = batch
			}

			return err
		}})

	return view, err
}

func (t *tx) viewCommand(view *queue.CommandsView, id queue.CommandID) query {
	var (
		row     commandRow
		version int64
		counts  []int64
	)

	return t.viewWith(&view.Site, viewCommand, []any{t.site, id},
		func() []any { return append(row.bareTargets(), &version, &counts) },
		func() error {
			batch, err := readCounts(row.BatchID, version, counts)
			if err != nil {
				return err
			}

			view.Commands[id] = row.bare()
			view.Batches[batch.ID] = batch

			return nil
		})
}

func readBatchCounts(rows pgx.Rows) (*queue.Batch, error) {
	var (
		id, version int64
		counts      []int64
	)

	if err := rows.Scan(&id, &version, &counts); err != nil {
		return nil, err //nolint:wrapcheck // Change wraps
	}

	return readCounts(id, version, counts)
}

const (
	viewWaiting = `
SELECT r.creation_id, r.temp_key, ` + bareColumns + `
FROM command_refs r JOIN commands c ON c.site_id = $1 AND c.id = r.command_id AND c.status = 'queued'
WHERE r.site_id = $1 AND r.creation_id = ANY($2)
ORDER BY r.creation_id, r.command_id`

	// viewWaitingDeep goes down through the creations that wait themselves.
	viewWaitingDeep = `
WITH RECURSIVE fallen AS (
	SELECT unnest($2::bigint[]) AS id
	UNION
	SELECT d.id FROM fallen f
	JOIN command_refs r ON r.site_id = $1 AND r.creation_id = f.id
	JOIN commands d ON d.site_id = $1 AND d.id = r.command_id AND d.kind = 'ensure_issue' AND d.status = 'queued'
)
SELECT r.creation_id, r.temp_key, ` + bareColumns + `
FROM fallen f
JOIN command_refs r ON r.site_id = $1 AND r.creation_id = f.id
JOIN commands c ON c.site_id = $1 AND c.id = r.command_id AND c.status = 'queued'
ORDER BY r.creation_id, r.command_id`
)

// Waiting gives the queued commands that wait for these creations; deep goes all the way down.
func (t *tx) Waiting(ctx context.Context, creations []queue.CommandID, deep bool) (*queue.WaitingView, error) {
	view := &queue.WaitingView{Commands: map[queue.CommandID]*queue.Command{}}

	sql := viewWaiting
	if deep {
		sql = viewWaitingDeep
	}

	err := t.view(ctx, query{sql: sql, args: []any{t.site, creations}, read: func(rows pgx.Rows) error {
		var (
			row     commandRow
			need    queue.Need
			tempKey string
		)

		if err := rows.Scan(append([]any{&need.Creation, &tempKey}, row.bareTargets()...)...); err != nil {
			return err //nolint:wrapcheck // Change wraps
		}

		need.Command, need.TempKey = queue.CommandID(row.ID), queue.Key(tempKey)
		view.Needs = append(view.Needs, need)

		if view.Commands[need.Command] == nil {
			view.Commands[need.Command] = row.bare()
		}

		return nil
	}})

	return view, err
}

const viewChains = `
SELECT chain.id, max(c.id), max(c.result_key)
FROM unnest($2::bigint[]) AS chain (id)
JOIN LATERAL (
	SELECT o.id, o.result_key FROM commands o WHERE o.site_id = $1 AND o.id = chain.id
	UNION ALL
	SELECT r.id, r.result_key FROM commands r WHERE r.site_id = $1 AND r.chain = chain.id AND r.retry_of IS NOT NULL
) c ON true
GROUP BY chain.id`

// Chains gives what became of these retry chains.
func (t *tx) Chains(ctx context.Context, chains []queue.CommandID) (map[queue.CommandID]queue.ChainView, error) {
	view := map[queue.CommandID]queue.ChainView{}

	err := t.view(ctx, query{sql: viewChains, args: []any{t.site, chains}, read: func(rows pgx.Rows) error {
		var (
			chain queue.CommandID
			found queue.ChainView
			made  *string
		)

		if err := rows.Scan(&chain, &found.Newest, &made); err != nil {
			return err //nolint:wrapcheck // Change wraps
		}

		found.Real = queue.Key(orZero(made))
		view[chain] = found

		return nil
	}})

	return view, err
}
