package localpg_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

func TestKeepStartsADeadServerAgainUnderTheSameURL(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	server := start(t, localpg.Config{DataDir: dataDir})
	url := server.URL("hub")
	do(t, url, "CREATE TABLE kept ()")

	ctx, cancel := context.WithCancel(t.Context())
	kept := make(chan struct{})

	go func() {
		defer close(kept)

		server.Keep(ctx)
	}()

	for range 2 {
		pid := serverPID(t, dataDir)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}

		eventually(t, "the server is up again", func() bool {
			now := firstLine(filepath.Join(dataDir, "postgres", "postmaster.pid"))
			conn, err := pgx.Connect(t.Context(), url)

			return now != pid && err == nil && conn.Close(t.Context()) == nil
		})
	}

	do(t, url, "TABLE kept")

	if now := server.URL("hub"); now != url {
		t.Errorf("the URL is now %s, was %s", now, url)
	}

	cancel()
	<-kept

	pid := serverPID(t, dataDir)

	closeServer(t, server)
	eventually(t, "the server stops", func() bool { return !lives(pid) })
}

func TestKeepEndsWithTheServersClosing(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	kept := make(chan struct{})

	go func() {
		defer close(kept)

		server.Keep(t.Context())
	}()

	closeServer(t, server)
	<-kept

	if strings.Count(serverLog(t, dataDir), "starting PostgreSQL") != 1 {
		t.Error("a closed server was started again")
	}
}

func TestAFullLogIsMovedAsideAtTheNextStart(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	closeServer(t, start(t, localpg.Config{DataDir: dataDir, Unsafe: true}))

	if err := os.Truncate(filepath.Join(dataDir, "postgres.log"), 9<<20); err != nil {
		t.Fatal(err)
	}

	start(t, localpg.Config{DataDir: dataDir, Unsafe: true})

	if log := serverLog(t, dataDir); len(log) > 1<<20 || !strings.Contains(log, "starting PostgreSQL") {
		t.Errorf("the log has %d bytes", len(log))
	}

	if old, err := os.Stat(filepath.Join(dataDir, "postgres.log.1")); err != nil || old.Size() != 9<<20 {
		t.Errorf("the one before: %v, %v", old, err)
	}
}
