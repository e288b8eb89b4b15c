package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// within runs a read, bounded by Options.Answer, and gives its error the form of away.
func (d *DB) within(ctx context.Context, doing string, read func(ctx context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, d.options.Answer)
	defer cancel()

	return d.told(ctx, ownDeadline(ctx, bounded, read(bounded)), doing)
}

// reading runs a read of one statement.
func (d *DB) reading(ctx context.Context, doing string, read func(ctx context.Context, at bun.IConn) error) error {
	return d.within(ctx, doing, func(ctx context.Context) error { return read(ctx, unprepared{d.bun.DB}) })
}

// snapshot runs a read of several statements, all of which see the database at one moment.
func (d *DB) snapshot(ctx context.Context, doing string, read func(ctx context.Context, at bun.IConn) error) error {
	return d.within(ctx, doing, func(ctx context.Context) error {
		return d.inTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, read)
	})
}

// inTx runs work in one transaction, which is rolled back where work fails.
func (d *DB) inTx(ctx context.Context, options *sql.TxOptions, work func(ctx context.Context, tx bun.IConn) error) error {
	tx, err := d.bun.DB.BeginTx(ctx, options)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	// After the commit it does nothing; before, the error that led here says more than its own.
	defer func() { _ = tx.Rollback() }()

	if err := work(ctx, unprepared{tx}); err != nil {
		return err
	}

	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}

	return nil
}

// scan runs a query that gives rows; no row at all is no error.
func scan(ctx context.Context, query *bun.SelectQuery, rows any) error {
	if err := query.Scan(ctx, rows); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err //nolint:wrapcheck // reading and snapshot wrap
	}

	return nil
}
