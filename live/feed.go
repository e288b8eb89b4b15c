package live

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// feed reads the log of one site for all its readers.
type feed struct {
	tail *Tail
	site queue.SiteID
	// stop ends the goroutine. readers are counted under the Tail's lock.
	stop    context.CancelFunc
	readers int

	// seen is what has been read; nil before the first look.
	seen atomic.Pointer[sight]
	// asked wakes the goroutine for those who wait in entering.
	asked chan struct{}

	mu       sync.Mutex
	entering []*entrant
	// over is why there will be no look any more.
	over error
}

// sight is what a feed has read up to one moment.
type sight struct {
	ring ring
	// next is closed when there is another sight.
	next chan struct{}
	// over is why there will be no other that readers could go on with.
	over error
}

// entrant is a reader that begins.
type entrant struct {
	// after is where it wants to go on; nil for the head.
	after *queue.Cursor
	done  chan entered
}

type entered struct {
	sight *sight
	err   error
}

// enter gives a sight by a look that began after this call: whatever was committed before is in it.
func (f *feed) enter(ctx context.Context, after *queue.Cursor) (*sight, error) {
	e := &entrant{after: after, done: make(chan entered, 1)}

	f.mu.Lock()
	if f.over != nil {
		defer f.mu.Unlock()

		return nil, f.over
	}

	f.entering = append(f.entering, e)
	f.mu.Unlock()

	select {
	case f.asked <- struct{}{}:
	default:
	}

	select {
	case answer := <-e.done:
		return answer.sight, answer.err
	case <-ctx.Done():
		return nil, ctx.Err() //nolint:wrapcheck // whoever ended it knows why
	}
}

// run looks at the log until the context ends or a look fails for good.
func (f *feed) run(ctx context.Context) {
	for {
		// Before the log is read, so that no change falls between the two.
		woken := f.tail.waker.Woken(f.site)
		began := time.Now()
		entering := f.takeEntrants()

		err := f.look(ctx, entering)

		switch {
		case ctx.Err() != nil:
			err = queue.Away(ctx.Err())
		case queue.CodeOf(err) == queue.Unavailable:
			// Who came during this look would not fare better, and being woken helps nobody.
			answer(append(entering, f.takeEntrants()...), entered{err: err})

			entering, woken, err = nil, nil, nil
		}

		answer(entering, entered{f.seen.Load(), err})

		if err == nil {
			err = f.await(ctx, began, woken)
		}

		if err != nil {
			f.end(err)

			return
		}
	}
}

// await returns when it is time for the next look.
func (f *feed) await(ctx context.Context, began time.Time, woken <-chan struct{}) error {
	timer := time.NewTimer(f.tail.timing.Look)
	defer timer.Stop()

	asked := f.asked

	for {
		select {
		case <-ctx.Done():
			return queue.Away(ctx.Err())
		case <-woken:
			return nil
		case <-timer.C:
			return nil
		case <-asked:
			// Those who come one right after the other share the next look.
			asked = nil

			timer.Reset(max(0, enterGap-time.Since(began)))
		}
	}
}

func (f *feed) takeEntrants() []*entrant {
	// Taken first: who asks from now on asks again.
	select {
	case <-f.asked:
	default:
	}

	f.mu.Lock()
	defer f.mu.Unlock()

	entering := f.entering
	f.entering = nil

	return entering
}

func answer(entering []*entrant, with entered) {
	for _, e := range entering {
		e.done <- with
	}
}

// end lets all readers know that there is nothing more to come.
func (f *feed) end(err error) {
	f.tail.forget(f)

	f.mu.Lock()
	f.over = err
	entering := f.entering
	f.entering = nil
	f.mu.Unlock()

	answer(entering, entered{err: err})
	f.show(&sight{over: err})
}

// show gives the readers a new sight.
func (f *feed) show(now *sight) {
	now.next = make(chan struct{})

	if before := f.seen.Swap(now); before != nil {
		close(before.next)
	}
}

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
