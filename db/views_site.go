package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// A view that begins with the site reads it in the same statement as the rest: siteColumns first, of fromSite.
const (
	siteColumns = `s.pace, clock_timestamp(), st.version, st.head, st.head_mark, st.counts, st.batches,
	st.issues, st.notes, st.in_hand, st.ready_from,
	st.failures_in_row, st.claim_number, st.seat_instance, st.seat_seen_at, st.seat_pause_seconds,
	st.seat_claim_number, st.seat_noted_at`

	fromSite = `
FROM sites s
CROSS JOIN LATERAL (
	SELECT version, head, head_mark, counts, batches, issues, notes, in_hand, ready_from, failures_in_row, claim_number,
		seat_instance, seat_seen_at, seat_pause_seconds, seat_claim_number, seat_noted_at
	FROM site_states WHERE site_id = s.id ORDER BY version DESC LIMIT 1
) st`

	viewSite = `SELECT ` + siteColumns + fromSite + ` WHERE s.id = $1`
)

// siteTargets are where siteColumns go.
type siteTargets struct {
	pace   json.RawMessage
	counts []int64
}

func (r *siteTargets) of(t *tx, site *queue.Site) []any {
	seat := &site.Seat

	return []any{
		&r.pace, &site.Now, &site.Version, &site.Head, &t.headMark, &r.counts, &site.Totals.Batches,
		&site.Totals.Issues, &site.Totals.Notes, &site.InHand, &site.ReadyFrom,
		&site.FailuresInRow, &site.ClaimNumber, &seat.Instance, &seat.SeenAt, &seat.PauseSeconds,
		&seat.ClaimNumber, &seat.NotedAt,
	}
}

// read takes over what stands in the targets.
func (r *siteTargets) read(t *tx, site *queue.Site) error {
	site.ID = t.site
	site.Now = site.Now.UTC()
	t.version, t.viewed, t.viewedAt = site.Version, site, time.Now()

	var err error
	if site.Counts, err = countsOf(r.counts); err != nil {
		return err
	}

	return decodeJSON(r.pace, &site.Pace)
}

// viewSite reads the locked site.
func (t *tx) viewSite(site *queue.Site) query {
	return t.viewWith(site, viewSite, []any{t.site}, func() []any { return nil }, func() error { return nil })
}

// viewWith reads the locked site and, of the same rows, what a view joins to it: further gives where the columns after
// the site's go, and each takes them over; neither is called for a row that has nothing joined, whose first such column
// is null.
func (t *tx) viewWith(site *queue.Site, sql string, args []any, further func() []any, each func() error) query {
	return query{sql: sql, args: args, read: func(rows pgx.Rows) error {
		var own siteTargets

		targets := own.of(t, site)
		values := rows.RawValues()
		joined := len(values) > len(targets) && values[len(targets)] != nil

		if joined {
			targets = append(targets, further()...)
		}

		if err := scanRow(t.conn.Conn(), sql, rows, targets); err != nil {
			return err
		}

		if err := own.read(t, site); err != nil || !joined {
			return err
		}

		return each()
	}}
}

// Site gives the site alone.
func (t *tx) Site(ctx context.Context) (*queue.Site, error) {
	site := &queue.Site{}

	return site, t.view(ctx, t.viewSite(site))
}

const viewAgent = `
SELECT version, problem, last_seen_at, claim_number FROM agents WHERE site_id = $1 AND name = $2 AND instance = $3`

// Agent gives what is known of an agent; nil where nothing is.
func (t *tx) Agent(ctx context.Context, name, instance string) (*queue.Agent, error) {
	var agent *queue.Agent

	err := t.view(ctx, query{sql: viewAgent, args: []any{t.site, name, instance}, read: func(rows pgx.Rows) error {
		agent = &queue.Agent{Name: name, Instance: instance}

		return rows.Scan(&agent.Version, &agent.Problem, &agent.LastSeenAt, &agent.ClaimNumber)
	}})

	return agent, err
}

// Jira gives what the agent told of its Jira; nil before it did.
func (t *tx) Jira(ctx context.Context) (*queue.Jira, error) {
	var jira *queue.Jira

	err := t.view(ctx, query{
		sql: `SELECT jira FROM sites WHERE id = $1 AND jira IS NOT NULL`, args: []any{t.site},
		read: func(rows pgx.Rows) error {
			var raw json.RawMessage
			if err := rows.Scan(&raw); err != nil {
				return err //nolint:wrapcheck // Change wraps
			}

			jira = &queue.Jira{}

			return decodeJSON(raw, jira)
		},
	})

	return jira, err
}
