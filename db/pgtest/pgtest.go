package pgtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// cleanupTime bounds the dropping of a test's database.
const cleanupTime = 30 * time.Second

// New gives the URL of an empty database of the test's own, which is dropped when the test has
// ended, with whatever connections are still open. The role owns the database and is no superuser,
// as in production.
func New(t testing.TB) string {
	t.Helper()

	return database(t, join(t), "template1")
}

// FromTemplate is like [New] with a copy of what prepare made, such as a migrated schema. prepare
// runs once a process for each name, on a database of its own; where it fails, every test that asks
// for that name fails. It must have closed its connections when it returns.
func FromTemplate(t testing.TB, name string, prepare func(ctx context.Context, url string) error) string {
	t.Helper()

	cluster := join(t)

	template, err := cluster.template(t.Context(), name, prepare)
	if err != nil {
		t.Fatalf("pgtest: template %s: %v", name, err)
	}

	return database(t, cluster, template)
}

// Cluster is the server that the databases are on: for tests that need a superuser
// ([localpg.Server.AdminURL]) or its version. It is shared with other packages' tests; a test that
// stops or disturbs its server starts one of its own with [localpg.Start].
func Cluster(t testing.TB) *localpg.Server {
	t.Helper()

	return join(t).server
}

// database makes a copy of the template that the test owns.
func database(t testing.TB, cluster *cluster, template string) string {
	t.Helper()

	name := cluster.name("test")

	if err := cluster.exec(t.Context(), "CREATE DATABASE "+quote(name)+" OWNER hub TEMPLATE "+quote(template)); err != nil {
		t.Fatalf("pgtest: %v", err)
	}

	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), cleanupTime)
		defer cancel()

		if err := cluster.exec(ctx, "DROP DATABASE IF EXISTS "+quote(name)+" WITH (FORCE)"); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})

	return cluster.server.URL(name)
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// exec runs a statement as the superuser, over a connection of its own: a shared one would make
// parallel tests wait for each other.
func (c *cluster) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, c.server.AdminURL("postgres"))
	if err != nil {
		return fmt.Errorf("connect to the test cluster: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // Nothing is lost with it.

	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}

	return nil
}
