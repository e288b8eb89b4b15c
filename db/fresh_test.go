package db

import (
	"context"
	"log/slog"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

// opened gives the hub's database at a URL, for as long as the test runs.
func opened(t testing.TB, url string) *DB {
	t.Helper()

	d, err := Open(t.Context(), url, quiet())
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(d.Close)

	return d
}

func quiet() Options { return Options{Log: slog.New(slog.DiscardHandler)} }

// migrated gives a fresh database with the schema of today.
func migrated(t testing.TB) *DB {
	t.Helper()

	return opened(t, migratedURL(t))
}

func migratedURL(t testing.TB) string {
	t.Helper()

	return pgtest.FromTemplate(t, "schema", func(ctx context.Context, url string) error {
		d, err := Open(ctx, url, quiet())
		if err != nil {
			return err
		}
		defer d.Close()

		return d.Migrate(ctx)
	})
}

// run executes plain SQL.
func run(t testing.TB, d *DB, sql string, args ...any) {
	t.Helper()

	if _, err := d.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
