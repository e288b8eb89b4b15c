package db

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// noteRow is a row of notes.
type noteRow struct {
	bun.BaseModel `bun:"table:notes,alias:n"`

	SiteID    int64     `bun:"site_id,pk"`
	Key       string    `bun:"key,pk"`
	Text      string    `bun:"text"`
	Author    string    `bun:"author"`
	UpdatedAt time.Time `bun:"updated_at"`
}

func (r *noteRow) note() (*queue.Note, error) {
	return &queue.Note{Key: queue.Key(r.Key), Text: r.Text, Author: r.Author, UpdatedAt: r.UpdatedAt.UTC()}, nil
}
