package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
)

// unprepared runs bun's statements, whose values stand in their text, without preparing them by name: each text comes
// once, and would drive a statement of the write path out of its connection's cache.
type unprepared struct{ conn bun.IConn }

// QueryContext runs a query.
func (u unprepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return u.conn.QueryContext(ctx, query, withMode(args)...) //nolint:wrapcheck // DB's methods wrap
}

// ExecContext runs a statement that gives no rows.
func (u unprepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return u.conn.ExecContext(ctx, query, withMode(args)...) //nolint:wrapcheck // DB's methods wrap
}

// QueryRowContext runs a query for one row.
func (u unprepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return u.conn.QueryRowContext(ctx, query, withMode(args)...)
}

// ResolveConn makes bun run all its queries here.
func (u unprepared) ResolveConn(context.Context, bun.Query) bun.IConn { return u }

// Close has nothing to close.
func (unprepared) Close() error { return nil }

func withMode(args []any) []any { return append([]any{pgx.QueryExecModeExec}, args...) }

// openSQL gives database/sql the pool's connections, each waited for as long as acquire says at most. It keeps none
// of them: they belong to the pool.
func openSQL(pool driver.Connector, acquire time.Duration) *sql.DB {
	sqldb := sql.OpenDB(boundedConnector{Connector: pool, acquire: acquire})
	sqldb.SetMaxIdleConns(0)

	return sqldb
}

type boundedConnector struct {
	driver.Connector

	acquire time.Duration
}

// Connect takes a connection from the pool.
func (c boundedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	waiting, cancel := context.WithTimeout(ctx, c.acquire)
	defer cancel()

	conn, err := c.Connector.Connect(waiting)
	if err != nil {
		return nil, ownDeadline(ctx, waiting, fmt.Errorf("take a connection: %w", err))
	}

	return conn, nil
}
