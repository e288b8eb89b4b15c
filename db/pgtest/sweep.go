package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"
)

var ownName = regexp.MustCompile(`^(?:test|template)_(\d+)_\d+$`)

// sweep drops the databases of test processes that are gone: a template outlives its process
// anyway, and a killed one drops nothing. Another process may sweep at the same moment.
func (c *cluster) sweep(ctx context.Context) error {
	names, err := c.databases(ctx)
	if err != nil {
		return err
	}

	for _, name := range names {
		match := ownName.FindStringSubmatch(name)
		if match == nil {
			continue
		}

		// This process has made none yet, so one that bears its number is another's.
		pid, err := strconv.Atoi(match[1])
		if err != nil || (pid != os.Getpid() && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)) {
			continue
		}

		if err := c.exec(ctx, "DROP DATABASE IF EXISTS "+quote(name)+" WITH (FORCE)"); err != nil {
			return fmt.Errorf("sweep up after killed tests: %w", err)
		}
	}

	return nil
}

func (c *cluster) databases(ctx context.Context) ([]string, error) {
	conn, err := pgx.Connect(ctx, c.server.AdminURL("postgres"))
	if err != nil {
		return nil, fmt.Errorf("look for leftover databases: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // Nothing is lost with it.

	rows, err := conn.Query(ctx, "SELECT datname FROM pg_database")
	if err != nil {
		return nil, fmt.Errorf("look for leftover databases: %w", err)
	}

	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look for leftover databases: %w", err)
	}

	return names, nil
}
