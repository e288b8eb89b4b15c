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
	// pruned is up to which position the log is not kept any more.
	pruned int64
	away   bool
	// deaf is a waker that never wakes.
	deaf bool
	// afterLog runs at the end of each reading, as what happens right behind it.
	afterLog func()
	readings int
}

func newMemory() *memory { return &memory{woken: make(chan struct{})} }

// write appends an event and wakes the readers.
func (m *memory) write(event queue.Event) *queue.Event {
	m.mu.Lock()
	defer m.mu.Unlock()

	event.Cursor = queue.Cursor{Seq: int64(len(m.events)) + 1, Mark: 99}
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
		return queue.Cursor{}
	}

	return m.events[len(m.events)-1].Cursor
}

func (m *memory) Log(ctx context.Context, of queue.SiteID, query queue.LogQuery) (*queue.LogPage, error) {
	page, err := m.read(ctx, of, query)

	if after := m.afterLog; after != nil && !query.NewestFirst {
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

	if query.NewestFirst {
		newest := slices.DeleteFunc(slices.Clone(m.events), func(event *queue.Event) bool { return !wants(query, event) })
		slices.Reverse(newest)

		return &queue.LogPage{Events: newest[:min(query.First, len(newest))], End: m.head()}, nil
	}

	if query.After.Seq < m.pruned {
		return nil, queue.Refusef(queue.CursorExpired, "the log is not kept that far back")
	}

	page := &queue.LogPage{End: *query.After}

	for _, event := range m.events[query.After.Seq:] {
		if len(page.Events) == query.First {
			page.HasNext = true

			break
		}

		page.End = event.Cursor

		if wants(query, event) {
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

func wants(query queue.LogQuery, event *queue.Event) bool {
	kinds := query.Kinds
	if len(kinds) == 0 {
		kinds = []queue.EventKind{queue.EventCommand, queue.EventNote, queue.EventIssue, queue.EventPace}
	}

	return slices.Contains(kinds, event.Kind) && (query.Batch == 0 || query.Batch == event.Batch)
}

func (m *memory) set(change func(*memory)) {
	m.mu.Lock()
	defer m.mu.Unlock()

	change(m)
}
