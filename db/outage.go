package db

import (
	"context"
	"sync/atomic"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// outage remembers whether the database was away at the last look, so that the log says once that it went and once
// that it came back, and not with every call between.
type outage struct{ away atomic.Bool }

// told gives the error of a piece of work the form of away, and logs where the database went or came back.
func (d *DB) told(ctx context.Context, err error, doing string) error {
	err = away(err, doing)

	switch {
	case queue.IsBusy(err):
	case queue.CodeOf(err) == queue.Unavailable:
		if !d.outage.away.Swap(true) {
			d.log.WarnContext(ctx, "the database is away", "error", err)
		}
	case err == nil:
		if d.outage.away.Swap(false) {
			d.log.InfoContext(ctx, "the database is back")
		}
	}

	return err
}
