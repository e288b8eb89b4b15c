package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// heard keeps the statements that went to the database.
type heard struct {
	mu  sync.Mutex
	sql []string
}

func (h *heard) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()

	h.sql = append(h.sql, data.SQL)

	return ctx
}

func (*heard) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// pagesOf runs a read once more, each statement explained, and counts the pages of tables and indexes it touched.
func pagesOf(t *testing.T, d *DB, h *heard, read func() error) int {
	t.Helper()

	h.sql = nil
	if err := read(); err != nil {
		t.Fatal(err)
	}

	statements := slices.Clone(h.sql)

	tx, err := d.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()

	pages := 0

	for _, statement := range statements {
		switch {
		case strings.HasPrefix(statement, "SET LOCAL"):
			if _, err := tx.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		case !strings.HasPrefix(statement, "begin") && !strings.HasPrefix(statement, "commit"):
			pages += explained(t, tx, statement)
		}
	}

	return pages
}

func explained(t *testing.T, tx pgx.Tx, statement string) int {
	t.Helper()

	const explain = "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) "

	var raw []byte
	if err := tx.QueryRow(t.Context(), explain+statement, pgx.QueryExecModeExec).Scan(&raw); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}

	var plans []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &plans); err != nil {
		t.Fatal(err)
	}

	var (
		top   map[string]any
		pages int
	)

	if err := json.Unmarshal(plans[0]["Plan"], &top); err != nil {
		t.Fatal(err)
	}

	for _, name := range []string{"Shared Hit Blocks", "Shared Read Blocks"} {
		count, ok := top[name].(float64)
		if !ok {
			t.Fatalf("no %s in %s", name, raw)
		}

		pages += int(count)
	}

	return pages
}

// busySite fills a site with 20,000 commands in batches of 1,000, of which the last five batches are still queued, and
// beside it another with as many batches of one command each, all queued but the oldest.
const busySite = `
INSERT INTO commands (site_id, id, batch_id, position, kind, params, dedupe_key, chain, created_at, status, waiting, error)
SELECT 1, n, (n - 1) / 1000 + 1, (n - 1) % 1000, 'ensure_comment', '{"key":"A-1","body":"x"}', gen_random_uuid(), n, now(),
	CASE WHEN n > 15000 THEN 'queued' WHEN n % 400 = 0 THEN 'failed' ELSE 'done' END, 0, CASE WHEN n % 400 = 0 THEN 'no' END
FROM generate_series(1, 20000) n;
INSERT INTO commands (site_id, id, position, batch_id, kind, params, dedupe_key, chain, created_at, status, waiting)
SELECT 2, n, 0, n, 'ensure_comment', '{"key":"A-1","body":"x"}', gen_random_uuid(), n, now(),
	CASE WHEN n = 1 THEN 'done' ELSE 'queued' END, 0 FROM generate_series(1, 5000) n;
INSERT INTO batches (site_id, id, author, created_at, held, status)
SELECT site_id, batch_id, 'ann', now(), false, CASE WHEN bool_and(status = 'queued') THEN 'pending' ELSE 'finished' END
FROM commands GROUP BY 1, 2;
INSERT INTO batch_counts (site_id, batch_id, version, counts) SELECT site_id, id, 1, '{0,0,0,0,0,0,0}' FROM batches;
INSERT INTO command_texts (site_id, command_id, text) SELECT site_id, id, 'word number ' || id || ' ' || md5(id::text) FROM commands;
INSERT INTO command_keys (site_id, key, command_id) SELECT site_id, 'A-' || id % 5000, id FROM commands;
INSERT INTO issues (site_id, key, key_project, key_number, project, issue_type, summary, status, sprint, fields, links, links_version,
	refreshed_at, missing)
SELECT 1, p || '-' || n, p, n, p, 'Task', md5(n::text), 'Open', CASE WHEN p = 'C' AND n % 100 = 0 THEN 'S' END, '{}', '[]', 0, now(), false
FROM generate_series(1, 5000) n, unnest(ARRAY['A', 'B', 'C']) p;
INSERT INTO notes (site_id, key, text, author, updated_at)
SELECT 1, 'C-' || n, 'x', 'ann', now() + n * interval '1 ms' FROM generate_series(1, 100) n;
INSERT INTO events (site_id, seq, mark, at, kind, command_id) SELECT 1, n, 7 * n, now(), 'command', n / 3 FROM generate_series(1, 30000) n;
UPDATE site_states SET head = 30000, head_mark = 7 * 30000 WHERE site_id = 1;
ANALYZE`

func TestAListReadsItsPageAndNotTheTable(t *testing.T) {
	h := &heard{}
	options := quiet()
	options.Tracer = h

	d, err := Open(t.Context(), migratedURL(t), options)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()

	filledSite(t, d, "main")
	filledSite(t, d, "backlog")

	for statement := range strings.SplitSeq(busySite, ";\n") {
		run(t, d, statement)
	}

	// Where the server does not bring them, a search reads every row, and is right all the same.
	var trigrams bool
	if err := d.pool.QueryRow(t.Context(), "SELECT to_regclass('command_texts_search') IS NOT NULL").Scan(&trigrams); err != nil {
		t.Fatal(err)
	}

	yes := true
	page := queue.Page{First: 50}
	tests := map[string]func() error{
		"agents": func() error { _, err := d.Agents(t.Context(), 1); return err },
		"queue":  func() error { _, err := d.Queue(t.Context(), 1); return err },
		"a batch's commands": func() error {
			_, err := d.BatchCommands(t.Context(), 1, 3, queue.CommandFilter{}, queue.Page{First: 50, After: endOf(batchCommandList, "3", "500")})

			return err
		},
		"notes": func() error { _, err := d.NoteList(t.Context(), 1, page); return err },
		"log":   func() error { _, err := d.Log(t.Context(), 1, queue.LogQuery{First: 50}); return err },
		"log, newest first": func() error {
			_, err := d.Log(t.Context(), 1, queue.LogQuery{First: 50, NewestFirst: true})
			return err
		},
		"log of a command": func() error { _, err := d.Log(t.Context(), 1, queue.LogQuery{First: 50, Command: 777}); return err },
	}

	for _, site := range []queue.SiteID{1, 2} {
		commands := func(name string, filter queue.CommandFilter) {
			for _, after := range []string{"", endOf(commandList, "10500")} {
				tests[fmt.Sprintf("commands %s, site %d, after %q", name, site, after)] = func() error {
					_, err := d.CommandList(t.Context(), site, filter, queue.Page{First: 50, After: after})

					return err
				}
			}
		}
		commands("all", queue.CommandFilter{})
		commands("of a batch", queue.CommandFilter{Batch: 2})
		commands("by key", queue.CommandFilter{Key: "A-7"})
		if trigrams {
			commands("by a rare text", queue.CommandFilter{Search: "word number 7777 "})
		}

		commands("by a common text", queue.CommandFilter{Search: "word"})

		for _, status := range queue.Statuses() {
			// On the second site it is the 4,999 pending batches that the only done command stands behind.
			if site == 1 || status != queue.Done {
				commands(string(status), queue.CommandFilter{Statuses: []queue.Status{status}})
			}
		}

		for _, filter := range []queue.BatchFilter{{}, {Statuses: []queue.BatchStatus{queue.Pending}}} {
			tests[fmt.Sprintf("batches %v, site %d", filter, site)] = func() error {
				_, err := d.BatchList(t.Context(), site, filter, page)

				return err
			}
		}
	}

	for name, filter := range map[string]queue.IssueFilter{
		"all": {}, "by project": {Project: "C"}, "by sprint": {Sprint: "S"}, "by key": {Keys: []queue.Key{"A-1", "C-7"}},
		"with a note": {HasNote: &yes},
	} {
		tests["issues "+name] = func() error { _, err := d.IssueList(t.Context(), 1, filter, page); return err }
	}

	if trigrams {
		tests["issues by text"] = func() error {
			_, err := d.IssueList(t.Context(), 1, queue.IssueFilter{Search: "c-4321"}, page)

			return err
		}
	}

	for name, read := range tests {
		// Pages of 50 rows, each found by an index of two levels and once more by another.
		if pages := pagesOf(t, d, h, read); pages > 380 {
			t.Errorf("%s: %d pages", name, pages)
		}
	}
}
