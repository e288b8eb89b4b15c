package live

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Bookmark is where the reader of one subscription is, for a transport that sends the position along with each answer
// and is given it back by a reader who returns. It belongs to the goroutine that asks for the answers.
type Bookmark struct {
	// After is where the reader was cut off; nil where it was not. It goes before the `after` of the operation, which
	// is where the reader once began. A state has no such position: it begins anew.
	After *queue.Cursor
	// At is the position of the newest answer; nil where it has none.
	At *queue.Cursor
}

// ParseBookmark makes the bookmark of a reader who was cut off there, or of a new one where that is "". What is no
// cursor is Unprocessable.
func ParseBookmark(cutOffAt string) (*Bookmark, error) {
	if cutOffAt == "" {
		return &Bookmark{}, nil
	}

	after, err := queue.ParseCursor(cutOffAt)
	if err != nil {
		return nil, err
	}

	return &Bookmark{After: &after}, nil
}

// String is At as clients see it, or "".
func (b *Bookmark) String() string {
	if b.At == nil {
		return ""
	}

	return b.At.String()
}

type bookmarkKey struct{}

// WithBookmark gives a context whose subscription begins and is marked there.
func WithBookmark(ctx context.Context, mark *Bookmark) context.Context {
	return context.WithValue(ctx, bookmarkKey{}, mark)
}

// BookmarkOf is what WithBookmark put there, or nil.
func BookmarkOf(ctx context.Context) *Bookmark {
	mark, _ := ctx.Value(bookmarkKey{}).(*Bookmark)

	return mark
}
