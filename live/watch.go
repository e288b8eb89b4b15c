package live

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Round tells that it is time to read a state again.
type Round struct {
	// Cursor is a position that whatever is read now includes.
	Cursor queue.Cursor
	// At is when that event happened.
	At time.Time
	// Batches are those that the events since the last round are about, each once, the longest unchanged first.
	Batches []queue.BatchID
	// Quiet is true where nothing happened: the round is there only because the time given as quiet has passed.
	Quiet bool

	// began is when it was handed over.
	began time.Time
}

// Watch gives a round at once and then one after each stretch of events that the query wants, at most one in
// Timing.Gap: what happens meanwhile comes together in the next. With quiet above zero a round also comes when nothing
// happened for so long. Errors are as those of Follow; After is ignored. The sequence can be ranged over once.
func (t *Tail) Watch(
	ctx context.Context, site queue.SiteID, query queue.LogQuery, quiet time.Duration,
) (iter.Seq2[Round, error], error) {
	query.After = nil

	r, seen, err := t.read(ctx, site, query)
	if err != nil {
		return nil, err
	}

	head := seen.ring.head()
	round := Round{Cursor: head.Cursor, At: head.At}

	if head.Kind == "" {
		// Of a log in which nothing ever happened there is no better time to tell.
		round.At = time.Now()
	}

	return func(yield func(Round, error) bool) {
		defer r.leave()

		// Before the first round nothing has been handed over, whatever the log's head is.
		var (
			done queue.Cursor
			err  error
		)

		for first := true; ; first = false {
			if r.gate.Pass(ctx, done) != nil {
				return
			}

			if !first {
				round, err = r.round(ctx, round, quiet)
			}

			if ctx.Err() != nil {
				return
			}

			if err != nil {
				yield(Round{}, err)

				return
			}

			done = round.Cursor
			round.began = time.Now()

			r.gate.Reach(done)

			if !yield(round, nil) {
				return
			}
		}
	}, nil
}

// round waits for the next round after last.
func (r *reader) round(ctx context.Context, last Round, quiet time.Duration) (Round, error) {
	if late := r.tail.timing.Gap - time.Since(last.began); late > 0 {
		if _, err := pause(ctx, nil, late, time.Time{}); err != nil {
			return Round{}, err
		}
	}

	var deadline time.Time
	if quiet > 0 {
		deadline = time.Now().Add(quiet)
	}

	events, err := r.await(ctx, deadline)
	if err != nil {
		return Round{}, err
	}

	round := Round{At: last.At, Quiet: len(events) == 0}
	changed := make(map[queue.BatchID]int64)

	for len(events) > 0 {
		for _, event := range events {
			round.At = event.At

			if event.Batch != 0 {
				changed[event.Batch] = event.Cursor.Seq
			}
		}

		// Where the database is away the rest comes with the next round.
		more, err := r.ready(ctx)
		if err != nil {
			return Round{}, err
		}

		events = more.events
	}

	round.Cursor = r.at
	round.Batches = slices.SortedFunc(maps.Keys(changed), func(a, b queue.BatchID) int {
		return cmp.Compare(changed[a], changed[b])
	})

	return round, nil
}
