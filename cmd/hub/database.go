package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"syscall"
	"time"

	"github.com/sdlc-hub/sdlc-hub/db"
	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// stopWithin bounds how long the private Postgres may take to stop.
const stopWithin = 3 * time.Second

// open connects to the database that the settings name, migrated, or to the private Postgres. The returned function
// lets go of both.
func (s *settings) open(ctx context.Context, log *slog.Logger) (*db.DB, func() error, error) {
	url, stop, err := s.findDatabase(ctx, log)
	if err != nil {
		return nil, nil, err
	}

	database, err := db.Open(ctx, url, db.Options{Log: log, MaxConns: s.DatabaseConns})
	if err != nil {
		return nil, nil, errors.Join(err, stop())
	}

	leave := func() error {
		database.Close()

		return stop()
	}

	if err := database.Migrate(ctx); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("migrate the database: %w", err), leave())
	}

	return database, leave, nil
}

// findDatabase gives the URL of the database, starting the private one where none is named.
func (s *settings) findDatabase(ctx context.Context, log *slog.Logger) (string, func() error, error) {
	if s.DatabaseURL != "" {
		return s.DatabaseURL, func() error { return nil }, nil
	}

	private, err := localpg.Start(ctx, localpg.Config{DataDir: s.DataDir, BinDir: s.PostgresBin, Log: log})
	if err != nil {
		return "", nil, s.blame(err)
	}

	keeping, stopKeeping := context.WithCancel(ctx)

	var keeper sync.WaitGroup

	keeper.Go(func() { private.Keep(keeping) })

	return private.URL(localpg.Database), func() error {
		stopKeeping()
		keeper.Wait()

		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
		defer cancel()

		return private.Close(bounded)
	}, nil
}

// blame makes it a mistake of the command line where a folder that was named is none that the hub could use.
func (s *settings) blame(err error) error {
	noPrograms := s.PostgresBin != "" && errors.Is(err, localpg.ErrNoPrograms)
	noFolder := s.DataDir != "" &&
		(errors.Is(err, localpg.ErrForeignFolder) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrNotExist))

	if noPrograms || noFolder {
		return &usageError{err}
	}

	return err
}

// with runs work on the opened database.
func (s *settings) with(ctx context.Context, work func(database *db.DB) error) error {
	database, leave, err := s.open(ctx, s.logger())
	if err != nil {
		return err
	}

	return errors.Join(work(database), leave())
}
