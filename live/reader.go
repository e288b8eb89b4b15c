package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// reader is one reader's place in the log of a site. It ends with its context, or by leave.
type reader struct {
	*feed

	gate  Gate
	query queue.LogQuery
	// at is the position up to which the log has been looked at.
	at    queue.Cursor
	leave func()
}

// read begins to read: after the query's After, or where that is nil after the head as it is now, of which it gives
// the sight. Whether After is a position the first reading tells.
func (t *Tail) read(ctx context.Context, site queue.SiteID, query queue.LogQuery) (*reader, *sight, error) {
	f, err := t.join(site) //nolint:contextcheck // it serves all readers, and ends with none of their contexts
	if err != nil {
		return nil, nil, err
	}

	r := &reader{feed: f, gate: gateOf(ctx), query: query, leave: sync.OnceFunc(func() { t.leave(f) })}
	r.query.First, r.query.NewestFirst, r.query.WithNames = pageSize, false, false

	seen, err := f.enter(ctx, query.After)
	if err != nil {
		r.leave()

		return nil, nil, fmt.Errorf("look at the event log: %w", err)
	}

	if query.After != nil {
		r.at = *query.After
	} else {
		r.at = seen.ring.head().Cursor
	}

	// Also where nobody ever ranges over what this reader is for.
	stop := context.AfterFunc(ctx, r.leave)
	leave := r.leave
	r.leave = func() {
		stop()
		leave()
	}

	return r, seen, nil
}

// found is what one reading gave.
type found struct {
	events []*queue.Event
	// more tells that the next reading may give some at once.
	more bool
	// next is closed when there is another sight; nil where there will be none.
	next chan struct{}
	// inRing tells that no more comes without another sight.
	inRing bool
}

// find gives what is there after the present position, at most a page, and moves there. Where the ring holds the
// position it comes from the ring; where it does not, the log decides what that position is.
func (r *reader) find(ctx context.Context) (found, error) {
	seen := r.seen.Load()
	if seen.over != nil {
		return found{}, seen.over
	}

	if place, ok := seen.ring.find(r.at); ok {
		return r.fromRing(seen, place), nil
	}

	after := r.at
	r.query.After = &after

	page, err := r.tail.log.Log(ctx, r.site, r.query)
	if err != nil {
		return found{next: seen.next}, fmt.Errorf("read the event log: %w", err)
	}

	r.at = page.End

	return found{events: page.Events, more: page.HasNext, next: seen.next}, nil
}

func (r *reader) fromRing(seen *sight, place int) found {
	var events []*queue.Event

	for place++; place < len(seen.ring) && len(events) < pageSize; place++ {
		e := &seen.ring[place]
		if r.query.Wants(e.Event, e.key, e.from) {
			events = append(events, e.Event)
		}
	}

	r.at = seen.ring[place-1].Cursor

	return found{events: events, more: place < len(seen.ring), next: seen.next, inRing: true}
}

// ready gives the next events that are there already, if any. That the database is away it leaves to await.
func (r *reader) ready(ctx context.Context) (found, error) {
	for {
		now, err := r.find(ctx)
		if now.next != nil && queue.CodeOf(err) == queue.Unavailable {
			return now, nil
		}

		if err != nil || len(now.events) > 0 || !now.more {
			return now, err
		}
	}
}

// await gives the next events, or none where the deadline is over first (a zero one never is). While the database is
// away it tries again: what is lost is time. It errors as soon as the context has ended.
func (r *reader) await(ctx context.Context, deadline time.Time) ([]*queue.Event, error) {
	for {
		now, err := r.find(ctx)

		switch {
		case err != nil && (queue.CodeOf(err) != queue.Unavailable || now.next == nil):
			return nil, err
		case err != nil:
			now.next = nil // another try at once would fail too
		case len(now.events) > 0:
			return now.events, nil
		case now.more:
			continue
		}

		atMost := r.tail.timing.Look
		if now.inRing {
			atMost = 0 // the feed looks for all
		}

		if late, err := pause(ctx, now.next, atMost, deadline); late || err != nil {
			return nil, err
		}
	}
}

// pause ends when woken, after the time (0: never), or at the deadline, which it tells; with an error where the context
// ended.
func pause(ctx context.Context, woken <-chan struct{}, atMost time.Duration, deadline time.Time) (late bool, err error) {
	var timer <-chan time.Time

	if !deadline.IsZero() {
		left := time.Until(deadline)
		if left <= 0 {
			return true, nil
		}

		if atMost == 0 || left < atMost {
			atMost = left
		}
	}

	if atMost > 0 {
		timer = time.After(atMost)
	}

	select {
	case <-ctx.Done():
		return false, ctx.Err() //nolint:wrapcheck // whoever ended it knows why
	case <-woken:
	case <-timer:
	}

	return false, nil
}
