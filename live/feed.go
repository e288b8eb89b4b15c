package live

import (
	"context"
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
