package pgtest

import (
	"context"
	"fmt"
	"sync"
)

// template is a database that tests get copies of.
type template struct {
	once     sync.Once
	database string
	err      error
}

// template makes it if this process has none of that name yet; those who ask meanwhile wait.
func (c *cluster) template(ctx context.Context, name string, prepare func(ctx context.Context, url string) error) (string, error) {
	c.mu.Lock()

	found, ok := c.templates[name]
	if !ok {
		found = &template{}
		c.templates[name] = found
	}

	c.mu.Unlock()

	// The first test's end must not spoil it for the others.
	found.once.Do(func() { found.err = c.makeTemplate(context.WithoutCancel(ctx), found, prepare) })

	return found.database, found.err
}

func (c *cluster) makeTemplate(ctx context.Context, made *template, prepare func(ctx context.Context, url string) error) error {
	made.database = c.name("template")

	if err := c.exec(ctx, "CREATE DATABASE "+quote(made.database)+" OWNER hub"); err != nil {
		return err
	}

	if err := prepare(ctx, c.server.URL(made.database)); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}

	// A database with a connection cannot be copied.
	return c.exec(ctx, "ALTER DATABASE "+quote(made.database)+" ALLOW_CONNECTIONS false")
}
