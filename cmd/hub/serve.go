package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/db"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
	"github.com/sdlc-hub/sdlc-hub/server"
	"github.com/sdlc-hub/sdlc-hub/server/operation"
)

type serveCommand struct{}

// Run serves until the context ends.
func (serveCommand) Run(ctx context.Context, out io.Writer, s *settings) error {
	if err := s.checkServing(); err != nil {
		return &usageError{err}
	}

	log := s.logger()

	database, leave, err := s.open(ctx, log)
	if err != nil {
		return err
	}

	return errors.Join(serve(ctx, out, s, log, database, nil), leave())
}

// beside works next to a hub that can be reached at the URL, until the context ends; first is nil where the database had
// tokens already. The hub ends where it fails.
type beside func(ctx context.Context, url string, first *db.FirstTokens) error

func serve(ctx context.Context, out io.Writer, s *settings, log *slog.Logger, database *db.DB, with beside) error {
	keeping, stopKeeping := context.WithCancel(ctx)

	var keeper sync.WaitGroup

	keeper.Go(func() { database.KeepEvents(keeping, s.KeepEvents) })

	defer func() {
		stopKeeping()
		keeper.Wait()
	}()

	tail := live.NewTail(database, database, live.Timing{})
	defer tail.Close()

	drained := make(chan struct{})
	presenter := resolvers.NewPresenter(log)
	resolver := resolvers.New(resolvers.Config{
		Queue:  queue.New(database, database, database, queue.Timing{}, drained),
		Reader: database,
		Live:   tail,
	})

	hub, err := server.New(server.Config{
		Schema:   resolvers.NewExecutableSchema(resolver),
		Login:    access.NewAuthenticator(database, s.limits()),
		Present:  presenter.Present,
		Recover:  presenter.Recover,
		Log:      log,
		Ready:    database.Ping,
		Drain:    sync.OnceFunc(func() { close(drained) }),
		Version:  version,
		Listen:   s.Listen,
		Exposure: s.exposure(),
		// What a list costs and what an operation may cost are chosen together.
		Operations: operation.Limits{Cost: resolvers.MaxComplexity},
	})
	if err != nil {
		return err
	}

	if err := hub.Listen(ctx); err != nil {
		return err
	}

	// Only now, since they are shown once: a hub that cannot listen would have made them for nobody.
	first, err := database.EnsureFirstTokens(ctx)
	if err != nil {
		return fmt.Errorf("look for tokens: %w", err)
	}

	url := s.scheme() + "://" + hub.Addr().String()
	greet(out, url, first)

	both, ctx := errgroup.WithContext(ctx)

	both.Go(func() error { return hub.Run(ctx) })

	if with != nil {
		both.Go(func() error { return with(ctx, url, first) })
	}

	err = both.Wait()

	resolver.Wait()

	return err //nolint:wrapcheck // each says what it was doing
}

func (s *settings) scheme() string {
	if s.TLSCert != "" {
		return "https"
	}

	return "http"
}

// greet says where the hub is and, once in a database's life, the tokens to use it with.
func greet(out io.Writer, url string, first *db.FirstTokens) {
	_, _ = fmt.Fprintf(out, "sdlc-hub %s at %s/graphql\n", version, url)
	_, _ = fmt.Fprintf(out, "By hand, in a browser: %s/graphiql\n", url)

	if first != nil {
		_, _ = fmt.Fprintf(out, `
The first tokens, for the site %q. They are shown this once; keep them.
  operator  %s
  agent     %s

`, db.FirstSite, first.Operator, first.Agent)
	}
}
