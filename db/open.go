// Package db keeps sites in Postgres: the write path that queue.Store asks for, the lists that queue.Reader serves,
// the tokens, and the migrations of the schema.
package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

// DB is the hub's database. It implements queue.Store, queue.Reader, queue.Waker and access.Tokens. Every error of
// its methods is a queue.Error, the caller's own context's, or wrapped with what was being done; Unavailable where
// the database is away.
type DB struct {
	pool    *pgxpool.Pool
	bun     *bun.DB
	log     *slog.Logger
	options Options
	locks   siteLocks
	recall  recall
	outage  outage

	bell  bell
	calls *calls
	// hearing and calling begin with the first who waits and the first change: what only makes tokens needs neither.
	hearing, calling sync.Once

	statistics statistics
	// background ends with Close, and all that runs in it.
	background context.Context //nolint:containedctx // it is the owner's life, not a request's
	stop       context.CancelFunc
	tasks      sync.WaitGroup
}

// Options are what an operator may choose. Zero values mean the default.
type Options struct {
	// Log takes what nobody asked for; slog.Default().
	Log *slog.Logger
	// MaxConns is how many connections the pool opens at most; 20.
	MaxConns int32
	// Acquire is how long a reader waits for a connection before the database counts as away; 3 s.
	Acquire time.Duration
	// Answer is how long a read may take in all before the database counts as away; 5 s.
	Answer time.Duration
	// Seat is how long an instance keeps its seat after its last call, as the domain has it; 60 s.
	Seat time.Duration
	// Tracer sees every statement as pgx sends it, for a bench or a test; nil for none.
	Tracer pgx.QueryTracer
}

const (
	defaultMaxConns = 20
	defaultAcquire  = 3 * time.Second
	defaultAnswer   = 5 * time.Second
	defaultSeat     = 60 * time.Second

	// connectWithin bounds one attempt to connect, pingWithin the question whether an idle connection still lives.
	connectWithin = 3 * time.Second
	pingWithin    = time.Second
)

func (o Options) orDefault() Options {
	if o.Log == nil {
		o.Log = slog.Default()
	}

	if o.MaxConns == 0 {
		o.MaxConns = defaultMaxConns
	}

	if o.Acquire == 0 {
		o.Acquire = defaultAcquire
	}

	if o.Answer == 0 {
		o.Answer = defaultAnswer
	}

	if o.Seat == 0 {
		o.Seat = defaultSeat
	}

	return o
}

// Open connects to the database at a postgres:// URL. It does not migrate. Where the URL is none, the server is away
// or the database cannot hold every character, the error says so in one line without the password.
func Open(ctx context.Context, url string, options Options) (*DB, error) {
	options = options.orDefault()

	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the database's URL cannot be read: %w", err)
	}

	config.MaxConns = options.MaxConns
	config.ConnConfig.Tracer = options.Tracer
	config.PingTimeout = pingWithin
	limit(config.ConnConfig)

	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}

	if err := greet(ctx, pool, options.Log); err != nil {
		pool.Close()

		return nil, fmt.Errorf("the database %s cannot be reached: %w", place(config.ConnConfig), err)
	}

	background, stop := context.WithCancel(context.WithoutCancel(ctx))

	return &DB{
		pool: pool, bun: openBun(pool, options.Acquire), log: options.Log, options: options,
		background: background, stop: stop, calls: newCalls(),
	}, nil
}

// Close waits for the connections that are in use and closes all.
func (d *DB) Close() {
	d.stop()
	d.tasks.Wait()
	d.statistics.tasks.Wait()

	if err := d.bun.Close(); err != nil {
		d.log.Warn("closing the database", "error", err)
	}

	d.pool.Close()
}

// Ping tells whether the database answers.
func (d *DB) Ping(ctx context.Context) error {
	return d.within(ctx, "ping the database", func(ctx context.Context) error {
		conn, err := d.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()

		return conn.Ping(ctx)
	})
}

// acquire takes a connection from the pool, for at most the time that Options.Acquire gives. Where one is free there is
// nothing to wait for, and a timer would cost more than the rest.
func (d *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if d.pool.Stat().IdleConns() > 0 {
		return d.pool.Acquire(ctx) //nolint:wrapcheck // whoever wanted it says for what
	}

	waiting, cancel := context.WithTimeout(ctx, d.options.Acquire)
	defer cancel()

	conn, err := d.pool.Acquire(waiting)

	return conn, ownDeadline(ctx, waiting, err)
}

// limit sets what holds on every connection: nothing waits for ever, on either side.
func limit(config *pgx.ConnConfig) {
	config.ConnectTimeout = connectWithin
	// A peer that vanished without a word is noticed in seconds, not in Linux' two hours.
	config.DialFunc = (&net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: time.Second, Count: 3},
	}).DialContext

	if config.RuntimeParams == nil {
		config.RuntimeParams = map[string]string{}
	}

	maps.Copy(config.RuntimeParams, settings())
}

// settings are what every connection begins with.
func settings() map[string]string {
	return map[string]string{
		"application_name":                    "sdlc-hub",
		"timezone":                            "UTC",
		"statement_timeout":                   "30s",
		"lock_timeout":                        "4s",
		"idle_in_transaction_session_timeout": "30s",
		// Every statement of the write path finds its rows by an index, whatever the statistics say: the tables with one
		// row a site are full of dead versions when an old snapshot is open.
		"enable_seqscan":  "off",
		"plan_cache_mode": "force_generic_plan",
		// Compiling a plan costs more than the hub's short statements ever take.
		"jit": "off",
		// bun writes text into its statements, and must know how a backslash in it is read.
		"standard_conforming_strings": "on",
	}
}

// greet makes the first connection and looks whether the database can hold what people write.
func greet(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return oneLine(err)
	}
	defer conn.Release()

	if encoding := conn.Conn().PgConn().ParameterStatus("server_encoding"); encoding != "UTF8" {
		return fmt.Errorf("its encoding is %s, and has to be UTF8", encoding)
	}

	var everyScript bool
	if err := conn.QueryRow(ctx, "SELECT lower('Ж') = 'ж'").Scan(&everyScript); err != nil {
		return oneLine(err)
	}

	if !everyScript {
		log.WarnContext(ctx, "the database's LC_CTYPE knows upper and lower case in Latin only: searches tell them apart elsewhere")
	}

	return nil
}

func openBun(pool *pgxpool.Pool, acquire time.Duration) *bun.DB {
	sqldb := openSQL(stdlib.GetPoolConnector(pool), acquire)

	return bun.NewDB(sqldb, pgdialect.New(), bun.WithConnResolver(unprepared{sqldb}))
}

// place names the database without its user and password.
func place(config *pgx.ConnConfig) string {
	return fmt.Sprintf("%q at %s:%d", config.Database, config.Host, config.Port)
}

// oneLine keeps an error's words, which pgx spreads over lines where it tried several addresses.
func oneLine(err error) error {
	var lines []string

	// Every address is tried with TLS and without, and mostly says the same twice.
	for line := range strings.Lines(err.Error()) {
		if line = strings.Join(strings.Fields(line), " "); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}

	return errors.New(strings.Join(lines, " "))
}
