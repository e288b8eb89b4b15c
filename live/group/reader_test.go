package group_test

import (
	"context"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/live/group"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// reader is a subscriber that keeps what it was given until the test takes it, as far as it has room.
type reader struct {
	t      *testing.T
	member *group.Member
	room   int

	mu        sync.Mutex
	kept      []string
	gone      bool
	errs      gqlerror.List
	completed bool
	// moved is closed at each change.
	moved chan struct{}
}

var _ group.Subscriber = (*reader)(nil)

func newReader(t *testing.T, room int) *reader {
	t.Helper()

	return &reader{t: t, room: room, moved: make(chan struct{})}
}

func (r *reader) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()

	f()
	close(r.moved)
	r.moved = make(chan struct{})
}

func (r *reader) Next(answer []byte, _ queue.Cursor) (taken bool) {
	r.change(func() {
		switch {
		case r.gone:
			taken = true
		case len(r.kept) < r.room:
			r.kept, taken = append(r.kept, string(answer)), true
		}
	})

	return taken
}

func (r *reader) Room(ctx context.Context) error {
	for {
		r.mu.Lock()
		free, gone, moved := len(r.kept) < r.room, r.gone, r.moved
		r.mu.Unlock()

		switch {
		case gone:
			return errGone
		case free:
			return nil
		}

		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moved:
		}
	}
}

func (r *reader) Idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	return len(r.kept) == 0 || len(r.kept) < r.room
}

func (r *reader) Fail(errs gqlerror.List) { r.change(func() { r.errs = errs }) }

func (r *reader) Complete() { r.change(func() { r.completed = true }) }

// take waits for the next answer; "" where an error came instead.
func (r *reader) take() string {
	for {
		answer := ""

		r.mu.Lock()
		moved, failed := r.moved, r.errs != nil

		if len(r.kept) > 0 {
			answer, r.kept = r.kept[0], r.kept[1:]
			close(r.moved)
			r.moved = make(chan struct{})
		}

		r.mu.Unlock()

		if answer != "" || failed {
			return answer
		}

		<-moved
	}
}

// pending are the answers that nobody took.
func (r *reader) pending() []string {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.kept
}

// failure waits for the error that ends the subscription.
func (r *reader) failure() gqlerror.List {
	for {
		r.mu.Lock()
		errs, moved := r.errs, r.moved
		r.mu.Unlock()

		if errs != nil {
			return errs
		}

		<-moved
	}
}

// leave is what a transport does when its client is gone.
func (r *reader) leave() {
	r.change(func() { r.gone = true })
	r.member.Leave()
}
