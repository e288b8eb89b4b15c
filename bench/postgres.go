package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// postgres is the server that all is measured on, and what is done to it between measurements.
type postgres struct {
	// admin is a superuser's connection.
	admin *pgx.Conn
	// url is how to connect to a database of that name, as its owner.
	url func(database string) string
	// owner is the role that databases are made for; "" for the superuser.
	owner string
	// version is the server's, kind says which server it is.
	version, kind string
	made          int
	stop          func() error
}

const (
	startWithin = time.Minute
	stopWithin  = time.Minute
)

// startPostgres starts a private server with these settings, or connects to the one that is named, which has its own.
func startPostgres(ctx context.Context, o *options, settings map[string]string) (*postgres, error) {
	if o.DatabaseURL != "" {
		named, err := url.Parse(o.DatabaseURL)
		if err != nil {
			return nil, errors.New("BENCH_DATABASE_URL must be a URL such as postgres://user@host/database")
		}

		return connect(ctx, o.DatabaseURL, &postgres{
			kind: "the server of BENCH_DATABASE_URL", stop: func() error { return nil },
			url: func(database string) string {
				of := *named
				of.Path = "/" + database

				return of.String()
			},
		})
	}

	folder, err := os.MkdirTemp("", "sdlc-hub-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a data folder: %w", err)
	}

	starting, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()

	server, err := localpg.Start(starting, localpg.Config{DataDir: folder, BinDir: o.PostgresBin, Settings: settings})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}

	return connect(ctx, server.AdminURL("postgres"), &postgres{
		kind: "private, as the hub starts it", owner: "hub", url: server.URL,
		stop: func() error {
			stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
			defer cancel()

			return errors.Join(server.Close(stopping), os.RemoveAll(folder))
		},
	})
}

func connect(ctx context.Context, url string, pg *postgres) (*postgres, error) {
	admin, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("connect to Postgres: %w", err), pg.stop())
	}

	pg.admin = admin
	pg.version, _, _ = strings.Cut(admin.PgConn().ParameterStatus("server_version"), " ")

	var durable bool

	err = admin.QueryRow(ctx, `
SELECT current_setting('fsync')::boolean AND current_setting('synchronous_commit') = 'on'`).Scan(&durable)
	if err == nil && !durable {
		err = errors.New("the server does not wait for its disk (fsync, synchronous_commit): nothing measured on it would mean anything")
	}

	if err != nil {
		return nil, errors.Join(err, pg.close())
	}

	return pg, nil
}

func (p *postgres) close() error {
	ending, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()

	return errors.Join(p.admin.Close(ending), p.stop())
}

// database makes an empty database and gives its URL and what drops it.
func (p *postgres) database(ctx context.Context) (string, func(), error) {
	p.made++
	name := fmt.Sprintf("bench_%d_%d", os.Getpid(), p.made)
	quoted := pgx.Identifier{name}.Sanitize()
	sql := "CREATE DATABASE " + quoted + " TEMPLATE template0 ENCODING 'UTF8'"

	if p.owner != "" {
		sql += " OWNER " + pgx.Identifier{p.owner}.Sanitize()
	}

	if _, err := p.admin.Exec(ctx, sql); err != nil {
		return "", nil, fmt.Errorf("make a database: %w", err)
	}

	return p.url(name), func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
		defer cancel()

		_, _ = p.admin.Exec(ending, "DROP DATABASE IF EXISTS "+quoted+" WITH (FORCE)")
	}, nil
}

const (
	// The hub renews the planner's statistics in the background after many rows came in.
	othersAnalyze = `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'ANALYZE%' AND pid <> pg_backend_pid()`

	lookAgain = 20 * time.Millisecond
)

// quiet waits until nothing of the last measurement goes on, and writes its dirty pages, so that the next one pays for
// its own alone and each begins with the first write of a page after a checkpoint.
func (p *postgres) quiet(ctx context.Context) error {
	again := time.NewTicker(lookAgain)
	defer again.Stop()

	for {
		var running int
		if err := p.admin.QueryRow(ctx, othersAnalyze).Scan(&running); err != nil {
			return fmt.Errorf("look what runs: %w", err)
		}

		if running == 0 {
			break
		}

		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err() //nolint:wrapcheck // the caller's own
		}
	}

	if _, err := p.admin.Exec(ctx, "CHECKPOINT"); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}

	return nil
}
