package db

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

type capture struct{ sql []string }

func (c *capture) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	c.sql = append(c.sql, data.SQL)
	return ctx
}
func (c *capture) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestZZExplain(t *testing.T) {
	c := &capture{}
	o := quiet()
	o.Tracer = c
	o.Answer = time.Minute
	d, err := Open(t.Context(), "postgres:///big?host=/tmp/dbread/pg&user=postgres", o)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx := t.Context()
	yes, no := true, false
	_ = no
	st := func(s ...queue.Status) queue.CommandFilter { return queue.CommandFilter{Statuses: s} }
	run := func(name string, f func() (int, error)) {
		var best time.Duration
		var n int
		for i := range 3 {
			c.sql = nil
			t0 := time.Now()
			var err error
			if n, err = f(); err != nil {
				fmt.Println(name, err)
				return
			}
			if e := time.Since(t0); i == 0 || e < best {
				best = e
			}
		}
		fmt.Printf("%-40s %8.2f ms  %d\n", name, best.Seconds()*1000, n)
		if best > 15*time.Millisecond || strings.Contains(os.Getenv("EXPLAIN"), name) && os.Getenv("EXPLAIN") != "" {
			for _, sql := range c.sql {
				if !strings.HasPrefix(sql, "SELECT") && !strings.HasPrefix(sql, "WITH") && !strings.HasPrefix(sql, "\n") {
					continue
				}
				rows, err := d.pool.Query(ctx, "EXPLAIN (ANALYZE, BUFFERS) "+sql, pgx.QueryExecModeExec)
				if err != nil {
					continue
				}
				lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
				if err != nil {
					continue
				}
				fmt.Println("   ", sql)
				for _, l := range lines {
					fmt.Println("        ", l)
				}
			}
		}
	}
	cl := func(site queue.SiteID, f queue.CommandFilter, after string) func() (int, error) {
		return func() (int, error) {
			l, err := d.CommandList(ctx, site, f, queue.Page{First: 50, After: after})
			if err != nil {
				return 0, err
			}
			return len(l.Nodes), nil
		}
	}
	mid := endOf(commandList, "150000")
	run("all", cl(1, st(), ""))
	run("all mid", cl(1, st(), mid))
	for _, s := range queue.Statuses() {
		run(string(s), cl(1, st(s), ""))
		run(string(s)+" mid", cl(1, st(s), mid))
		run(string(s)+" site2", cl(2, st(s), ""))
	}
	run("open", cl(1, st(queue.Queued, queue.Claimed), ""))
	run("every status", cl(1, st(queue.Statuses()...), mid))
	run("kind refresh", cl(1, queue.CommandFilter{Kinds: []queue.Kind{queue.KindRefresh}}, ""))
	run("kind sprint (none)", cl(1, queue.CommandFilter{Kinds: []queue.Kind{queue.KindSprint}}, ""))
	run("kind done issue", cl(1, queue.CommandFilter{Kinds: []queue.Kind{queue.KindIssue}, Statuses: []queue.Status{queue.Done}}, ""))
	run("key", cl(1, queue.CommandFilter{Key: "AURORA-1537"}, ""))
	run("key temp", cl(1, queue.CommandFilter{Key: "new:1"}, ""))
	run("key temp failed", cl(1, queue.CommandFilter{Key: "new:1", Statuses: []queue.Status{queue.Skipped}}, ""))
	run("batch", cl(1, queue.CommandFilter{Batch: 3}, ""))
	run("batch done", cl(1, queue.CommandFilter{Batch: 3, Statuses: []queue.Status{queue.Done}}, ""))
	for _, s := range []string{"aurora", "aurora-1537", "отчёт номер 299991", "new:901", "не найдено", "нет такого", "zz", "a", "поле не", "new:1 не создана"} {
		run("search "+s, cl(1, queue.CommandFilter{Search: s}, ""))
		run("search failed "+s, cl(1, queue.CommandFilter{Search: s, Statuses: []queue.Status{queue.Failed}}, ""))
		run("search queued "+s, cl(1, queue.CommandFilter{Search: s, Statuses: []queue.Status{queue.Queued}}, ""))
	}
	bc := func(f queue.CommandFilter) func() (int, error) {
		return func() (int, error) {
			l, err := d.BatchCommands(ctx, 1, 3, f, queue.Page{First: 50})
			if err != nil {
				return 0, err
			}
			return len(l.Nodes), nil
		}
	}
	run("bc all", bc(st()))
	run("bc failed", bc(st(queue.Failed)))
	run("bc search", bc(queue.CommandFilter{Search: "отчёт номер 2551 "}))
	run("bc search none", bc(queue.CommandFilter{Search: "нет такого"}))
	run("bc key", bc(queue.CommandFilter{Key: "new:1"}))
	run("dependents", func() (int, error) {
		l, err := d.Dependents(ctx, 1, 5001, queue.Page{First: 50})
		return len(l.Nodes), err
	})
	many := []queue.CommandID{}
	for i := range 200 {
		many = append(many, queue.CommandID(i*1000+2))
	}
	run("by id", func() (int, error) { l, err := d.CommandsByID(ctx, 1, many); return len(l), err })
	run("depends on", func() (int, error) { l, err := d.DependsOn(ctx, 1, many); return len(l), err })
	run("retries", func() (int, error) { l, err := d.Retries(ctx, 1, many); return len(l), err })
	run("history", func() (int, error) { l, err := d.History(ctx, 1, many); return len(l), err })
	bl := func(site queue.SiteID, f queue.BatchFilter) func() (int, error) {
		return func() (int, error) {
			l, err := d.BatchList(ctx, site, f, queue.Page{First: 50})
			if err != nil {
				return 0, err
			}
			return len(l.Nodes), nil
		}
	}
	run("batches", bl(2, queue.BatchFilter{}))
	run("batches pending", bl(2, queue.BatchFilter{Statuses: []queue.BatchStatus{queue.Pending}}))
	run("batches running", bl(2, queue.BatchFilter{Statuses: []queue.BatchStatus{queue.Running}}))
	run("batches finished", bl(2, queue.BatchFilter{Statuses: []queue.BatchStatus{queue.Finished}}))
	run("batches author none", bl(2, queue.BatchFilter{Author: "bob"}))
	run("batches title", bl(2, queue.BatchFilter{Search: "bob"}))
	il := func(f queue.IssueFilter, after string) func() (int, error) {
		return func() (int, error) {
			l, err := d.IssueList(ctx, 1, f, queue.Page{First: 50, After: after})
			if err != nil {
				return 0, err
			}
			return len(l.Nodes), nil
		}
	}
	run("issues", il(queue.IssueFilter{}, ""))
	run("issues mid", il(queue.IssueFilter{}, endOf(issueList, "D-30000")))
	run("issues keys", il(queue.IssueFilter{Keys: []queue.Key{"A-1", "F-7"}}, ""))
	run("issues project", il(queue.IssueFilter{Project: "F"}, ""))
	run("issues project none", il(queue.IssueFilter{Project: "Z"}, ""))
	run("issues status", il(queue.IssueFilter{Statuses: []string{"Open"}}, ""))
	run("issues status none", il(queue.IssueFilter{Statuses: []string{"Nope"}}, ""))
	run("issues sprint", il(queue.IssueFilter{Sprint: "Спринт 2"}, ""))
	run("issues sprint none", il(queue.IssueFilter{Sprint: "Спринт 3"}, ""))
	run("issues backlog", il(queue.IssueFilter{Backlog: true}, ""))
	run("issues note", il(queue.IssueFilter{HasNote: &yes}, ""))
	run("issues no note", il(queue.IssueFilter{HasNote: &no, Project: "F"}, ""))
	for _, s := range []string{"отчёт", "описание задачи 49999.", "f-12345", "нет такого", "z", "zz"} {
		run("issues search "+s, il(queue.IssueFilter{Search: s}, ""))
	}
	run("notes", func() (int, error) {
		l, err := d.NoteList(ctx, 1, queue.Page{First: 50, After: endOf(noteList, timeText(time.Now()), "F-1")})
		return len(l.Nodes), err
	})
	lg := func(q queue.LogQuery) func() (int, error) {
		q.First = 100
		return func() (int, error) {
			l, err := d.Log(ctx, 1, q)
			if err != nil {
				return 0, err
			}
			return len(l.Events), nil
		}
	}
	run("log", lg(queue.LogQuery{}))
	run("log newest", lg(queue.LogQuery{NewestFirst: true}))
	run("log actor", lg(queue.LogQuery{Actor: "bob"}))
	run("log command", lg(queue.LogQuery{Command: 5000}))
	run("log command newest", lg(queue.LogQuery{Command: 5001, NewestFirst: true}))
	run("log keys", lg(queue.LogQuery{Keys: []queue.Key{"AURORA-999996"}, NewestFirst: true}))
	run("queue", func() (int, error) { _, err := d.Queue(ctx, 1); return 1, err })
	run("head", func() (int, error) { _, err := d.Head(ctx, 1); return 1, err })
}
