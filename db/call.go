package db

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// channel carries the ids of changed sites, decimal and parted by commas; everySite stands for all of them.
	channel   = "sdlc_hub_changed"
	everySite = "*"
	sayCalled = "SELECT pg_notify('" + channel + "', $1)"

	// callGap keeps the calls of one process to 40 a second: each of them takes a lock of the whole server, and costs as much
	// as a part of a claim. It is what a change in one hub may come late in another where many come.
	callGap = 25 * time.Millisecond
	// callBytes is what one call holds at most; Postgres takes 8,000. callSites bounds those that wait to be called out.
	callBytes = 7900
	callSites = 10_000
)

// calls are the sites whose changes the other hubs have not been told of.
type calls struct {
	mu    sync.Mutex
	sites map[queue.SiteID]struct{}
	// many stands for more sites than are worth naming.
	many  bool
	ready chan struct{}
	// from is the number of the server's process that this process's calls come from; 0 while there is none.
	from atomic.Uint32
}

func newCalls() *calls {
	return &calls{sites: map[queue.SiteID]struct{}{}, ready: make(chan struct{}, 1)}
}

// changed wakes those who wait for the site, in this process now and in the others soon. It never waits.
func (d *DB) changed(site queue.SiteID) {
	d.bell.ring(site)
	d.calling.Do(func() { d.tasks.Go(func() { d.call(d.background) }) })
	d.calls.add(site)
}

func (c *calls) add(site queue.SiteID) {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.many = c.many || len(c.sites) >= callSites; c.many {
		clear(c.sites)
	} else {
		c.sites[site] = struct{}{}
	}

	select {
	case c.ready <- struct{}{}:
	default:
	}
}

// take gives what one call shall say, "" for nothing.
func (c *calls) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.many {
		c.many = false

		return everySite
	}

	var said strings.Builder

	for site := range c.sites {
		id := strconv.FormatInt(int64(site), 10)
		if said.Len()+1+len(id) > callBytes {
			break
		}

		if said.Len() > 0 {
			said.WriteByte(',')
		}

		said.WriteString(id)
		delete(c.sites, site)
	}

	if len(c.sites) > 0 {
		select {
		case c.ready <- struct{}{}:
		default:
		}
	}

	return said.String()
}

// call tells the other hubs what changed, over a connection of its own: it neither waits for one of the pool nor takes
// one from those who change something, and its commits need not reach the disk. What is lost is time.
func (d *DB) call(ctx context.Context) {
	d.keepConnected(ctx, "tell other hubs of changes", func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "SET synchronous_commit = off"); err != nil {
			return err //nolint:wrapcheck // keepConnected says what it was for
		}

		d.calls.from.Store(conn.PgConn().PID())
		defer d.calls.from.Store(0)

		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-d.calls.ready:
			}

			if said := d.calls.take(); said != "" {
				if err := say(ctx, conn, said); err != nil {
					d.calls.missed()

					return err
				}
			}

			if err := wait(ctx, callGap); err != nil {
				return err
			}
		}
	})
}

func say(ctx context.Context, conn *pgx.Conn, said string) error {
	bounded, cancel := context.WithTimeout(ctx, pingWithin)
	defer cancel()

	_, err := conn.Exec(bounded, sayCalled, said)

	return err //nolint:wrapcheck // keepConnected says what it was for
}

// missed has the next call be to all: what this one said is not known any more.
func (c *calls) missed() {
	c.mu.Lock()
	c.many = true
	c.mu.Unlock()

	c.add(0)
}
