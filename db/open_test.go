package db

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestOpenSaysInOneLineWhatIsWrong(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}

	free := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}

	for name, test := range map[string]struct{ url, want string }{
		"no URL":     {"postgres://ann:geheim@[", "cannot be read"},
		"no port":    {"postgres://ann:geheim@localhost:x/hub", "cannot be read"},
		"no server":  {"postgres://ann:geheim@" + free + "/hub?sslmode=disable", "cannot be reached"},
		"no TLS":     {"postgres://ann:geheim@" + free + "/hub?sslmode=prefer", "cannot be reached"},
		"no socket":  {"postgres:///hub?host=/nowhere/at/all&user=ann&password=geheim", "cannot be reached"},
		"no setting": {"postgres://ann:geheim@localhost/hub?pool_max_conns=many", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Open(t.Context(), test.url, Options{})
			if err == nil {
				d.Close()
				t.Fatal("opened")
			}

			if text := err.Error(); !strings.Contains(text, test.want) || strings.ContainsAny(text, "\n\t") || strings.Contains(text, "geheim") {
				t.Errorf("%q", text)
			} else if strings.Count(text, "connection refused") > 1 {
				t.Errorf("it says the same twice: %q", text)
			}
		})
	}
}

func TestOpenRefusesADatabaseThatCannotHoldEveryCharacter(t *testing.T) {
	server := pgtest.Cluster(t)

	admin, err := pgx.Connect(t.Context(), server.AdminURL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close(context.WithoutCancel(t.Context())) }()

	name := strings.ToLower("latin_" + rand.Text())
	latin := "CREATE DATABASE " + name + " ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
	if _, err := admin.Exec(t.Context(), latin); err != nil {
		t.Fatal(err)
	}

	defer func() {
		if _, err := admin.Exec(context.WithoutCancel(t.Context()), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	}()

	if _, err := Open(t.Context(), server.AdminURL(name), quiet()); err == nil || !strings.Contains(err.Error(), "LATIN1") {
		t.Error(err)
	}
}

func TestEveryConnectionHasItsLimits(t *testing.T) {
	d := opened(t, pgtest.New(t))

	shows := func(ctx context.Context, conn bun.IConn) {
		for name, want := range map[string]string{
			"statement_timeout": "30s", "lock_timeout": "4s", "idle_in_transaction_session_timeout": "30s",
			"application_name": "sdlc-hub", "timezone": "UTC", "jit": "off", "standard_conforming_strings": "on",
		} {
			var got string
			if err := conn.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&got); err != nil || got != want {
				t.Errorf("%s = %s, %v", name, got, err)
			}
		}
	}

	if err := d.reading(t.Context(), "read", func(ctx context.Context, at bun.IConn) error {
		shows(ctx, at)

		return nil
	}); err != nil {
		t.Fatal(err)
	}

	if most := d.pool.Config().MaxConns; most != 20 {
		t.Errorf("%d connections", most)
	}
}

func TestListsLeaveTheCacheOfPreparedStatementsAlone(t *testing.T) {
	options := quiet()
	options.MaxConns = 1

	d, err := Open(t.Context(), migratedURL(t), options)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()

	f := mixed(t, d, "main")
	prepared := func() (names []string) {
		t.Helper()

		rows, err := d.pool.Query(t.Context(), "SELECT statement FROM pg_prepared_statements ORDER BY statement")
		if err != nil {
			t.Fatal(err)
		}

		if names, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			t.Fatal(err)
		}

		return names
	}
	before := prepared()

	for id := range queue.CommandID(20) {
		if _, err := d.CommandsByID(t.Context(), f.site, []queue.CommandID{id}); err != nil {
			t.Fatal(err)
		}

		if _, err := d.CommandList(t.Context(), f.site, queue.CommandFilter{Search: id.String()}, queue.Page{First: 3}); err != nil {
			t.Fatal(err)
		}
	}

	same(t, "prepared statements", prepared(), before...)
}

// silent listens and never says a word, as a server behind a cut cable.
func silent(t *testing.T) string {
	t.Helper()

	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { _ = listener.Close() })

	return "postgres://ann@" + listener.Addr().String() + "/hub?sslmode=disable"
}

// hanging is longer than any limit here, by as much as a busy machine may add to one.
const hanging = time.Minute

func TestOpenGivesUpOnAServerThatSaysNothing(t *testing.T) {
	begun := time.Now()

	if _, err := Open(t.Context(), silent(t), Options{}); err == nil || time.Since(begun) > hanging {
		t.Errorf("%v after %s", err, time.Since(begun))
	}
}

func TestNothingHangsWhileNoConnectionIsFree(t *testing.T) {
	d, err := Open(t.Context(), migratedURL(t), Options{
		MaxConns: 1, Acquire: 50 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()

	// The pool's only connection, taken without the limit: on a busy machine even a free one may be longer in coming.
	conn, err := d.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()

	for name, call := range map[string]func(ctx context.Context) error{
		"a list":   func(ctx context.Context) error { _, err := d.Sites(ctx); return err },
		"the log":  func(ctx context.Context) error { _, err := d.Log(ctx, 1, queue.LogQuery{First: 1}); return err },
		"a lookup": func(ctx context.Context) error { _, err := d.Lookup(ctx, access.Hash("x")); return err },
		"a site":   func(ctx context.Context) error { _, err := d.CreateSite(ctx, "main"); return err },
		"a ping":   d.Ping,
	} {
		begun := time.Now()
		if err := call(t.Context()); queue.CodeOf(err) != queue.Unavailable || time.Since(begun) > hanging {
			t.Errorf("%s: %v after %s", name, err, time.Since(begun))
		}

		gone, cancel := context.WithCancel(t.Context())
		cancel()

		if err := call(gone); !errors.Is(err, context.Canceled) || queue.CodeOf(err) != "" {
			t.Errorf("%s, whose caller has gone: %v", name, err)
		}
	}
}

func TestAReadThatTakesTooLongIsUnavailableAndEndsInTheDatabase(t *testing.T) {
	d, err := Open(t.Context(), pgtest.New(t), Options{Answer: 200 * time.Millisecond, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()

	err = d.reading(t.Context(), "sleep", func(ctx context.Context, at bun.IConn) error {
		_, err := at.ExecContext(ctx, "SELECT pg_sleep(60)")

		return err
	})
	if queue.CodeOf(err) != queue.Unavailable {
		t.Errorf("%v", err)
	}

	const sleeping = `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE '%pg_sleep(60)' AND state = 'active'`

	for running := 1; running > 0; {
		if err := d.pool.QueryRow(t.Context(), sleeping).Scan(&running); err != nil {
			t.Fatal(err)
		}
	}
}

func TestASnapshotSeesOneMomentAndWritesNothing(t *testing.T) {
	d := migrated(t)
	count := func(ctx context.Context, at bun.IConn) (sites int) {
		if err := at.QueryRowContext(ctx, "SELECT count(*) FROM sites").Scan(&sites); err != nil {
			t.Error(err)
		}

		return sites
	}

	err := d.snapshot(t.Context(), "look", func(ctx context.Context, at bun.IConn) error {
		before := count(ctx, at)

		if _, err := d.CreateSite(ctx, "main"); err != nil {
			t.Error(err)
		}

		if after := count(ctx, at); after != before {
			t.Errorf("%d sites, then %d", before, after)
		}

		_, err := at.ExecContext(ctx, "DELETE FROM sites")

		return err
	})
	// Not writable is what a database says during a failover, too.
	refusal, ok := errors.AsType[*pgconn.PgError](err)
	if queue.CodeOf(err) != queue.Unavailable || !ok || refusal.Code != "25006" {
		t.Errorf("%v", err)
	}
}

func TestTheDatabaseIsTakenUpAgainAfterItBrokeOff(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, "main")

	// Several connections, so that some still wait broken in the pool when the first has been noticed.
	held := make([]*pgxpool.Conn, 5)
	for i := range held {
		conn, err := d.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}

		held[i] = conn
	}

	for _, conn := range held {
		conn.Release()
	}

	// The one that asks is broken off as well.
	_, err := d.pool.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() ORDER BY pid = pg_backend_pid()`)
	if err == nil {
		t.Fatal("nothing was broken off")
	}

	for range 2 * len(held) {
		if _, err = d.Queue(t.Context(), f.site); err == nil {
			break
		}

		if queue.CodeOf(err) != queue.Unavailable {
			t.Errorf("%v", err)
		}
	}

	if err != nil {
		t.Errorf("still away: %v", err)
	}
}
