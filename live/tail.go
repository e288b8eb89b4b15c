package live

import (
	"context"
	"fmt"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Log is what a Tail needs of a queue.Reader.
type Log interface {
	Log(ctx context.Context, site queue.SiteID, query queue.LogQuery) (*queue.LogPage, error)
	Head(ctx context.Context, site queue.SiteID) (queue.Cursor, error)
}

var _ Log = queue.Reader(nil)

// Timing is how a Tail waits. Zero values mean the default.
type Timing struct {
	// Look is how often the log is looked at where nothing woke the Tail; 1 s.
	Look time.Duration
	// Gap is the least time between two rounds of Watch; 100 ms.
	Gap time.Duration
}

const (
	defaultLook = time.Second
	defaultGap  = 100 * time.Millisecond
	// pageSize is how many events are read at once: as much as one reader ever has in memory.
	pageSize = 200
)

// Tail follows the logs of the sites.
type Tail struct {
	log    Log
	waker  queue.Waker
	timing Timing
}

// NewTail makes a Tail over a log. The waker spares it time, and is not relied upon.
func NewTail(log Log, waker queue.Waker, timing Timing) *Tail {
	if timing.Look == 0 {
		timing.Look = defaultLook
	}

	if timing.Gap == 0 {
		timing.Gap = defaultGap
	}

	return &Tail{log: log, waker: waker, timing: timing}
}

// reading is one reader's place in one log.
type reading struct {
	*Tail
	site  queue.SiteID
	query queue.LogQuery
}

// from begins to read after a position that is known to be one.
func (t *Tail) from(site queue.SiteID, query queue.LogQuery, after queue.Cursor) *reading {
	query.After, query.First, query.NewestFirst = &after, pageSize, false

	return &reading{Tail: t, site: site, query: query}
}

// next reads the page after the present position and moves there.
func (r *reading) next(ctx context.Context) (*queue.LogPage, error) {
	page, err := r.log.Log(ctx, r.site, r.query)
	if err != nil {
		return nil, fmt.Errorf("read the event log: %w", err)
	}

	if page.End.Seq > r.query.After.Seq {
		r.query.After = &page.End
	}

	return page, nil
}

// await reads until a page has events or the deadline is over (a zero one never is), and gives that page. While the
// database is away it tries again: what is lost is time. It errors as soon as the context has ended.
func (r *reading) await(ctx context.Context, deadline time.Time) (*queue.LogPage, error) {
	for {
		// Before the log is read, so that no change falls between the two.
		woken := r.waker.Woken(r.site)
		page, err := r.next(ctx)

		switch {
		case err != nil && queue.CodeOf(err) != queue.Unavailable:
			return nil, err
		case err != nil:
			woken = nil
		case len(page.Events) > 0:
			return page, nil
		case page.HasNext:
			continue
		}

		if late, err := pause(ctx, woken, r.timing.Look, deadline); err != nil {
			return nil, err
		} else if late {
			return &queue.LogPage{End: *r.query.After}, nil
		}
	}
}

// pause ends when woken, after the time, or at the deadline, which it tells; with an error where the context ended.
func pause(ctx context.Context, woken <-chan struct{}, atMost time.Duration, deadline time.Time) (late bool, err error) {
	if !deadline.IsZero() {
		left := time.Until(deadline)
		if left <= 0 {
			return true, nil
		}

		atMost = min(atMost, left)
	}

	timer := time.NewTimer(atMost)
	defer timer.Stop()

	select {
	case <-ctx.Done():
		return false, ctx.Err() //nolint:wrapcheck // whoever ended it knows why
	case <-woken:
	case <-timer.C:
	}

	return false, nil
}
