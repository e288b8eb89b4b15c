package db

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Token is what an operator sees of a token; its text is kept nowhere.
type Token struct {
	Name      string
	Site      string
	Role      access.Role
	CreatedAt time.Time
	// ExpiresAt, LastUsedAt and RevokedAt are nil for never. A last use is exact to a minute.
	ExpiresAt, LastUsedAt, RevokedAt *time.Time
}

// NewToken is a token to be made.
type NewToken struct {
	// Site is the name of the one site it is for.
	Site string
	// Name is 1 to 100 printable characters and stands as author of what its holder does.
	Name string
	Role access.Role
	// Lifetime is how long it is valid, a second to a hundred years; nil: until revoked.
	Lifetime *time.Duration
	Hash     [sha256.Size]byte
}

const (
	maxTokenName = 100

	// A token that ends sooner is of no use; one that is to last longer was mistyped.
	minLifetime = time.Second
	maxLifetime = 100 * 365 * 24 * time.Hour
)

// CreateToken keeps a token. A site that is not there is NotFound, a name that a token bears which was not revoked,
// expired or not, is a Conflict; a name, role or lifetime that is none is Unprocessable.
func (d *DB) CreateToken(ctx context.Context, token NewToken) error {
	if err := token.Check(); err != nil {
		return err
	}

	return d.within(ctx, "create a token", func(ctx context.Context) error {
		return d.inTx(ctx, nil, func(ctx context.Context, tx bun.IConn) error { return d.createToken(ctx, tx, token) })
	})
}

// Check refuses, without asking the database, a name, role or lifetime that is none, as Unprocessable.
func (token *NewToken) Check() error {
	if err := CheckTokenName(token.Name); err != nil {
		return err
	}

	if lifetime := token.Lifetime; lifetime != nil && (*lifetime < minLifetime || *lifetime > maxLifetime) {
		return queue.Refusef(queue.Unprocessable, "a token cannot expire after %s: it is valid for 1s to %.0fh, or until revoked",
			*lifetime, maxLifetime.Hours())
	}

	if _, err := access.ParseRole(string(token.Role)); err != nil {
		return queue.Refusef(queue.Unprocessable, "%s", err.Error())
	}

	return nil
}

// CheckTokenName refuses, without asking the database, what no token can be called, as Unprocessable.
func CheckTokenName(name string) error {
	length := utf8.RuneCountInString(name)
	odd := strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError })

	if odd || length < 1 || length > maxTokenName || strings.TrimSpace(name) != name {
		return queue.Refusef(queue.Unprocessable,
			"%.120q is no name for a token: it has 1 to %d printable characters and no space around it", name, maxTokenName)
	}

	return nil
}

func (d *DB) createToken(ctx context.Context, tx bun.IConn, token NewToken) error {
	var sites []int64

	if storable(token.Site) {
		query := d.bun.NewSelect().Conn(tx).TableExpr("sites AS s").ColumnExpr("s.id").Where("s.name = ?", token.Site)
		if err := scan(ctx, query, &sites); err != nil {
			return err
		}
	}

	if len(sites) == 0 {
		return queue.Refusef(queue.NotFound, "there is no site %.120q", token.Site)
	}

	var seconds *float64

	if token.Lifetime != nil {
		lifetime := token.Lifetime.Seconds()
		seconds = &lifetime
	}

	result, err := d.bun.NewRaw(`
INSERT INTO tokens (site_id, name, role, hash, expires_at)
VALUES (?, ?, ?, ?, clock_timestamp() + make_interval(secs => ?))
ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING`,
		sites[0], token.Name, token.Role, token.Hash[:], seconds).Conn(tx).Exec(ctx)
	if err != nil {
		return err //nolint:wrapcheck // within wraps
	}

	made, err := result.RowsAffected()
	if err == nil && made == 0 {
		return queue.Refusef(queue.Conflict, "there is a token %q already: revoke it, or choose another name", token.Name)
	}

	return err //nolint:wrapcheck // within wraps
}

// RevokeToken ends a token at once; its name is free then. NotFound where no valid or expired token bears the name.
func (d *DB) RevokeToken(ctx context.Context, name string) error {
	if !storable(name) {
		return noToken(name)
	}

	return d.reading(ctx, "revoke a token", func(ctx context.Context, at bun.IConn) error {
		result, err := d.bun.NewUpdate().Conn(at).Model((*tokenRow)(nil)).Set("revoked_at = clock_timestamp()").
			Where("t.name = ? AND t.revoked_at IS NULL", name).Exec(ctx)
		if err != nil {
			return err //nolint:wrapcheck // reading wraps
		}

		revoked, err := result.RowsAffected()
		if err == nil && revoked == 0 {
			return noToken(name)
		}

		return err //nolint:wrapcheck // reading wraps
	})
}

func noToken(name string) error {
	return queue.Refusef(queue.NotFound, "there is no token %.120q", name)
}

// Tokens lists every token, those that were revoked too, by site and name and from the oldest.
func (d *DB) Tokens(ctx context.Context) ([]Token, error) {
	var rows []tokenRow

	err := d.reading(ctx, "list the tokens", func(ctx context.Context, at bun.IConn) error {
		return scan(ctx, d.bun.NewSelect().Conn(at).Model((*tokenRow)(nil)).ExcludeColumn("hash").
			ColumnExpr("s.name AS site").Join("JOIN sites AS s ON s.id = t.site_id").
			OrderExpr("s.name, t.name, t.id"), &rows)
	})
	if err != nil {
		return nil, err
	}

	tokens := make([]Token, len(rows))
	for i := range rows {
		tokens[i] = rows[i].token()
	}

	return tokens, nil
}
