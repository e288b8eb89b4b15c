package trial

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// SIGTERM comes while one agent waits for work and a large batch is being written: the agent is told that there is
// nothing now, the batch is written and answered for, and the hub ends with 0 in time.
func TestSIGTERMDuringALongPollAndARunningCreateBatch(t *testing.T) {
	t.Parallel()

	data := filepath.Join(openFolder(t), "data")
	at := overData(t, data)
	h := at.serve(t)

	idle, busy := twoSites(t, at)
	defer idle.close()
	defer busy.close()

	watcher, err := connectBeside(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close(context.Background()) //nolint:errcheck // nothing was written

	// Whoever holds the site's row keeps the batch from being written, and so running for as long as is wanted.
	holder := holdSite(t, data, busy.name)

	const long = 55

	var polled claimAnswer

	poll := make(chan error, 1)

	go func() {
		poll <- idle.agent.ask(t.Context(), claimNext, vars{"instance": agentInstance, "waitSeconds": long}, &polled)
	}()

	const size = 10_000

	var created madeAnswer

	create := make(chan error, 1)

	go func() {
		create <- busy.operator.ask(t.Context(), createLarge, vars{"input": largeBatch(size)}, &created)
	}()

	await(t, "the long poll has its number", func() bool { return claimNumber(t, watcher, idle.name) > 0 })
	await(t, "createBatch waits for the site", func() bool { return waitingForLocks(t, watcher) > 0 })

	terminated := make(chan error, 1)

	go func() {
		took, err := h.end()
		t.Logf("ended %s after SIGTERM", took)

		terminated <- err
	}()

	if err := <-poll; err != nil || polled.Claim != nil || polled.IdleReason == nil || *polled.IdleReason != "EMPTY" {
		t.Errorf("the long poll was answered with %+v: %v", polled, err)
	}

	if len(create) > 0 || len(terminated) > 0 {
		t.Error("the batch, or the hub, ended before the long poll was answered")
	}

	if err := holder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	if err := <-create; err != nil || created.Batch.Counts.Total != size {
		t.Errorf("the running createBatch was answered with %+v: %v", created.Batch, err)
	}

	was, err := postmasterOf(data)
	if err != nil {
		t.Fatal(err)
	}

	if err := <-terminated; err != nil {
		t.Error(err)
	}

	nobodyLeft(t, data, was)

	again := at.serve(t)

	var kept batchAnswer
	if err := busy.operator.ask(t.Context(), queryBatch, vars{"id": created.Batch.ID}, &kept); err != nil || kept.Counts.Total != size {
		t.Errorf("after the restart the batch is %+v: %v", kept, err)
	}

	again.endGently(t)
}

func twoSites(t *testing.T, at setting) (idle, busy *site) {
	t.Helper()

	sites, err := newSites(t.Context(), at, []string{"idle", "busy"}, "operator", "agent")
	if err != nil {
		t.Fatal(err)
	}

	return sites[0], sites[1]
}

func largeBatch(size int) vars {
	commands := make(list, size)
	for i := range commands {
		commands[i] = vars{"ensureComment": vars{"key": "AURORA-" + strconv.Itoa(1+i), "body": "a"}}
	}

	return vars{"title": "Large", "commands": commands}
}

// holdSite locks a site's row on a connection of its own; closing that lets go of it.
func holdSite(t *testing.T, data, name string) *pgx.Conn {
	t.Helper()

	conn, err := connectBeside(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}

	if _, err := conn.Exec(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}

	if _, err := conn.Exec(t.Context(), "SELECT id FROM sites WHERE name = $1 FOR NO KEY UPDATE", name); err != nil {
		t.Fatal(err)
	}

	return conn
}

func claimNumber(t *testing.T, watcher *pgx.Conn, site string) int {
	t.Helper()

	return number(t, watcher, "SELECT t.claim_number FROM sites s JOIN site_states t ON t.site_id = s.id WHERE s.name = $1", site)
}

func waitingForLocks(t *testing.T, watcher *pgx.Conn) int {
	t.Helper()

	return number(t, watcher, "SELECT count(*) FROM pg_locks WHERE NOT granted")
}

func number(t *testing.T, conn *pgx.Conn, sql string, args ...any) int {
	t.Helper()

	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()

	var n int
	if err := conn.QueryRow(ctx, sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}

	return n
}
