package live

import (
	"cmp"
	"context"
	"fmt"
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
}

// Watch gives a round at once and then one after each stretch of events that the query wants, at most one in
// Timing.Gap: what happens meanwhile comes together in the next. With quiet above zero a round also comes when nothing
// happened for so long. Errors are as those of Follow; After is ignored. The sequence can be ranged over once.
func (t *Tail) Watch(
	ctx context.Context, site queue.SiteID, query queue.LogQuery, quiet time.Duration,
) (iter.Seq2[Round, error], error) {
	first, err := t.newest(ctx, site)
	if err != nil {
		return nil, err
	}

	place := t.from(site, query, first.Cursor)

	return func(yield func(Round, error) bool) {
		round := first

		for {
			began := time.Now()

			if ctx.Err() != nil || !yield(round, nil) {
				return
			}

			var err error
			if round, err = place.round(ctx, round, began, quiet); err != nil {
				if ctx.Err() == nil {
					yield(Round{}, err)
				}

				return
			}
		}
	}, nil
}

// newest is the first round: the log's head, and when that happened.
func (t *Tail) newest(ctx context.Context, site queue.SiteID) (Round, error) {
	page, err := t.log.Log(ctx, site, queue.LogQuery{
		First: 1, NewestFirst: true,
		Kinds: []queue.EventKind{
			queue.EventCommand, queue.EventNote, queue.EventIssue, queue.EventPace, queue.EventBatch, queue.EventAgent,
		},
	})
	if err != nil {
		return Round{}, fmt.Errorf("find the newest event: %w", err)
	}

	if len(page.Events) > 0 {
		return Round{Cursor: page.Events[0].Cursor, At: page.Events[0].At}, nil
	}

	head, err := t.log.Head(ctx, site)
	if err != nil {
		return Round{}, fmt.Errorf("find the head of the event log: %w", err)
	}

	// Of a log in which nothing ever happened there is no better time to tell.
	return Round{Cursor: head, At: time.Now()}, nil
}

// round waits for the next round after last, which began then.
func (r *reading) round(ctx context.Context, last Round, began time.Time, quiet time.Duration) (Round, error) {
	if _, err := pause(ctx, nil, max(0, r.timing.Gap-time.Since(began)), time.Time{}); err != nil {
		return Round{}, err
	}

	var deadline time.Time
	if quiet > 0 {
		deadline = time.Now().Add(quiet)
	}

	page, err := r.await(ctx, deadline)
	if err != nil {
		return Round{}, err
	}

	round := Round{At: last.At, Quiet: len(page.Events) == 0}
	changed := make(map[queue.BatchID]int64)

	for {
		for _, event := range page.Events {
			round.At = event.At

			if event.Batch != 0 {
				changed[event.Batch] = event.Cursor.Seq
			}
		}

		if len(page.Events) == 0 || !page.HasNext {
			break
		}

		if page, err = r.next(ctx); queue.CodeOf(err) == queue.Unavailable {
			break // the rest comes with the next round
		} else if err != nil {
			return Round{}, err
		}
	}

	round.Cursor = *r.query.After
	round.Batches = slices.SortedFunc(maps.Keys(changed), func(a, b queue.BatchID) int {
		return cmp.Compare(changed[a], changed[b])
	})

	return round, nil
}
