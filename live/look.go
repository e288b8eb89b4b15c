package live

import (
	"context"
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// look reads all that is new, and back to where those who enter want to go on.
func (f *feed) look(ctx context.Context, entering []*entrant) error {
	seen := f.seen.Load()

	if seen != nil {
		err := f.forward(ctx, seen.ring)
		if err == nil {
			return f.back(ctx, entering)
		}

		if queue.CodeOf(err) != queue.CursorExpired {
			return err
		}
		// The log is another one now, as after a restore: begin anew. Readers find their positions in the log or not.
	}

	if err := f.begin(ctx); err != nil {
		return err
	}

	return f.back(ctx, entering)
}

// begin makes the first ring, of the log's head.
func (f *feed) begin(ctx context.Context) error {
	page, err := f.tail.log.Log(ctx, f.site, queue.LogQuery{
		First: 1, NewestFirst: true, Kinds: queue.EventKinds(), WithNames: true,
	})
	if err != nil {
		return fmt.Errorf("find the newest event: %w", err)
	}

	if len(page.Events) > 0 {
		f.show(&sight{ring: ring{newEntry(page.Events[0], page)}})

		return nil
	}

	// Nothing is known of what leads to it, so nothing is put before it.
	head, err := f.tail.log.Head(ctx, f.site)
	if err != nil {
		return fmt.Errorf("find the head of the event log: %w", err)
	}

	f.show(&sight{ring: ring{{Event: &queue.Event{Cursor: head}}}})

	return nil
}

// forward reads what comes after the ring.
func (f *feed) forward(ctx context.Context, now ring) error {
	for {
		after := now.head().Cursor

		page, err := f.tail.log.Log(ctx, f.site, queue.LogQuery{
			After: &after, First: feedPage, Kinds: queue.EventKinds(), WithNames: true,
		})
		if err != nil {
			return fmt.Errorf("read the event log: %w", err)
		}

		next, ok := now.follow(page)
		if !ok {
			return queue.Refusef(queue.CursorExpired, "the log has a gap after %s", after)
		}

		next = next.trim(f.tail.share(), page.Begin)
		if len(page.Events) > 0 || len(next) != len(now) {
			f.show(&sight{ring: next})
		}

		if now = next; !page.HasNext {
			return nil
		}
	}
}

// back puts before the ring what those who come back have missed, as far as a feed reaches.
func (f *feed) back(ctx context.Context, entering []*entrant) error {
	now := f.seen.Load().ring
	wanted := f.farthest(entering, now.head().Cursor.Seq)

	for now[0].Cursor.Seq > wanted && now[0].Kind != "" {
		after := now[0].Cursor

		page, err := f.tail.log.Log(ctx, f.site, queue.LogQuery{
			After: &after, NewestFirst: true, First: int(min(feedPage, after.Seq-wanted)), Kinds: queue.EventKinds(), WithNames: true,
		})
		if queue.CodeOf(err) == queue.CursorExpired {
			return nil // pruned meanwhile, which the next look finds
		} else if err != nil {
			return fmt.Errorf("read back in the event log: %w", err)
		}

		next, ok := now.precede(page)
		if ok && next[0].Cursor.Seq == 1 && page.Begin.Seq == 0 {
			next = append(ring{{Event: &queue.Event{Cursor: page.Begin}}}, next...)
		}

		if len(next) == len(now) {
			return nil
		}

		now = next
		f.show(&sight{ring: now})
	}

	return nil
}

// farthest is the oldest position within reach that somebody comes back to; the head where there is none.
func (f *feed) farthest(entering []*entrant, head int64) int64 {
	reach := head - int64(min(reachBack, f.tail.share()-1))
	wanted := head

	for _, e := range entering {
		if e.after != nil && e.after.Seq >= reach {
			wanted = min(wanted, e.after.Seq)
		}
	}

	return wanted
}
