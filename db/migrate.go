package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/migrate"

	"github.com/sdlc-hub/sdlc-hub/db/migrations"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Schema says how far a database's schema has come.
type Schema struct {
	// Version is the newest step that was applied; "" for an empty database.
	Version string
	// Missing is how many steps of this program were not applied yet, Newer how many were that it does not know.
	Missing, Newer int
}

const (
	// migrationLock is the advisory lock that all hubs of a database take turns by: "sdlc-hub", as eight bytes.
	migrationLock int64 = 0x73646c632d687562
	// maxNewer is how many steps a schema may be ahead: each keeps the program of one version before working.
	maxNewer = 1

	migrationTable = "schema_steps"
)

// Migrate brings the schema up to this program's version, each step in one transaction with the note that it was
// applied. Hubs that start at once take turns; one that is killed at any moment leaves nothing half done. A schema
// more than one version newer than the program is a Conflict.
func (d *DB) Migrate(ctx context.Context) error { return d.migrate(ctx, migrations.Files) }

// SchemaVersion tells how far the schema has come.
func (d *DB) SchemaVersion(ctx context.Context) (Schema, error) {
	var schema Schema

	err := d.reading(ctx, "read the schema's version", func(ctx context.Context, at bun.IConn) error {
		known, err := discover(migrations.Files)
		if err != nil {
			return err
		}

		schema, err = schemaOf(ctx, at, known)

		return err
	})

	return schema, err
}

func (d *DB) migrate(ctx context.Context, files fs.FS) error {
	known, err := discover(files)
	if err != nil {
		return err
	}

	// A connection of its own, the only one, for as long as it lasts: the lock is its session's. What may take long
	// here has no time limit.
	config := d.pool.Config().ConnConfig.Copy()
	config.RuntimeParams["statement_timeout"] = "0"
	config.RuntimeParams["lock_timeout"] = "0"
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0"

	sqldb := openSQL(stdlib.GetConnector(*config), d.options.Acquire)
	sqldb.SetMaxOpenConns(1)
	sqldb.SetMaxIdleConns(1)

	defer func() { _ = sqldb.Close() }()

	return away(d.migrateLocked(ctx, sqldb, known), "migrate the schema")
}

func (d *DB) migrateLocked(ctx context.Context, sqldb *sql.DB, known *migrate.Migrations) error {
	at := unprepared{sqldb}
	if _, err := at.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		return fmt.Errorf("wait for other hubs: %w", err)
	}

	schema, err := schemaOf(ctx, at, known)
	if err != nil {
		return err
	}

	if schema.Newer > maxNewer {
		return queue.Refusef(queue.Conflict,
			"the database's schema is at version %s, %d versions newer than this program knows: use a newer program",
			schema.Version, schema.Newer)
	}

	if schema.Missing == 0 {
		return nil
	}

	migrator := migrate.NewMigrator(
		bun.NewDB(sqldb, pgdialect.New(), bun.WithConnResolver(at)), known,
		migrate.WithTableName(migrationTable), migrate.WithLocksTableName(migrationTable+"_locks"),
		migrate.WithMarkAppliedOnSuccess(true), migrate.WithUpsert(true),
		migrate.BeforeMigration(stillLocked), migrate.AfterMigration(noteApplied))

	if err := migrator.Init(ctx); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}

	applied, err := migrator.Migrate(ctx)
	if err != nil {
		return err //nolint:wrapcheck // migrate wraps, and bun names the step
	}

	for _, step := range applied.Migrations {
		d.log.InfoContext(ctx, "the schema was migrated", "step", step.String())
	}

	return nil
}

// stillLocked makes a step fail whose connection is another one than that which took the lock: database/sql opens a
// new one where the old one broke, and another hub may be at it by now.
func stillLocked(ctx context.Context, tx bun.IConn, _ *migrate.Migration) error {
	var free bool

	err := tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock(?)", migrationLock).Scan(&free)
	if err != nil {
		return fmt.Errorf("see to the lock: %w", err)
	}

	if !free {
		return errors.New("the connection was lost, and another hub migrates now")
	}

	return nil
}

// noteApplied notes the step in its own transaction. bun notes it once more afterwards, which changes nothing; on its
// own that note would be lost by who is killed between the two.
func noteApplied(ctx context.Context, tx bun.IConn, step *migrate.Migration) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO "+migrationTable+" (name, group_id) VALUES (?, ?)", step.Name, step.GroupID)
	if err != nil {
		return fmt.Errorf("note the step: %w", err)
	}

	return nil
}

// discover reads the steps that a program knows. bun runs a file in a transaction only by its name.
func discover(files fs.FS) (*migrate.Migrations, error) {
	known := migrate.NewMigrations()
	if err := known.Discover(files); err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}

	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.HasSuffix(path, ".tx.up.sql") {
			return fmt.Errorf("%s is no step that runs in a transaction", path)
		}

		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}

	return known, nil
}

// schemaOf compares the steps that were applied with those that are known.
func schemaOf(ctx context.Context, at bun.IConn, known *migrate.Migrations) (Schema, error) {
	applied, err := appliedSteps(ctx, at)
	if err != nil {
		return Schema{}, err
	}

	schema := Schema{}
	names := map[string]bool{}

	for _, step := range known.Sorted() {
		names[step.Name] = true

		if !slices.Contains(applied, step.Name) {
			schema.Missing++
		}
	}

	for _, name := range applied {
		schema.Version = max(schema.Version, name)

		if !names[name] {
			schema.Newer++
		}
	}

	return schema, nil
}

func appliedSteps(ctx context.Context, at bun.IConn) ([]string, error) {
	var there bool
	if err := at.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", migrationTable).Scan(&there); err != nil || !there {
		return nil, err //nolint:wrapcheck // the callers wrap
	}

	rows, err := at.QueryContext(ctx, "SELECT name FROM "+migrationTable)
	if err != nil {
		return nil, err //nolint:wrapcheck // the callers wrap
	}
	defer func() { _ = rows.Close() }()

	var names []string

	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err //nolint:wrapcheck // the callers wrap
		}

		names = append(names, name)
	}

	return names, rows.Err() //nolint:wrapcheck // the callers wrap
}
