package pgtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

func TestMain(m *testing.M) {
	if how, ok := os.LookupEnv(childVariable); ok {
		beTestProcess(m, how)
	}

	goleak.VerifyTestMain(m)
}

func TestEveryTestGetsAnEmptyDatabaseThatIsDroppedAfterIt(t *testing.T) {
	t.Parallel()

	var first, second string

	t.Run("first", func(t *testing.T) {
		// A connection that is still open when the database is dropped: cleanups run last first.
		var forgotten *pgx.Conn

		t.Cleanup(func() { _ = forgotten.Close(context.WithoutCancel(t.Context())) })

		first = pgtest.New(t)
		do(t, first, "CREATE TABLE mine ()")

		forgotten = connect(t, first)
	})

	t.Run("second", func(t *testing.T) {
		second = pgtest.New(t)
		if tables := ask(t, second, "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'"); tables != "0" {
			t.Errorf("it has %s tables", tables)
		}

		if who := ask(t, second, "SELECT current_user || ' ' || rolsuper FROM pg_roles WHERE rolname = current_user"); who != "hub false" {
			t.Errorf("it is used as %q", who)
		}
	})

	for _, url := range []string{first, second} {
		_, err := pgx.Connect(t.Context(), url)
		if err == nil || !strings.Contains(err.Error(), "does not exist") {
			t.Errorf("%s is still there: %v", url, err)
		}
	}
}

func TestATemplateIsPreparedOnceAndEveryTestGetsItsOwnCopy(t *testing.T) {
	t.Parallel()

	var prepared atomic.Int64

	prepare := func(ctx context.Context, url string) error {
		prepared.Add(1)

		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return fmt.Errorf("connect: %w", err)
		}

		_, err = conn.Exec(ctx, "CREATE TABLE words AS SELECT 'prepared' AS word")

		return errors.Join(err, conn.Close(ctx))
	}

	t.Run("copies", func(t *testing.T) {
		for i := range 8 {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()

				url := pgtest.FromTemplate(t, "words", prepare)
				if words := ask(t, url, "SELECT string_agg(word, ',') FROM words"); words != "prepared" {
					t.Errorf("it holds %q", words)
				}

				do(t, url, fmt.Sprintf("INSERT INTO words VALUES ('of %d')", i))
			})
		}
	})

	if n := prepared.Load(); n != 1 {
		t.Errorf("it was prepared %d times", n)
	}
}

// failing is a test that notes that it failed instead of failing.
type failing struct {
	testing.TB

	said string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)

	panic(f)
}

func TestATemplateThatCannotBePreparedFailsEveryTestThatAsksForIt(t *testing.T) {
	t.Parallel()

	prepared := 0

	for range 2 {
		asking := &failing{TB: t}

		func() {
			defer func() { _ = recover() }()

			pgtest.FromTemplate(asking, "broken", func(context.Context, string) error {
				prepared++

				return errors.New("no such migration")
			})
		}()

		if !strings.Contains(asking.said, "broken: prepare: no such migration") {
			t.Errorf("it said %q", asking.said)
		}
	}

	if prepared != 1 {
		t.Errorf("it was tried %d times", prepared)
	}
}

func TestTheClusterTakesManyConnections(t *testing.T) {
	t.Parallel()

	cluster := pgtest.Cluster(t)

	for name, want := range map[string]string{"max_connections": "400", "fsync": "off", "is_superuser": "on"} {
		if got := ask(t, cluster.AdminURL("postgres"), "SHOW "+name); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// Told, not judged: it is the file system's time, and others use the machine.
func TestHowLongADatabaseTakes(t *testing.T) {
	prepare := func(ctx context.Context, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return fmt.Errorf("connect: %w", err)
		}

		_, err = conn.Exec(ctx, "CREATE TABLE numbers AS SELECT generate_series(1, 1000) AS n")

		return errors.Join(err, conn.Close(ctx))
	}

	const rounds = 20

	for what, get := range map[string]func(testing.TB) string{
		"an empty one": pgtest.New,
		"a copy":       func(t testing.TB) string { t.Helper(); return pgtest.FromTemplate(t, "numbers", prepare) },
	} {
		begun := time.Now()

		for range rounds {
			t.Run("one", func(t *testing.T) { get(t) })
		}

		t.Logf("%s takes %v, dropping included", what, time.Since(begun)/rounds)
	}
}

func do(t *testing.T, url, statement string) {
	t.Helper()

	conn := connect(t, url)
	defer conn.Close(t.Context()) //nolint:errcheck // Not what is tested.

	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func ask(t *testing.T, url, query string) string {
	t.Helper()

	conn := connect(t, url)
	defer conn.Close(t.Context()) //nolint:errcheck // Not what is tested.

	var value string
	if err := conn.QueryRow(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}

	return value
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()

	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}

	return conn
}
