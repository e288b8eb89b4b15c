package db

import (
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// batchRow is a row of batches with the newest of its batch_counts.
type batchRow struct {
	bun.BaseModel `bun:"table:batches,alias:b"`

	SiteID     int64      `bun:"site_id,pk"`
	ID         int64      `bun:"id,pk"`
	Title      *string    `bun:"title"`
	Author     string     `bun:"author"`
	CreatedAt  time.Time  `bun:"created_at"`
	FinishedAt *time.Time `bun:"finished_at"`
	Held       bool       `bun:"held"`

	Version int64   `bun:"version,scanonly"`
	Counts  []int64 `bun:"counts,array,scanonly"`
}

func (r *batchRow) batch() (*queue.Batch, error) {
	counts, err := countsOf(r.Counts)
	if err != nil {
		return nil, fmt.Errorf("batch %d: %w", r.ID, err)
	}

	return &queue.Batch{
		ID:         queue.BatchID(r.ID),
		Title:      r.Title,
		Author:     r.Author,
		CreatedAt:  r.CreatedAt.UTC(),
		FinishedAt: inUTC(r.FinishedAt),
		Held:       r.Held,
		Counts:     counts,
		Version:    r.Version,
	}, nil
}

// countsOf reads counts, which are stored in the order of queue.Statuses.
func countsOf(stored []int64) (queue.Counts, error) {
	var counts queue.Counts

	statuses := queue.Statuses()
	if len(stored) != len(statuses) {
		return counts, fmt.Errorf("%d counts where there are %d statuses", len(stored), len(statuses))
	}

	for i, status := range statuses {
		*counts.Of(status) = int(stored[i])
	}

	return counts, nil
}
