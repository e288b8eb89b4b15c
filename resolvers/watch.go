package resolvers

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/live/group"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// agentsLook is how often the agents are looked at where nothing happens: one that goes silent makes no event.
const agentsLook = 15 * time.Second

// BatchChanged gives batches as their commands change. With an id the first answer comes at once.
func (s subscription) BatchChanged(ctx context.Context, id *string) (<-chan *graph.BatchChange, error) {
	wanted := queue.LogQuery{Kinds: []queue.EventKind{queue.EventCommand, queue.EventBatch}}

	if id != nil {
		var err error
		if wanted.Batch, err = s.existingBatch(ctx, *id); err != nil {
			return nil, err
		}
	}

	rounds, err := s.live.Watch(ctx, site(ctx), wanted, 0)
	if err != nil {
		return nil, err
	}

	return emit(ctx, s.Resolver, func(send func(*graph.BatchChange) bool) error {
		return s.sendBatches(ctx, rounds, wanted.Batch, send)
	}), nil
}

func (s subscription) sendBatches(
	ctx context.Context, rounds iter.Seq2[live.Round, error], only queue.BatchID, send func(*graph.BatchChange) bool,
) error {
	resumed := group.Resumed(ctx)

	for round, err := range rounds {
		if err != nil {
			return err
		}

		changed := round.Batches

		switch {
		case only != 0:
			changed = []queue.BatchID{only}
		case resumed != nil:
			if changed, err = s.changedSince(ctx, *resumed); err != nil {
				return err
			}

			resumed = nil
		}

		if len(changed) == 0 {
			continue
		}

		batches, err := s.reader.BatchesByID(ctx, site(ctx), changed)
		if err != nil {
			return err
		}

		for _, id := range changed {
			if batch := batches[id]; batch != nil && !send(&graph.BatchChange{Cursor: round.Cursor, At: round.At, Batch: batch}) {
				return nil
			}
		}
	}

	return nil
}

// changedSince gives the batches that changed after that position, each once, the longest unchanged first: the first round
// of a reader who was left behind there.
func (s subscription) changedSince(ctx context.Context, after queue.Cursor) ([]queue.BatchID, error) {
	changed := make(map[queue.BatchID]int64)

	for more := true; more; {
		page, err := s.reader.Log(ctx, site(ctx), queue.LogQuery{
			After: &after, First: loadMost, Kinds: []queue.EventKind{queue.EventCommand, queue.EventBatch},
		})
		if err != nil {
			return nil, err
		}

		for _, event := range page.Events {
			changed[event.Batch] = event.Cursor.Seq
		}

		after, more = page.End, page.HasNext
	}

	return slices.SortedFunc(maps.Keys(changed), func(a, b queue.BatchID) int {
		return cmp.Compare(changed[a], changed[b])
	}), nil
}

// QueueChanged gives the queue's counts, pace and agents; the first answer comes at once.
func (s subscription) QueueChanged(ctx context.Context) (<-chan *graph.QueueChange, error) {
	rounds, err := s.live.Watch(ctx, site(ctx), queue.LogQuery{
		Kinds: []queue.EventKind{queue.EventCommand, queue.EventPace, queue.EventAgent},
	}, agentsLook)
	if err != nil {
		return nil, err
	}

	return emit(ctx, s.Resolver, func(send func(*graph.QueueChange) bool) error {
		return s.sendQueue(ctx, rounds, send)
	}), nil
}

func (s subscription) sendQueue(
	ctx context.Context, rounds iter.Seq2[live.Round, error], send func(*graph.QueueChange) bool,
) error {
	var shown []*queue.Agent

	for round, err := range rounds {
		if err != nil {
			return err
		}

		// Before the agents, so that its position holds for both.
		state, err := s.reader.Queue(ctx, site(ctx))
		if err != nil {
			return err
		}

		agents, err := s.reader.Agents(ctx, site(ctx))
		if err != nil {
			return err
		}

		if round.Quiet && slices.EqualFunc(agents, shown, looksAlike) {
			continue
		}

		shown = append([]*queue.Agent{}, agents...)

		group.Shows(ctx, state.Cursor)

		if !send(&graph.QueueChange{Cursor: state.Cursor, At: round.At, Queue: &graph.Queue{
			Counts: &state.Counts, Pace: &state.Pace, Cursor: state.Cursor, Known: shown,
		}}) {
			return nil
		}
	}

	return nil
}

// looksAlike tells whether two sights of an agent differ in nothing but the time.
func looksAlike(a, b *queue.Agent) bool {
	return a.Name == b.Name && a.Instance == b.Instance && a.Online == b.Online &&
		orEmpty(a.Version) == orEmpty(b.Version) && orEmpty(a.Problem) == orEmpty(b.Problem)
}
