package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// CommandChanged gives every change of a command.
func (s subscription) CommandChanged(
	ctx context.Context, after *queue.Cursor, ofBatch, ofCommand *string, statuses []queue.Status,
) (<-chan *graph.CommandChange, error) {
	err := checkWanted("statuses", statuses)
	if err != nil {
		return nil, err
	}

	wanted := queue.LogQuery{After: begins(ctx, after), Kinds: []queue.EventKind{queue.EventCommand}, Statuses: statuses}

	if ofBatch != nil {
		if wanted.Batch, err = s.existingBatch(ctx, *ofBatch); err != nil {
			return nil, err
		}
	}

	if ofCommand != nil {
		if wanted.Command, err = s.existingCommand(ctx, *ofCommand); err != nil {
			return nil, err
		}
	}

	return follow(ctx, s.Resolver, wanted, changeOfCommand)
}

// LogAppended gives every event of the site.
func (s subscription) LogAppended(
	ctx context.Context, after *queue.Cursor, kinds []queue.EventKind,
) (<-chan graph.SiteEvent, error) {
	if err := checkWanted("kinds", kinds); err != nil {
		return nil, err
	}

	return follow(ctx, s.Resolver, queue.LogQuery{After: begins(ctx, after), Kinds: kinds}, siteEvent)
}

// IssueChanged gives every change of an issue in the mirror.
func (s subscription) IssueChanged(
	ctx context.Context, after *queue.Cursor, keys []queue.Key,
) (<-chan *graph.IssueChange, error) {
	return followKeys(ctx, s.Resolver, queue.EventIssue, after, keys, changeOfIssue)
}

// NoteChanged gives every change of a note.
func (s subscription) NoteChanged(
	ctx context.Context, after *queue.Cursor, keys []queue.Key,
) (<-chan *graph.NoteChange, error) {
	return followKeys(ctx, s.Resolver, queue.EventNote, after, keys, changeOfNote)
}

func followKeys[T any](
	ctx context.Context, r *Resolver, kind queue.EventKind, after *queue.Cursor, keys []queue.Key, show func(*queue.Event) T,
) (<-chan T, error) {
	if err := checkListed("keys", len(keys)); err != nil {
		return nil, err
	}

	if err := checkFollowed(keys); err != nil {
		return nil, err
	}

	wanted := queue.LogQuery{After: begins(ctx, after), Kinds: []queue.EventKind{kind}, Keys: knownKeys(keys)}

	return follow(ctx, r, wanted, show)
}

// checkWanted refuses an empty list of what is to be followed: its follower would wait for good.
func checkWanted[T any](name string, list []T) error {
	if matchesNothing(list) {
		return queue.Refusef(queue.Unprocessable, "%s is empty, which nothing matches; leave it out to follow all", name)
	}

	return nil
}

// checkFollowed refuses keys that nothing can ever have: their follower would wait for good.
func checkFollowed(keys []queue.Key) error {
	if err := checkWanted("keys", keys); err != nil {
		return err
	}

	for _, key := range keys {
		if _, ok := queue.ParseKey(string(key)); !ok {
			return queue.Refusef(queue.Unprocessable,
				"keys holds %.80q; each must be a Jira key such as AURORA-1 or a temporary one such as new:1", key)
		}
	}

	return nil
}

// existingBatch reads an id; NOT_FOUND where the site has no such batch.
func (r *Resolver) existingBatch(ctx context.Context, id string) (queue.BatchID, error) {
	named, err := queue.ParseBatchID(id)
	if err != nil {
		return 0, err
	}

	found, err := r.reader.BatchesByID(ctx, site(ctx), []queue.BatchID{named})
	if err != nil {
		return 0, err
	}

	if found[named] == nil {
		return 0, queue.Refusef(queue.NotFound, "no batch %.40q", id)
	}

	return named, nil
}

// existingCommand reads an id; NOT_FOUND where the site has no such command.
func (r *Resolver) existingCommand(ctx context.Context, id string) (queue.CommandID, error) {
	named, err := queue.ParseCommandID(id)
	if err != nil {
		return 0, err
	}

	found, err := r.reader.CommandsByID(ctx, site(ctx), []queue.CommandID{named})
	if err != nil {
		return 0, err
	}

	if found[named] == nil {
		return 0, queue.Refusef(queue.NotFound, "no command %.40q", id)
	}

	return named, nil
}
