package live

import (
	"context"
	"errors"
	"sync"
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
	// enterGap is the least time between two looks that only those who begin to read ask for.
	enterGap = 10 * time.Millisecond

	// pageSize is how many events a reader takes at once: as much as it ever has of its own.
	pageSize = 200
	// feedPage is how many a feed reads at once, as many as the log gives.
	feedPage = 1000

	// ringMost is how many events a ring keeps: more than the largest batch makes at once. All rings together keep
	// about ringsMost, but each of them ringLeast at any rate.
	ringMost  = 1 << 14
	ringsMost = 1 << 17
	ringLeast = 1 << 8
	// reachBack is how far a feed reads back for those who return; who was away for longer reads the log itself.
	reachBack = 1 << 12
)

// Tail follows the logs of the sites, once for all readers of this process.
type Tail struct {
	log    Log
	waker  queue.Waker
	timing Timing

	mu     sync.Mutex
	feeds  map[queue.SiteID]*feed
	closed bool
	tasks  sync.WaitGroup
}

// NewTail makes a Tail over a log. The waker spares it time, and is not relied upon. Close has to be called.
func NewTail(log Log, waker queue.Waker, timing Timing) *Tail {
	if timing.Look == 0 {
		timing.Look = defaultLook
	}

	if timing.Gap == 0 {
		timing.Gap = defaultGap
	}

	return &Tail{log: log, waker: waker, timing: timing, feeds: map[queue.SiteID]*feed{}}
}

// Close ends what still runs, with Unavailable, and waits for it.
func (t *Tail) Close() {
	t.mu.Lock()
	t.closed = true

	for _, f := range t.feeds {
		f.stop()
	}
	t.mu.Unlock()

	t.tasks.Wait()
}

// join gives the feed of a site, which runs while it has readers. Each calls leave, once.
func (t *Tail) join(site queue.SiteID) (*feed, error) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if t.closed {
		return nil, queue.Away(errors.New("the hub is stopping"))
	}

	f := t.feeds[site]
	if f == nil {
		ctx, stop := context.WithCancel(context.Background())
		f = &feed{tail: t, site: site, stop: stop, asked: make(chan struct{}, 1)}
		t.feeds[site] = f

		t.tasks.Go(func() { f.run(ctx) })
	}

	f.readers++

	return f, nil
}

func (t *Tail) leave(f *feed) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if f.readers--; f.readers > 0 {
		return
	}

	f.stop()

	if t.feeds[f.site] == f {
		delete(t.feeds, f.site)
	}
}

// forget lets the next reader of the site begin with a new feed.
func (t *Tail) forget(f *feed) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if t.feeds[f.site] == f {
		delete(t.feeds, f.site)
	}

	f.stop()
}

// share is how many events the ring of one feed may keep.
func (t *Tail) share() int {
	t.mu.Lock()
	defer t.mu.Unlock()

	return min(ringMost, max(ringLeast, ringsMost/max(1, len(t.feeds))))
}
