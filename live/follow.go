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

	done := r.at

	first, err := r.find(ctx)
	if err != nil {
		r.leave()

		return nil, err
	}

	return r.events(ctx, first, done), nil
}

// events gives those read already and all that come. Everything up to done has been handed over.
func (r *reader) events(ctx context.Context, read found, done queue.Cursor) iter.Seq2[*queue.Event, error] {
	return func(yield func(*queue.Event, error) bool) {
		defer r.leave()

		var err error

		for {
			if len(read.events) == 0 {
				read, err = r.ready(ctx)
			}

			// Nothing between done and here is wanted.
			if err == nil && len(read.events) == 0 {
				done = r.at
			}

			if err == nil && r.gate.Pass(ctx, done) != nil {
				return
			}

			if err == nil && len(read.events) == 0 {
				read.events, err = r.await(ctx, time.Time{})
			}

			if ctx.Err() != nil {
				return
			}

			if err != nil {
				yield(nil, err)

				return
			}

			event := read.events[0]
			read.events = read.events[1:]
			done = event.Cursor

			r.gate.Reach(done)

			if !yield(event, nil) {
				return
			}
		}
	}
}
