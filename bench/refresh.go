package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// refreshed is how many issues a refresh brings, in pushes of the largest size.
const refreshed = 10_000

// measureRefresh measures a refresh into a large mirror, beside COPY and one upsert, and beside the same into a small
// mirror.
func measureRefresh(ctx context.Context, b *bench) ([]figure, error) {
	small, err := b.newMirror(ctx, refreshed)
	if err != nil {
		return nil, err
	}
	defer small.close()

	b.sayf("  filling a mirror of %d issues", b.Mirror)

	large, err := b.newMirror(ctx, b.Mirror)
	if err != nil {
		return nil, err
	}
	defer large.close()

	if err := large.copyMirror(ctx); err != nil {
		return nil, err
	}

	var upsert *written

	times, err := b.alternate(ctx,
		side{run: small.refresh}, side{run: large.refresh},
		side{
			load: func(ctx context.Context) error {
				var err error
				upsert, err = large.written(ctx, "issues", "site_id = $1 AND key_number >= $2 AND key_number < $3",
					large.by.Site, large.from, large.from+refreshed)

				return err
			},
			run: func(ctx context.Context) error { return large.upsert(ctx, upsert) },
		})
	if err != nil {
		return nil, err
	}

	work := fmt.Sprintf("a refresh of %d issues into a mirror of %d", refreshed, b.Mirror)

	return []figure{
		{
			Row: "refresh", Work: work + ", beside COPY and one upsert",
			Floor: took(times[2]), Hub: took(times[1]), Values: ratios(times[1], times[2]), Mark: within(2),
		},
		{
			Row: "refresh", Work: work + fmt.Sprintf(", beside the same into one of %d", refreshed),
			Floor: took(times[0]), Hub: took(times[1]), Values: ratios(times[1], times[0]), Mark: within(1.2),
		},
	}, nil
}

// mirror is a hub whose mirror is full, with a command in hand to be held against each push.
type mirror struct {
	*hub

	by queue.Actor
	// from is the first of the issues that are refreshed; they lie side by side, as those of a project do.
	from int
	// round makes each refresh another than the one before.
	round int
}

func (b *bench) newMirror(ctx context.Context, size int) (*mirror, error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}

	m := &mirror{hub: h, from: (size-refreshed)/2 + 1}

	if err := m.fill(ctx, size); err != nil {
		h.close()

		return nil, err
	}

	return m, nil
}

func (m *mirror) fill(ctx context.Context, size int) error {
	var err error

	m.by, err = m.site(ctx, "one")
	if err != nil {
		return err
	}

	for first := 1; first <= size; first += queue.MaxPush {
		if err := m.push(ctx, first, min(queue.MaxPush, size-first+1)); err != nil {
			return err
		}
	}

	_, err = m.queue.CreateBatch(ctx, m.by, queue.BatchSpec{Commands: []queue.CommandSpec{{
		Params: queue.EnsureStatus{Key: issueKey(m.from), Path: []string{"A status that no refresh shows"}},
	}}})
	if err != nil {
		return fmt.Errorf("create a batch: %w", err)
	}

	handout, idle, err := m.queue.Claim(ctx, m.by, queue.ClaimCall{Instance: "bench"})
	if err == nil && handout == nil {
		err = fmt.Errorf("%w: %s", errIdle, idle)
	}

	return wrap("claim", err)
}

// refresh pushes the issues anew, each one changed.
func (m *mirror) refresh(ctx context.Context) error {
	m.round++

	for first := m.from; first < m.from+refreshed; first += queue.MaxPush {
		if err := m.push(ctx, first, queue.MaxPush); err != nil {
			return err
		}
	}

	return nil
}

func (m *mirror) push(ctx context.Context, first, count int) error {
	issues := make([]queue.Snapshot, count)
	for i := range issues {
		issues[i] = m.snapshot(first + i)
	}

	pushed, err := m.queue.PushIssues(ctx, m.by, queue.Push{Issues: issues, Instance: "bench"})
	if err == nil && pushed.Stored != count {
		err = fmt.Errorf("%d issues were stored instead of %d", pushed.Stored, count)
	}

	return wrap("push issues", err)
}

func issueKey(n int) queue.Key { return queue.Key(fmt.Sprintf("AURORA-%d", n)) }

// snapshot is an issue as a refresh of this round reads it.
func (m *mirror) snapshot(n int) queue.Snapshot {
	description, sprint := comment+" "+comment, fmt.Sprintf("Sprint %d", n%20)
	parent := issueKey(n/10 + 1)

	return queue.Snapshot{
		Key: issueKey(n), JiraID: strconv.Itoa(100_000 + n), Project: "AURORA", IssueType: "Task",
		Summary: fmt.Sprintf("Step %d of the migration, as of round %d", n, m.round), Description: &description,
		Status: []string{"Selected", "In Progress", "Done"}[(n+m.round)%3], Sprint: &sprint, Parent: &parent,
		Fields: queue.Fields{
			"priority": map[string]any{"id": "3", "name": "Medium"}, "labels": []any{"backend", "planned"},
			"assignee": map[string]any{"name": "ann", "displayName": "Ann Example"}, "duedate": "2026-12-24", "environment": nil,
		},
		Links: []queue.Link{{Type: "Blocks", Direction: queue.Outward, Key: parent}}, LinksRead: true,
	}
}

// copyMirror gives the floor a mirror as large.
func (m *mirror) copyMirror(ctx context.Context) error {
	if err := m.copyTables(ctx, "issues"); err != nil {
		return err
	}

	for _, sql := range []string{"INSERT INTO floor.issues SELECT * FROM public.issues", "ANALYZE floor.issues"} {
		if _, err := m.plain.Exec(ctx, sql); err != nil {
			return fmt.Errorf("fill the floor's mirror: %w", err)
		}
	}

	return nil
}

// upsert is the floor: COPY into a temporary table, and one statement.
func (m *mirror) upsert(ctx context.Context, w *written) error {
	assigned := make([]string, len(w.columns))
	for i, column := range w.columns {
		assigned[i] = fmt.Sprintf("%s = excluded.%[1]s", column)
	}

	return m.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "CREATE TEMPORARY TABLE fresh (LIKE floor.issues) ON COMMIT DROP"); err != nil {
			return fmt.Errorf("make a temporary table: %w", err)
		}

		if err := w.copyInto(ctx, tx, pgx.Identifier{"fresh"}); err != nil {
			return err
		}

		tag, err := tx.Exec(ctx, "INSERT INTO floor.issues SELECT * FROM fresh ON CONFLICT (site_id, key) DO UPDATE SET "+
			strings.Join(assigned, ", "))
		if err == nil && tag.RowsAffected() != refreshed {
			err = fmt.Errorf("%d rows instead of %d", tag.RowsAffected(), refreshed)
		}

		return wrap("upsert", err)
	})
}
