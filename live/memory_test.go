package live_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const site queue.SiteID = 7

// memory is a log in memory, and the waker of whoever reads it.
type memory struct {
	mu     sync.Mutex
	events []*queue.Event
	woken  chan struct{}
	// pruned is up to which event the log is not kept any more.
	pruned int64
	// mark is that of the position before the first event, and of all that are written.
	mark int64
	away bool
	// deaf is a waker that never wakes.
	deaf bool
	// afterLog runs at the end of the next reading, as what happens right behind it.
	afterLog func()
	readings int
}

func newMemory() *memory { return &memory{woken: make(chan struct{}), mark: 99} }

// write appends an event and wakes the readers.
func (m *memory) write(event queue.Event) *queue.Event {
	m.mu.Lock()
	defer m.mu.Unlock()

	event.Cursor = queue.Cursor{Seq: int64(len(m.events)) + 1, Mark: m.mark}
	event.At = time.Now()
	m.events = append(m.events, &event)

	if !m.deaf {
		close(m.woken)
		m.woken = make(chan struct{})
	}

	return &event
}

func (m *memory) Woken(queue.SiteID) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()

	return m.woken
}

func (m *memory) Head(ctx context.Context, _ queue.SiteID) (queue.Cursor, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	return m.head(), m.refused(ctx)
}

func (m *memory) head() queue.Cursor {
	if len(m.events) == 0 {
		return m.begin()
	}

	return m.events[len(m.events)-1].Cursor
}

func (m *memory) Log(ctx context.Context, of queue.SiteID, query queue.LogQuery) (*queue.LogPage, error) {
	page, err := m.read(ctx, of, query)

	m.mu.Lock()
	after := m.afterLog
	m.afterLog = nil
	m.mu.Unlock()

	if after != nil {
		after()
	}

	return page, err
}

func (m *memory) read(ctx context.Context, of queue.SiteID, query queue.LogQuery) (*queue.LogPage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.readings++

	if err := m.refused(ctx); err != nil {
		return nil, err
	}

	if of != site {
		return nil, queue.Refusef(queue.NotFound, "no site %d", of)
	}

	if after := query.After; after != nil && !m.holds(*after) {
		return nil, queue.Refusef(queue.CursorExpired, "the log does not hold %s", after)
	}

	if query.NewestFirst {
		kept := slices.Clone(m.events[m.pruned:])
		if query.After != nil {
			kept = kept[:query.After.Seq-1-m.pruned]
		}

		slices.Reverse(kept)

		newest := slices.DeleteFunc(kept, func(event *queue.Event) bool { return !query.Wants(event) })

		return &queue.LogPage{Events: newest[:min(query.First, len(newest))], End: m.head(), Begin: m.begin()}, nil
	}

	page := &queue.LogPage{End: *query.After, Begin: m.begin()}

	for _, event := range m.events[query.After.Seq:] {
		if len(page.Events) == query.First {
			page.HasNext = true

			break
		}

		page.End = event.Cursor

		if query.Wants(event) {
			page.Events = append(page.Events, event)
		}
	}

	return page, nil
}

func (m *memory) refused(ctx context.Context) error {
	if m.away {
		return queue.Away(context.DeadlineExceeded)
	}

	return ctx.Err()
}

// begin is the oldest position.
func (m *memory) begin() queue.Cursor {
	if m.pruned == 0 {
		return queue.Cursor{Mark: m.mark}
	}

	return m.events[m.pruned].Cursor
}

func (m *memory) holds(at queue.Cursor) bool {
	return at == m.begin() || at.Seq > m.pruned && at.Seq <= int64(len(m.events)) && m.events[at.Seq-1].Cursor == at
}

func (m *memory) set(change func(*memory)) {
	m.mu.Lock()
	defer m.mu.Unlock()

	change(m)
}
