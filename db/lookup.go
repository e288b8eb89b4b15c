package db

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/access"
)

var _ access.Tokens = (*DB)(nil)

// whoHas is asked on every request, so it is one statement, prepared, that finds one row by an index.
const whoHas = `
SELECT t.site_id, t.id, t.name, t.role, s.name, t.expires_at, t.revoked_at IS NOT NULL,
	coalesce(t.expires_at <= clock_timestamp(), false),
	coalesce(t.last_used_at < clock_timestamp() - interval '1 minute', true)
FROM tokens t JOIN sites s ON s.id = t.site_id
WHERE t.hash = $1`

// noteUse is asked once a minute and token. Whoever finds the row taken leaves the note to the one that took it.
const noteUse = `
UPDATE tokens SET last_used_at = clock_timestamp()
WHERE (site_id, id) = (
	SELECT site_id, id FROM tokens
	WHERE site_id = $1 AND id = $2 AND coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)
	FOR NO KEY UPDATE SKIP LOCKED
)`

// Lookup finds who a token speaks for; see access.Tokens.
func (d *DB) Lookup(ctx context.Context, hash [sha256.Size]byte) (access.Caller, error) {
	var caller access.Caller

	err := d.within(ctx, "look up a token", func(ctx context.Context) error {
		conn, err := d.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()

		caller, err = d.lookup(ctx, conn.Conn(), hash)

		return err
	})

	return caller, err
}

func (d *DB) lookup(ctx context.Context, conn *pgx.Conn, hash [sha256.Size]byte) (access.Caller, error) {
	var (
		caller                  access.Caller
		id                      int64
		expires                 *time.Time
		revoked, expired, stale bool
	)

	err := conn.QueryRow(ctx, whoHas, hash[:]).Scan(
		&caller.SiteID, &id, &caller.Token, &caller.Role, &caller.Site, &expires, &revoked, &expired, &stale)

	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return access.Caller{}, access.ErrUnknown
	case err != nil:
		return access.Caller{}, err //nolint:wrapcheck // within wraps
	case revoked:
		return access.Caller{}, access.ErrRevoked
	case expired:
		return access.Caller{}, access.ErrExpired
	}

	if expires != nil {
		caller.Expires = expires.UTC()
	}

	if stale {
		// Who is logged in does not hang on this note: a database that only reads for now still knows its tokens.
		if _, err := conn.Exec(ctx, noteUse, caller.SiteID, id); err != nil {
			d.log.WarnContext(ctx, "the last use of a token was not noted", "token", caller.Token, "error", err)
		}
	}

	return caller, nil
}
