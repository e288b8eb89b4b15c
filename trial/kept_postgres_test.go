package trial

import (
	"context"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// keptPostgres is a Postgres for several hubs, which is started again whenever it ends.
type keptPostgres struct {
	t         *testing.T
	data, url string
}

func startKeptPostgres(t *testing.T) *keptPostgres {
	t.Helper()

	// It does not wait for the disk, which outlives it; but what it says is committed must outlive it too.
	server, err := localpg.Start(t.Context(), localpg.Config{
		DataDir: openFolder(t), Unsafe: true, Settings: map[string]string{"synchronous_commit": "on"},
	})
	if err != nil {
		t.Fatal(err)
	}

	ctx, stop := context.WithCancel(context.Background())

	var keeping sync.WaitGroup

	keeping.Go(func() { server.Keep(ctx) })

	t.Cleanup(func() {
		stop()
		keeping.Wait()

		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})

	return &keptPostgres{t: t, data: server.DataDir(), url: server.URL(localpg.Database)}
}

// stopAtOnce ends it as `pg_ctl stop -m immediate` does, in the middle of whatever it does, and waits until there is
// another.
func (k *keptPostgres) stopAtOnce() {
	k.t.Helper()

	was, err := postmasterOf(k.data)
	if err != nil {
		k.t.Fatal(err)
	}

	if err := syscall.Kill(was.pid, syscall.SIGQUIT); err != nil {
		k.t.Fatal(err)
	}

	await(k.t, "Postgres is back", func() bool {
		if now, err := postmasterOf(k.data); err != nil || now.pid == was.pid {
			return false
		}

		conn, err := pgx.Connect(k.t.Context(), k.url)
		if err != nil {
			return false
		}

		return conn.Close(k.t.Context()) == nil
	})
}
