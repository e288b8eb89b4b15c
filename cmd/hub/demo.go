package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"github.com/sdlc-hub/sdlc-hub/db"
	"github.com/sdlc-hub/sdlc-hub/demo"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

type demoCommand struct {
	JiraListen string `default:"127.0.0.1:8090" env:"HUB_DEMO_JIRA_LISTEN" help:"Where the simulated Jira listens." placeholder:"HOST:PORT"`
}

// Run shows the hub at work, on data that are gone afterwards.
func (c demoCommand) Run(ctx context.Context, out io.Writer, s *settings) (err error) {
	if s.DatabaseURL != "" {
		return &usageError{errors.New("the demonstration brings its own database: unset HUB_DATABASE_URL")}
	}

	if err := s.checkServing(); err != nil {
		return &usageError{err}
	}

	// Before anything is started for it.
	simulated, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.JiraListen)
	if err != nil {
		return fmt.Errorf("the simulated Jira (HUB_DEMO_JIRA_LISTEN): %w", err)
	}

	defer func() { _ = simulated.Close() }() // it may be closed already

	folder, err := os.MkdirTemp("", "sdlc-hub-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demonstration: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	// Postgres' own account has to get through to its data.
	if err := os.Chmod(folder, 0o711); err != nil { //nolint:gosec // what is inside has modes of its own
		return fmt.Errorf("open the demonstration's folder: %w", err)
	}

	s.DataDir = filepath.Join(folder, "data")
	log := s.logger()

	database, leave, err := s.open(ctx, log)
	if err != nil {
		return err
	}

	return errors.Join(serve(ctx, out, s, log, database, func(ctx context.Context, url string, first *db.FirstTokens) error {
		site, err := database.SiteByName(ctx, db.FirstSite)
		if err != nil {
			return err
		}

		return demo.Run(ctx, demo.Config{
			Queue: queue.New(database, database, database, queue.Timing{}, nil), Site: site.ID,
			HubURL: url, AgentToken: first.Agent, Jira: simulated,
			Folder: filepath.Join(folder, "agent"), Version: version, Out: out, Log: log,
		})
	}), leave())
}
