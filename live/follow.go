package live

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Follow gives every event of the site that the query wants, in order, none lost and none twice: those after its
// After, or where that is nil those after the log's head as it is before Follow returns. A position that is none any
// more is a CursorExpired here; should it become so later, because the reader is slower than the log is pruned, the
// sequence ends with that error. It ends without one when the context does. First and NewestFirst are ignored. The
// sequence can be ranged over once.
func (t *Tail) Follow(ctx context.Context, site queue.SiteID, query queue.LogQuery) (iter.Seq2[*queue.Event, error], error) {
	if query.After == nil {
		head, err := t.log.Head(ctx, site)
		if err != nil {
			return nil, fmt.Errorf("find the head of the event log: %w", err)
		}

		return t.from(site, query, head).events(ctx, nil), nil
	}

	place := t.from(site, query, *query.After)

	page, err := place.next(ctx)
	if err != nil {
		return nil, err
	}

	return place.events(ctx, page.Events), nil
}

// events gives those read already and all that come.
func (r *reading) events(ctx context.Context, read []*queue.Event) iter.Seq2[*queue.Event, error] {
	return func(yield func(*queue.Event, error) bool) {
		for {
			for _, event := range read {
				if ctx.Err() != nil || !yield(event, nil) {
					return
				}
			}

			page, err := r.await(ctx, time.Time{})
			if err != nil {
				if ctx.Err() == nil {
					yield(nil, err)
				}

				return
			}

			read = page.Events
		}
	}
}
