package db

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// FirstSite is the site that a new hub begins with.
const FirstSite = "main"

// FirstTokens are what a new hub is first used with. Nobody can read them again.
type FirstTokens struct{ Operator, Agent string }

// EnsureFirstTokens makes, where the database has never had a token, the site FirstSite and on it an operator's and
// an agent's, named so, and gives them to be shown. Else it does nothing and gives nil. Of any number of hubs that
// start at once exactly one is given them.
func (d *DB) EnsureFirstTokens(ctx context.Context) (*FirstTokens, error) {
	var made *FirstTokens

	err := d.within(ctx, "make the first tokens", func(ctx context.Context) error {
		return d.inTx(ctx, nil, func(ctx context.Context, tx bun.IConn) error {
			var err error
			made, err = d.firstTokens(ctx, tx)

			return err
		})
	})
	if err != nil {
		return nil, err
	}

	return made, nil
}

func (d *DB) firstTokens(ctx context.Context, tx bun.IConn) (*FirstTokens, error) {
	// Nobody adds a token between the look and the commit; who reads them is not held up.
	if _, err := tx.ExecContext(ctx, "LOCK TABLE tokens IN SHARE ROW EXCLUSIVE MODE"); err != nil {
		return nil, err //nolint:wrapcheck // within wraps
	}

	some, err := d.bun.NewSelect().Conn(tx).TableExpr("tokens").Exists(ctx)
	if err != nil || some {
		return nil, err //nolint:wrapcheck // within wraps
	}

	if _, err := d.createSite(ctx, tx, FirstSite); err != nil && queue.CodeOf(err) != queue.Conflict {
		return nil, err
	}

	made := &FirstTokens{Operator: access.NewToken(), Agent: access.NewToken()}

	for _, token := range []NewToken{
		{Site: FirstSite, Name: "operator", Role: access.Operator, Hash: access.Hash(made.Operator)},
		{Site: FirstSite, Name: "agent", Role: access.Agent, Hash: access.Hash(made.Agent)},
	} {
		if err := d.createToken(ctx, tx, token); err != nil {
			return nil, err
		}
	}

	return made, nil
}
