package db

import (
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/sdlc-hub/sdlc-hub/db/migrations"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// steps are the files of today and more steps after them.
func steps(t *testing.T, more map[string]string) fs.FS {
	t.Helper()

	all := fstest.MapFS{}

	names, err := fs.Glob(migrations.Files, "*")
	if err != nil {
		t.Fatal(err)
	}

	for _, name := range names {
		data, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}

		all[name] = &fstest.MapFile{Data: data}
	}

	for name, sql := range more {
		all[name] = &fstest.MapFile{Data: []byte(sql)}
	}

	return all
}

func oneMore() map[string]string {
	return map[string]string{"20991231000001_one.tx.up.sql": "CREATE TABLE one (n int); INSERT INTO one VALUES (1);"}
}

func twoMore() map[string]string {
	all := oneMore()
	all["20991231000002_two.tx.up.sql"] = "CREATE TABLE two (n int);"

	return all
}

func TestMigrateBringsAFreshDatabaseToTheNewestVersionOnce(t *testing.T) {
	d := opened(t, pgtest.New(t))

	before, err := d.SchemaVersion(t.Context())
	if err != nil || before.Version != "" || before.Missing == 0 || before.Newer != 0 {
		t.Fatalf("before: %+v, %v", before, err)
	}

	for range 2 {
		if err := d.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}

	after, err := d.SchemaVersion(t.Context())
	if err != nil || after.Version == "" || after.Missing != 0 || after.Newer != 0 {
		t.Fatalf("after: %+v, %v", after, err)
	}

	if _, err := d.CreateSite(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
}

func TestMigrateLetsHubsThatStartAtOnceTakeTurns(t *testing.T) {
	url := pgtest.New(t)
	files := steps(t, oneMore())

	var (
		group  sync.WaitGroup
		failed = make([]error, 5)
	)

	for i := range failed {
		d := opened(t, url)

		group.Go(func() { failed[i] = d.migrate(t.Context(), files) })
	}

	group.Wait()

	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}

	var rows int
	if err := opened(t, url).pool.QueryRow(t.Context(), "SELECT count(*) FROM one").Scan(&rows); err != nil || rows != 1 {
		t.Fatalf("the step ran %d times: %v", rows, err)
	}
}

func TestMigrateGoesOnAfterAHubThatWasKilledInTheMiddle(t *testing.T) {
	d := migrated(t)

	// bun's own lock as a killed program leaves it, and a step that fails half way.
	run(t, d, "INSERT INTO schema_steps_locks (table_name) VALUES ('schema_steps')")

	half := steps(t, map[string]string{"20991231000001_one.tx.up.sql": "CREATE TABLE one (n int); SELECT 1 / 0;"})
	if err := d.migrate(t.Context(), half); err == nil || !strings.Contains(err.Error(), "20991231000001") {
		t.Fatalf("a failing step: %v", err)
	}

	var there bool
	if err := d.pool.QueryRow(t.Context(), "SELECT to_regclass('one') IS NOT NULL").Scan(&there); err != nil || there {
		t.Fatalf("half a step stayed: %v, %v", there, err)
	}

	if err := d.migrate(t.Context(), steps(t, oneMore())); err != nil {
		t.Fatal(err)
	}

	// Killed after the commit of the step: nothing of bun's comes after it that would be missed.
	if err := d.migrate(t.Context(), steps(t, oneMore())); err != nil {
		t.Fatal(err)
	}
}

func TestMigrateNotesAStepInTheTransactionOfTheStep(t *testing.T) {
	d := migrated(t)

	noted := steps(t, map[string]string{
		"20991231000001_one.tx.up.sql": "CREATE TABLE one (n int);",
		// Fails where the step before was not noted when it committed, or is noted twice.
		"20991231000002_two.tx.up.sql": `DO $$ BEGIN ASSERT (SELECT count(*) = 1 FROM schema_steps WHERE name = '20991231000001'); END $$;
			CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no note'; END $$;
			CREATE TRIGGER refuse BEFORE INSERT ON schema_steps FOR EACH ROW EXECUTE FUNCTION refuse();`,
	})
	if err := d.migrate(t.Context(), noted); err == nil || !strings.Contains(err.Error(), "no note") {
		t.Fatalf("without its note a step must not stay: %v", err)
	}

	schema, err := d.SchemaVersion(t.Context())
	if err != nil || schema.Version != "20991231000001" || schema.Newer != 1 {
		t.Fatalf("%+v, %v", schema, err)
	}

	var there bool
	if err := d.pool.QueryRow(t.Context(), "SELECT to_regproc('refuse') IS NOT NULL").Scan(&there); err != nil || there {
		t.Fatalf("the step stayed without its note: %v, %v", there, err)
	}
}

func TestMigrateRefusesASchemaMoreThanOneVersionNewer(t *testing.T) {
	d := migrated(t)

	if err := d.migrate(t.Context(), steps(t, oneMore())); err != nil {
		t.Fatal(err)
	}

	if err := d.Migrate(t.Context()); err != nil {
		t.Fatalf("newer by one: %v", err)
	}

	if err := d.migrate(t.Context(), steps(t, twoMore())); err != nil {
		t.Fatal(err)
	}

	err := d.Migrate(t.Context())
	if queue.CodeOf(err) != queue.Conflict || !strings.Contains(err.Error(), "newer program") {
		t.Fatalf("newer by two: %v", err)
	}
}

func TestMigrateRefusesAFileThatWouldRunOutsideATransaction(t *testing.T) {
	d := opened(t, pgtest.New(t))

	err := d.migrate(t.Context(), fstest.MapFS{"20991231000001_one.up.sql": {Data: []byte("SELECT 1")}})
	if err == nil || !strings.Contains(err.Error(), "transaction") {
		t.Fatal(err)
	}
}
