package db

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
)

func scratchURL(t testing.TB) string {
	t.Helper()
	admin, err := pgx.Connect(context.Background(), "postgres:///postgres?host=/tmp/dbread/pg&user=postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.Background())
	name := "t" + rand.Text()
	if _, err := admin.Exec(context.Background(), `CREATE DATABASE "`+name+`"`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		admin, err := pgx.Connect(context.Background(), "postgres:///postgres?host=/tmp/dbread/pg&user=postgres")
		if err != nil {
			t.Fatal(err)
		}
		defer admin.Close(context.Background())
		_, _ = admin.Exec(context.Background(), `DROP DATABASE "`+name+`" WITH (FORCE)`)
	})
	return "postgres:///" + name + "?host=/tmp/dbread/pg&user=postgres"
}

// opened gives the hub's database at a URL, for as long as the test runs.
func opened(t testing.TB, url string) *DB {
	t.Helper()

	d, err := Open(t.Context(), url, Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(d.Close)

	return d
}

// migrated gives a fresh database with the schema of today.
func migrated(t testing.TB) *DB {
	t.Helper()

	d := opened(t, scratchURL(t))
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}

	return d
}

// run executes plain SQL.
func run(t testing.TB, d *DB, sql string, args ...any) {
	t.Helper()

	if _, err := d.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
