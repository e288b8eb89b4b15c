package db

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// tokenRow is a row of tokens with its site's name.
type tokenRow struct {
	bun.BaseModel `bun:"table:tokens,alias:t"`

	SiteID     int64      `bun:"site_id"`
	Name       string     `bun:"name"`
	Role       string     `bun:"role"`
	Hash       []byte     `bun:"hash"`
	CreatedAt  time.Time  `bun:"created_at"`
	ExpiresAt  *time.Time `bun:"expires_at"`
	LastUsedAt *time.Time `bun:"last_used_at"`
	RevokedAt  *time.Time `bun:"revoked_at"`

	Site string `bun:"site,scanonly"`
}

func (r *tokenRow) token() Token {
	return Token{
		Name:       r.Name,
		Site:       r.Site,
		Role:       access.Role(r.Role),
		CreatedAt:  r.CreatedAt.UTC(),
		ExpiresAt:  inUTC(r.ExpiresAt),
		LastUsedAt: inUTC(r.LastUsedAt),
		RevokedAt:  inUTC(r.RevokedAt),
	}
}
