package live

import (
	"context"
	"iter"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Follow gives every event of the site that the query wants, in order, none lost and none twice: those after its
// After, or where that is nil those after the log's head as it is before Follow returns. A position that is none any
// more is a CursorExpired here; should it become so later, because the reader is slower than the log is pruned, the
// sequence ends with that error. It ends without one when the context does. First and NewestFirst are ignored. The
// events are shared: nobody may change them. The sequence can be ranged over once.
func (t *Tail) Follow(ctx context.Context, site queue.SiteID, query queue.LogQuery) (iter.Seq2[*queue.Event, error], error) {
	r, _, err := t.read(ctx, site, query)
	if err != nil {
		return nil, err
	}

	f := &follower{reader: r, done: r.at}

	if f.read, err = r.find(ctx); err != nil {
		r.leave()

		return nil, err
	}

	return f.events(ctx), nil
}

// follower is a reader that hands over each event.
type follower struct {
	*reader

	// read are events to be handed over; all that is wanted up to done has been.
	read found
	done queue.Cursor
}

func (f *follower) events(ctx context.Context) iter.Seq2[*queue.Event, error] {
	return func(yield func(*queue.Event, error) bool) {
		defer f.leave()

		for {
			event, err := f.next(ctx)

			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				yield(nil, err)

				return
			case event == nil:
				return
			}

			f.gate.Reach(event.Cursor)

			if !yield(event, nil) {
				return
			}
		}
	}
}

// next waits for the gate and for the next event; nil where the gate ends it.
func (f *follower) next(ctx context.Context) (*queue.Event, error) {
	var err error

	if len(f.read.events) == 0 {
		if f.read, err = f.ready(ctx); err != nil {
			return nil, err
		}
	}

	if len(f.read.events) == 0 {
		f.done = f.at // nothing in between is wanted
	}

	if f.gate.Pass(ctx, f.done) != nil {
		return nil, nil //nolint:nilerr // the gate ends it silently
	}

	if len(f.read.events) == 0 {
		if f.read.events, err = f.await(ctx, time.Time{}); err != nil {
			return nil, err
		}
	}

	event := f.read.events[0]
	f.read.events, f.done = f.read.events[1:], event.Cursor

	return event, nil
}
