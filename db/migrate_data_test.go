package db

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/sdlc-hub/sdlc-hub/db/migrations"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// dataTest is what must become of data through one step.
type dataTest struct {
	// before fills the schema that the step finds; it writes SQL of that version, never through the program of today.
	before func(t *testing.T, d *DB)
	// after looks at what the step left of it.
	after func(t *testing.T, d *DB)
}

// dataTests has one test for each step, by the name of its file.
func dataTests() map[string]dataTest {
	return map[string]dataTest{
		"20261130000001_init.tx.up.sql": {
			before: func(*testing.T, *DB) {},
			after: func(t *testing.T, d *DB) {
				t.Helper()

				// What every command, delivery and count rests on is refused by the tables themselves.
				run(t, d, "INSERT INTO sites (name, log_mark, pace) VALUES ('main', 7, '{}')")
				run(t, d, "INSERT INTO site_states (site_id, version, head_mark) VALUES (1, 0, 7)")

				for _, refused := range []string{
					"INSERT INTO sites (name, log_mark, pace) VALUES ('main', 7, '{}')",
					"INSERT INTO site_states (site_id, version, head_mark) VALUES (1, 0, 7)",
					"INSERT INTO tokens (site_id, name, role, hash) VALUES (1, 'a', 'king', 'x')",
					"INSERT INTO tokens (site_id, name, role, hash) VALUES (2, 'a', 'admin', 'x')",
					"INSERT INTO batches (site_id, id, author, created_at, held, status) VALUES (1, 1, 'a', now(), false, 'new')",
				} {
					if _, err := d.pool.Exec(t.Context(), refused); err == nil {
						t.Errorf("taken: %s", refused)
					}
				}

				if head, err := d.Head(t.Context(), 1); err != nil || head != (queue.Cursor{Mark: 7}) {
					t.Errorf("head %v, %v", head, err)
				}
			},
		},
	}
}

func TestDataBeforeAndAfterEachMigration(t *testing.T) {
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}

	d := opened(t, pgtest.New(t))
	tests := dataTests()
	upToHere := fstest.MapFS{}

	for _, name := range names {
		step, ok := tests[name]
		if !ok {
			t.Fatalf("%s changes data and no test says how", name)
		}

		data, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}

		upToHere[name] = &fstest.MapFile{Data: data}

		step.before(t, d)

		if err := d.migrate(t.Context(), upToHere); err != nil {
			t.Fatal(err)
		}

		step.after(t, d)
	}
}
