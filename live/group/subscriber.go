package group

import (
	"context"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Subscriber takes the answers of one subscription. It is used by one goroutine at a time.
type Subscriber interface {
	// Next takes an answer, which is JSON and not to be kept, and does not wait: false means that there is no room for it.
	// A subscriber that is gone takes everything.
	Next(answer []byte, at queue.Cursor) bool
	// Room waits until Next is likely to take an answer again. It errs where the context or the subscriber ends first.
	Room(ctx context.Context) error
	// Idle tells whether everything taken has been written.
	Idle() bool
	// Fail ends the subscription with errors as the client shall see them, and does not wait.
	Fail(errs gqlerror.List)
	// Complete ends it because nothing comes any more, and does not wait.
	Complete()
}

// Member is a subscription that runs.
type Member struct {
	groups *Groups
	to     Subscriber

	// run and index, its place there, are guarded by groups.mu, as is left, which is true once it wants no more.
	run   *run
	index int
	left  bool

	// passing is true from when it has joined others until an answer came that it has not had. had is up to where it has
	// everything, and last what the newest answer of a state looked like. They belong to the goroutine of its run.
	passing bool
	had     queue.Cursor
	last    uint64
}

// Leave ends the subscription; nothing is told to the subscriber. It may be called more than once. An answer that is
// being handed out this moment may still reach Next.
func (m *Member) Leave() {
	m.groups.mu.Lock()
	defer m.groups.mu.Unlock()

	m.left = true

	if r := m.run; r != nil {
		r.drop(m)
		r.endIfEmpty()
	}
}

// passes tells whether the member has had what is at that position. Of a state it has had the same position only if the
// answer looks the same: what no event tells of may have changed.
func (m *Member) passes(at queue.Cursor, state bool, looks uint64) bool {
	switch {
	case !m.passing:
		return false
	case at.Seq > m.had.Seq:
		m.passing = false

		return false
	default:
		return at.Seq < m.had.Seq || !state || looks == m.last
	}
}

// position is up to where the member of a run that stands there has everything.
func (m *Member) position(of queue.Cursor) queue.Cursor {
	if m.passing {
		return later(m.had, of)
	}

	return of
}

func later(a, b queue.Cursor) queue.Cursor {
	if a.Seq > b.Seq {
		return a
	}

	return b
}
