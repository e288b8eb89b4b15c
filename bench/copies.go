package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// copyTable makes the floor's copy of a table of the hub, empty, with the same indexes.
func (h *hub) copyTables(ctx context.Context, tables ...string) error {
	for _, table := range tables {
		sql := fmt.Sprintf("CREATE TABLE %s (LIKE %s INCLUDING ALL)",
			pgx.Identifier{"floor", table}.Sanitize(), pgx.Identifier{"public", table}.Sanitize())

		if _, err := h.plain.Exec(ctx, sql); err != nil {
			return fmt.Errorf("copy table %s: %w", table, err)
		}
	}

	return nil
}

// written are rows that the hub wrote into a table, for the floor to write too.
type written struct {
	table   string
	columns []string
	rows    [][]any
}

const listColumns = `
SELECT column_name::text, CASE WHEN data_type = 'json' THEN quote_ident(column_name) || '::text' ELSE quote_ident(column_name) END
FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`

// written reads rows back, json as its text.
func (h *hub) written(ctx context.Context, table, where string, args ...any) (*written, error) {
	listed, err := h.plain.Query(ctx, listColumns, table)
	if err != nil {
		return nil, fmt.Errorf("list the columns of %s: %w", table, err)
	}

	w := &written{table: table}
	selected := ""

	var column, expression string

	_, err = pgx.ForEachRow(listed, []any{&column, &expression}, func() error {
		if selected != "" {
			selected += ", "
		}

		selected += expression
		w.columns = append(w.columns, column)

		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the columns of %s: %w", table, err)
	}

	rows, err := h.plain.Query(ctx, "SELECT "+selected+" FROM "+pgx.Identifier{"public", table}.Sanitize()+" WHERE "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}

	w.rows, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })

	return w, wrap("read "+table, err)
}

// copyInto writes the rows by COPY into a table of those columns.
func (w *written) copyInto(ctx context.Context, tx pgx.Tx, table pgx.Identifier) error {
	_, err := tx.CopyFrom(ctx, table, w.columns, pgx.CopyFromRows(w.rows))

	return wrap("copy into "+table.Sanitize(), err)
}

// inTx does the floor's work in one transaction.
func (h *hub) inTx(ctx context.Context, work func(tx pgx.Tx) error) error {
	return wrap("the floor's transaction", pgx.BeginFunc(ctx, h.plain, work))
}
