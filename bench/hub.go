package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/db"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// hub is the hub without its HTTP side, on a database of its own; the floor's tables are in the same database, in a
// schema of theirs.
type hub struct {
	url   string
	store *db.DB
	queue *queue.Queue
	// plain is a connection as anybody would have it, for the floor and for looking at tables.
	plain *pgx.Conn
	drop  func()
}

// newHub makes the database, its schema and the floor's.
func (b *bench) newHub(ctx context.Context) (*hub, error) {
	url, drop, err := b.pg.database(ctx)
	if err != nil {
		return nil, err
	}

	h := &hub{url: url, drop: drop}

	if err := h.open(ctx); err != nil {
		h.close()

		return nil, err
	}

	return h, nil
}

// openQueue opens the hub's side of a database.
func openQueue(ctx context.Context, url string, tracer pgx.QueryTracer) (*db.DB, *queue.Queue, error) {
	// What the hub has to say, such as that statistics are late, would be of this machine's load.
	store, err := db.Open(ctx, url, db.Options{Log: slog.New(slog.DiscardHandler), Tracer: tracer})
	if err != nil {
		return nil, nil, fmt.Errorf("open the hub's database: %w", err)
	}

	return store, queue.New(store, store, store, queue.Timing{}, nil), nil
}

func (h *hub) open(ctx context.Context) error {
	var err error

	h.store, h.queue, err = openQueue(ctx, h.url, nil)
	if err != nil {
		return err
	}

	if err := h.store.Migrate(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}

	h.plain, err = pgx.Connect(ctx, h.url)
	if err != nil {
		return fmt.Errorf("connect for the floor: %w", err)
	}

	_, err = h.plain.Exec(ctx, "CREATE SCHEMA floor")

	return wrap("make the floor's schema", err)
}

func (h *hub) close() {
	if h.store != nil {
		h.store.Close()
	}

	if h.plain != nil {
		_ = h.plain.Close(context.Background()) // its database is dropped next
	}

	h.drop()
}

// site makes a site.
func (h *hub) site(ctx context.Context, name string) (queue.Actor, error) {
	id, err := h.store.CreateSite(ctx, name)

	return queue.Actor{Site: id, Name: "bench"}, wrap("make a site", err)
}

// token makes a token of that role for a site.
func (h *hub) token(ctx context.Context, site string, role access.Role) (string, error) {
	token := access.NewToken()
	err := h.store.CreateToken(ctx, db.NewToken{Site: site, Name: string(role), Role: role, Hash: access.Hash(token)})

	return token, wrap("make a token", err)
}

// agent works for a site as a real one does, without the work.
type agent struct {
	queue *queue.Queue
	by    queue.Actor
}

var errIdle = errors.New("the queue was idle, which the bench should have seen to")

// cycle claims a command and reports it done.
func (a *agent) cycle(ctx context.Context) error {
	handout, idle, err := a.queue.Claim(ctx, a.by, queue.ClaimCall{Instance: "bench"})
	if err != nil {
		return fmt.Errorf("claim: %w", err)
	}

	if handout == nil {
		return fmt.Errorf("%w: %s", errIdle, idle)
	}

	report := queue.Report{Command: handout.Command, Outcome: queue.OutcomeDone, Instance: "bench"}

	if _, isIssue := handout.Params.(queue.EnsureIssue); isIssue {
		made := queue.Key(fmt.Sprintf("AURORA-%d", handout.Command))
		report.Key = &made
	}

	_, err = a.queue.Report(ctx, a.by, report)

	return wrap("report", err)
}

// cycles makes so many of them.
func (a *agent) cycles(ctx context.Context, count int) error {
	for range count {
		if err := a.cycle(ctx); err != nil {
			return err
		}
	}

	return nil
}

// fill queues so many commands in batches of batchSize.
func (h *hub) fill(ctx context.Context, by queue.Actor, count int) error {
	for count > 0 {
		some := min(count, batchSize)

		if _, err := h.queue.CreateBatch(ctx, by, queue.BatchSpec{Commands: plainCommands(some)}); err != nil {
			return fmt.Errorf("create a batch: %w", err)
		}

		count -= some
	}

	return nil
}

func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}

	return fmt.Errorf("%s: %w", doing, err)
}
