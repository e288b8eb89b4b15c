package db

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// siteRow is a row of sites with the newest of its site_states.
type siteRow struct {
	bun.BaseModel `bun:"table:sites,alias:s"`

	ID        int64           `bun:"id,pk"`
	Name      string          `bun:"name"`
	CreatedAt time.Time       `bun:"created_at"`
	LogMark   int64           `bun:"log_mark"`
	Pace      json.RawMessage `bun:"pace"`
	Jira      json.RawMessage `bun:"jira"`

	Head     int64   `bun:"head,scanonly"`
	HeadMark int64   `bun:"head_mark,scanonly"`
	Counts   []int64 `bun:"counts,array,scanonly"`
}

func (r *siteRow) head() queue.Cursor { return queue.Cursor{Seq: r.Head, Mark: r.HeadMark} }

func (r *siteRow) pace() (queue.Pace, error) {
	var pace queue.Pace
	if err := decodeJSON(r.Pace, &pace); err != nil {
		return pace, fmt.Errorf("pace of site %d: %w", r.ID, err)
	}

	if pace.PausedAt != nil {
		pace.PausedAt = inUTC(pace.PausedAt)
	}

	return pace, nil
}

// jira is what the agent told; nil before it did.
func (r *siteRow) jira() (*queue.Jira, error) {
	if len(r.Jira) == 0 {
		return nil, nil
	}

	var jira queue.Jira
	if err := decodeJSON(r.Jira, &jira); err != nil {
		return nil, fmt.Errorf("what site %d knows of its Jira: %w", r.ID, err)
	}

	jira.ToldAt = jira.ToldAt.UTC()

	return &jira, nil
}
