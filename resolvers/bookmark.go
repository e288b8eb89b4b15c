package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// marking keeps the position of each event that was sent until its answer is there. The answer itself may lack it: the
// reader need not have asked for it.
type marking struct {
	mark *live.Bookmark
	// sent has room for two: while an answer is made of one event, the next is offered already, and no more.
	sent chan queue.Cursor
}

type markingKey struct{}

// withMarking gives a context whose events are marked, and nil where the transport of this one keeps no bookmark.
func withMarking(ctx context.Context) (context.Context, *marking) {
	mark := live.BookmarkOf(ctx)
	if mark == nil {
		return ctx, nil
	}

	marked := &marking{mark: mark, sent: make(chan queue.Cursor, 2)}

	return context.WithValue(ctx, markingKey{}, marked), marked
}

// offer notes the position of what is about to be sent.
func offer(ctx context.Context, item any) {
	marked, ok := ctx.Value(markingKey{}).(*marking)
	if !ok {
		return
	}

	select {
	case marked.sent <- positionOf(item):
	case <-ctx.Done():
	}
}

// turn moves the bookmark to the answer that was just made.
func (m *marking) turn() {
	if m != nil {
		at := <-m.sent
		m.mark.At = &at
	}
}

// begins is where a subscription with this `after` begins.
func begins(ctx context.Context, after *queue.Cursor) *queue.Cursor {
	if mark := live.BookmarkOf(ctx); mark != nil && mark.After != nil {
		return mark.After
	}

	return after
}

func positionOf(item any) queue.Cursor {
	switch item := item.(type) {
	case *graph.CommandChange:
		return item.Cursor
	case *graph.NoteChange:
		return item.Cursor
	case *graph.IssueChange:
		return item.Cursor
	case *graph.PaceChange:
		return item.Cursor
	case *graph.BatchChange:
		return item.Cursor
	case *graph.QueueChange:
		return item.Cursor
	default:
		panic("a subscription sends what has no position")
	}
}
