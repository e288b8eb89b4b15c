package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/db"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(out io.Writer) error {
	_, err := fmt.Fprintln(out, version)

	return err //nolint:wrapcheck // nothing to add to a failed print
}

type migrateCommand struct{}

// Run migrates, which opening the database does.
func (migrateCommand) Run(ctx context.Context, out io.Writer, s *settings) error {
	return s.with(ctx, func(database *db.DB) error {
		schema, err := database.SchemaVersion(ctx)
		if err != nil {
			return err
		}

		_, err = fmt.Fprintln(out, "the database has the schema", schema.Version)

		return err //nolint:wrapcheck // nothing to add to a failed print
	})
}

type siteCommand struct {
	Create siteCreateCommand `cmd:"" help:"Make a site."`
}

type siteCreateCommand struct {
	Name string `arg:"" help:"Name of the site: letters, digits, dot, dash and underscore."`
}

// Run makes the site.
func (c siteCreateCommand) Run(ctx context.Context, out io.Writer, s *settings) error {
	if err := db.CheckSiteName(c.Name); err != nil {
		return refusedUsage(err)
	}

	return s.with(ctx, func(database *db.DB) error {
		if _, err := database.CreateSite(ctx, c.Name); err != nil {
			return err
		}

		_, err := fmt.Fprintf(out, "site %s made\n", c.Name)

		return err //nolint:wrapcheck // nothing to add to a failed print
	})
}

type tokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Make a token and print it, this once."`
	List   tokenListCommand   `cmd:"" help:"List the tokens; they themselves are kept nowhere."`
	Revoke tokenRevokeCommand `cmd:"" help:"End a token. Its name is free again."`
}

type tokenCreateCommand struct {
	Role    string         `required:"" enum:"viewer,operator,agent,admin" placeholder:"ROLE" help:"What it may do: viewer, operator, agent or admin."`
	Name    string         `required:"" help:"Name that stands beside all that its holder does."`
	Site    string         `default:"main" help:"Site it is for."`
	Expires *time.Duration `placeholder:"TIME" help:"How long it is valid, such as 720h. Default: until revoked."`
}

// Run prints the new token alone.
func (c tokenCreateCommand) Run(ctx context.Context, out io.Writer, s *settings) error {
	token := access.NewToken()
	wanted := db.NewToken{Site: c.Site, Name: c.Name, Role: access.Role(c.Role), Lifetime: c.Expires, Hash: access.Hash(token)}

	// A mistake is told before a Postgres is started for it.
	if err := cmp.Or(db.CheckSiteName(c.Site), wanted.Check()); err != nil {
		return refusedUsage(err)
	}

	err := s.with(ctx, func(database *db.DB) error {
		// The first site is there from the first command on, also before the first serve.
		if c.Site == db.FirstSite {
			if _, err := database.CreateSite(ctx, c.Site); err != nil && queue.CodeOf(err) != queue.Conflict {
				return err
			}
		}

		return database.CreateToken(ctx, wanted)
	})
	if err != nil {
		return err
	}

	_, err = fmt.Fprintln(out, token)

	return err //nolint:wrapcheck // nothing to add to a failed print
}

type tokenListCommand struct{}

// Run lists the tokens.
func (tokenListCommand) Run(ctx context.Context, out io.Writer, s *settings) error {
	return s.with(ctx, func(database *db.DB) error {
		tokens, err := database.Tokens(ctx)
		if err != nil {
			return err
		}

		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "NAME\tSITE\tROLE\tSTATE\tCREATED\tEXPIRES\tLAST USED")

		for _, token := range tokens {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", token.Name, token.Site, token.Role, state(token),
				token.CreatedAt.Format(time.RFC3339), instant(token.ExpiresAt), instant(token.LastUsedAt))
		}

		return table.Flush()
	})
}

func state(token db.Token) string {
	switch {
	case token.RevokedAt != nil:
		return "revoked"
	case token.ExpiresAt != nil && token.ExpiresAt.Before(time.Now()):
		return "expired"
	default:
		return "valid"
	}
}

func instant(at *time.Time) string {
	if at == nil {
		return "never"
	}

	return at.Format(time.RFC3339)
}

type tokenRevokeCommand struct {
	Name string `arg:"" help:"Name of the token."`
}

// Run ends the token.
func (c tokenRevokeCommand) Run(ctx context.Context, out io.Writer, s *settings) error {
	if err := db.CheckTokenName(c.Name); err != nil {
		return refusedUsage(err)
	}

	return s.with(ctx, func(database *db.DB) error {
		if err := database.RevokeToken(ctx, c.Name); err != nil {
			return err
		}

		_, err := fmt.Fprintf(out, "token %s revoked\n", c.Name)

		return err //nolint:wrapcheck // nothing to add to a failed print
	})
}

// refusedUsage makes a value that the rules refuse a mistake of the command line; a name that is taken or unknown is
// the world's state.
func refusedUsage(err error) error {
	if queue.CodeOf(err) == queue.Unprocessable {
		return &usageError{err}
	}

	return err
}
