package db

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// agentRow is a row of agents beside the seat of its site, at one moment.
type agentRow struct {
	Name        string    `bun:"name"`
	Instance    string    `bun:"instance"`
	Version     *string   `bun:"version"`
	Problem     *string   `bun:"problem"`
	LastSeenAt  time.Time `bun:"last_seen_at"`
	ClaimNumber int64     `bun:"claim_number"`

	Now              time.Time  `bun:"now"`
	InHand           int64      `bun:"in_hand"`
	SeatInstance     string     `bun:"seat_instance"`
	SeatSeenAt       *time.Time `bun:"seat_seen_at"`
	SeatPauseSeconds int        `bun:"seat_pause_seconds"`
}

// maxAgents bounds the list, should something start a new instance every minute.
const maxAgents = 1000

// agentsOfTheWeek lists those seen since a week, the seat's holder by the seat's own time, which is the newer one.
const agentsOfTheWeek = `
SELECT a.name, a.instance, a.version, a.problem, a.last_seen_at, a.claim_number,
	clock_timestamp() AS now, st.in_hand, st.seat_instance,
	nullif(st.seat_seen_at, '-infinity') AS seat_seen_at, st.seat_pause_seconds
FROM sites AS s
` + newestState + `
JOIN agents AS a ON a.site_id = s.id
WHERE s.id = ? AND clock_timestamp() - interval '7 days' <
	CASE WHEN a.instance = st.seat_instance THEN greatest(a.last_seen_at, st.seat_seen_at) ELSE a.last_seen_at END
ORDER BY a.last_seen_at DESC, a.name, a.instance
LIMIT ?`

// Agents lists those seen in the last week, the last seen first.
func (d *DB) Agents(ctx context.Context, site queue.SiteID) ([]*queue.Agent, error) {
	var rows []agentRow

	err := d.reading(ctx, "list the agents", func(ctx context.Context, at bun.IConn) error {
		return d.bun.NewRaw(agentsOfTheWeek, site, maxAgents).Conn(at).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, err
	}

	agents := make([]*queue.Agent, len(rows))
	seatFree := true

	for i := range rows {
		// Of two tokens with instances of one name, the last seen is the one in the seat.
		holds := seatFree && rows[i].SeatInstance != "" && rows[i].Instance == rows[i].SeatInstance
		seatFree = seatFree && !holds
		agents[i] = rows[i].agent(holds, d.options.Seat)
	}

	slices.SortStableFunc(agents, func(a, b *queue.Agent) int {
		return cmp.Or(b.LastSeenAt.Compare(a.LastSeenAt), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Instance, b.Instance))
	})

	return agents, nil
}

// agent tells how it stands; the one that holds the seat is online as long as the seat is its.
func (r *agentRow) agent(holds bool, seat time.Duration) *queue.Agent {
	seen, keep := r.LastSeenAt, seat

	if holds {
		if at := orZero(r.SeatSeenAt); at.After(seen) {
			seen = at
		}

		if r.InHand != 0 {
			keep += time.Duration(r.SeatPauseSeconds) * time.Second
		}
	}

	return &queue.Agent{
		Name:        r.Name,
		Instance:    r.Instance,
		Version:     r.Version,
		LastSeenAt:  seen.UTC(),
		Online:      r.Now.Before(seen.Add(keep)),
		Problem:     r.Problem,
		ClaimNumber: r.ClaimNumber,
	}
}
