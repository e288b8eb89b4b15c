package resolvers

import (
	"context"
	"time"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Note finds the note of an issue or of a temporary key; null where there is none.
func (q query) Note(ctx context.Context, key queue.Key) (*queue.Note, error) {
	known, ok := queue.ParseKey(string(key))
	if !ok {
		return nil, nil
	}

	return one(ctx, load(ctx).notes, known)
}

// Notes lists notes, newest first.
func (q query) Notes(ctx context.Context, first int, after *string) (*graph.NoteConnection, error) {
	page, err := pageOf(first, after)
	if err != nil {
		return nil, err
	}

	list, err := q.reader.NoteList(ctx, site(ctx), page)
	if err != nil {
		return nil, err
	}

	return noteConnection(list), nil
}

// SetNote writes a note, or removes it.
func (m mutation) SetNote(ctx context.Context, key queue.Key, text string, ifUpdatedAt *time.Time) (*queue.Note, error) {
	return m.queue.SetNote(ctx, actor(ctx), queue.NoteSpec{Key: key, Text: text, IfUpdatedAt: ifUpdatedAt})
}
