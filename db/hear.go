package db

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Pauses between attempts to connect anew.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 10 * time.Second
)

// hear wakes those in this process who wait for a site that another hub has changed.
func (d *DB) hear(ctx context.Context) {
	d.keepConnected(ctx, "hear of other hubs' changes", func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			return err //nolint:wrapcheck // keepConnected says what it was for
		}

		// Nobody heard what was called out before.
		d.bell.ringAll()

		for {
			heard, err := conn.WaitForNotification(ctx)
			if err != nil {
				return err //nolint:wrapcheck // keepConnected says what it was for
			}

			// Its own changes this process has rung for already.
			if heard.PID != d.calls.from.Load() {
				d.heard(heard.Payload)
			}
		}
	})
}

// heard rings for what a call says; one that says what this version does not know counts for all.
func (d *DB) heard(said string) {
	for id := range strings.SplitSeq(said, ",") {
		site, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			d.bell.ringAll()

			return
		}

		d.bell.ring(queue.SiteID(site))
	}
}

// keepConnected runs work on a connection beside the pool, anew after growing pauses when it breaks, until the context
// ends.
func (d *DB) keepConnected(ctx context.Context, purpose string, work func(conn *pgx.Conn) error) {
	pause, told := firstRetry, false

	for ctx.Err() == nil {
		began := time.Now()
		err := d.connected(ctx, work)

		if ctx.Err() != nil {
			return
		}

		// One that held for a while starts the pauses anew, and is worth a line again.
		if time.Since(began) > lastRetry {
			pause, told = firstRetry, false
		}

		if !told {
			d.log.WarnContext(ctx, "no connection to "+purpose+"; they are noticed within a second all the same", "error", err)

			told = true
		}

		if wait(ctx, pause) != nil {
			return
		}

		pause = min(2*pause, lastRetry)
	}
}

func (d *DB) connected(ctx context.Context, work func(conn *pgx.Conn) error) error {
	config := d.pool.Config().ConnConfig.Copy()
	// What it sends belongs to no call.
	config.Tracer = nil

	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return oneLine(err)
	}

	defer func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingWithin)
		defer cancel()

		_ = conn.Close(bounded)
	}()

	return work(conn)
}

// wait errors where the context ends before the time is over.
func wait(ctx context.Context, atLeast time.Duration) error {
	timer := time.NewTimer(atLeast)
	defer timer.Stop()

	select {
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // whoever ended it knows why
	case <-timer.C:
		return nil
	}
}
