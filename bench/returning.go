package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/access"
)

const (
	// missed is how many changes the readers have missed who were away for longest.
	missed = 100

	statements = "pg_stat_statements"

	countStatements = `
SELECT coalesce(sum(calls), 0) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = $1`
)

// measureReturning counts what a hub, just started, asks its database for when many readers return at once, each with
// changes that it has missed.
func measureReturning(ctx context.Context, b *bench) (figures []figure, err error) {
	// It counts each statement, which would cost the other rows something.
	pg, err := startPostgres(ctx, b.options, map[string]string{"shared_preload_libraries": statements})
	if err == nil {
		defer func() { err = errors.Join(err, pg.close()) }()

		_, err = pg.admin.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS "+statements)
	}

	var count int64
	if err == nil {
		err = pg.admin.QueryRow(ctx, countStatements, "").Scan(&count)
	}

	if err != nil {
		b.sayf("  left out: this Postgres cannot count its statements: %s", err)

		return nil, ctx.Err() //nolint:wrapcheck // the caller's own
	}

	counting := *b
	counting.pg = pg

	h, err := counting.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	r, err := h.returning(ctx, pg.admin)
	if err != nil {
		return nil, err
	}

	for _, readers := range []int{10, 100, 1000} {
		figure := figure{
			Row: "returning", Work: fmt.Sprintf("%d readers return at once: queries of the hub", readers), Mark: onlyShown(),
		}

		for range b.Pairs {
			queries, err := r.count(ctx, &counting, readers)
			if err != nil {
				return figures, err
			}

			figure.Values = append(figure.Values, float64(queries))
		}

		figures = append(figures, figure)
	}

	return figures, nil
}

// returning is a log that many have read a part of.
type returning struct {
	*hub

	admin           *pgx.Conn
	database, token string
	// left are the positions that they return to, head the last.
	left []string
	head position
}

func (h *hub) returning(ctx context.Context, admin *pgx.Conn) (*returning, error) {
	by, err := h.site(ctx, "one")
	if err != nil {
		return nil, err
	}

	if err := h.fill(ctx, by, missed); err != nil {
		return nil, err
	}

	r := &returning{hub: h, admin: admin}

	if r.token, err = h.token(ctx, "one", access.Viewer); err != nil {
		return nil, err
	}

	if err := h.plain.QueryRow(ctx, "SELECT current_database()").Scan(&r.database); err != nil {
		return nil, fmt.Errorf("name the database: %w", err)
	}

	changes := h.committed(by)

	for n := range missed + 1 {
		at, _, err := changes(ctx)
		if err != nil {
			return nil, err
		}

		if r.head = at; n < missed {
			cursor, err := at(ctx)
			if err != nil {
				return nil, err
			}

			r.left = append(r.left, cursor)
		}
	}

	return r, nil
}

// count starts a hub, lets so many return, and gives how many queries there were until all had the last change.
func (r *returning) count(ctx context.Context, b *bench, readers int) (queries int64, err error) {
	server, err := b.startHub(ctx, r.url)
	if err != nil {
		return 0, err
	}

	defer func() { err = errors.Join(err, server.stop()) }()

	if _, err := r.admin.Exec(ctx, "SELECT pg_stat_statements_reset()"); err != nil {
		return 0, fmt.Errorf("begin to count: %w", err)
	}

	joined, err := subscribe(ctx, server, readers, r.token, r.left...)
	if err != nil {
		return 0, err
	}

	defer func() { err = errors.Join(err, joined.stop()) }()

	if _, err := joined.everybody(ctx, r.head, everybodyWithin); err != nil {
		return 0, err
	}

	err = r.admin.QueryRow(ctx, countStatements, r.database).Scan(&queries)

	return queries, wrap("count the queries", err)
}
