package resolvers_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

// subscribeMarked is subscribe for a transport that keeps a bookmark.
func subscribeMarked(hub *hub, mark *live.Bookmark, text string) (answers func() *graphql.Response) {
	hub.t.Helper()

	ctx, cancel := context.WithCancel(live.WithBookmark(as(hub.t.Context(), access.Viewer), mark))
	answers = hub.begin(ctx, text, nil)

	hub.t.Cleanup(func() {
		cancel()
		hub.resolver.Wait()
	})

	return answers
}

func position(seq int64) *queue.Cursor { return &queue.Cursor{Seq: seq, Mark: 99} }

func wantMark(t *testing.T, mark *live.Bookmark, seq int64) {
	t.Helper()

	if want := position(seq); mark.At == nil || *mark.At != *want || mark.String() != want.String() {
		t.Fatalf("the bookmark is at %v", mark.At)
	}
}

func TestTheBookmarkIsAtTheAnswerThatWasGivenWhateverIsOfferedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		mark := &live.Bookmark{After: position(0)}
		mark.After.Mark = 0
		answers := subscribeMarked(hub, mark, `subscription { logAppended { __typename } }`)

		for range 20 {
			hub.reader.write(commandEvent(1, queue.Queued), &queue.Event{Kind: queue.EventNote, Key: "A-1"})
		}

		for seq := range int64(40) {
			if answer := answers(); answer == nil || len(answer.Errors) > 0 {
				t.Fatalf("the answer is %+v", answer)
			}

			synctest.Wait() // until the next event is offered already
			wantMark(t, mark, seq+1)
		}
	})
}

func TestTheBookmarkGoesBeforeTheOperationsOwnPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, arguments := range map[string]string{
			"commandChanged": "", "logAppended": "", "issueChanged": `, keys: ["A-1"]`, "noteChanged": `, keys: ["A-1"]`,
		} {
			hub := newHub(t, resolvers.Config{})

			for range 3 {
				hub.reader.write(commandEvent(1, queue.Queued),
					&queue.Event{Kind: queue.EventIssue, Key: "A-1"}, &queue.Event{Kind: queue.EventNote, Key: "A-1"})
			}

			mark := &live.Bookmark{After: position(6)}
			answers := subscribeMarked(hub, mark, fmt.Sprintf(`subscription { %s(after: %q%s) { __typename } }`, name, position(3), arguments))

			if answer := answers(); answer == nil || len(answer.Errors) > 0 || mark.At == nil || mark.At.Seq <= 6 {
				t.Errorf("%s: %+v at %v", name, answer, mark.At)
			}
		}
	})
}

func TestAStateIsMarkedAndBeginsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		hub.reader.write(commandEvent(1, queue.Queued))

		mark := &live.Bookmark{After: position(1)}
		answers := subscribeMarked(hub, mark, `subscription { batchChanged(id: 3) { batch { id } } }`)

		for seq := range int64(3) {
			wantData(t, answers(), `{"batchChanged": {"batch": {"id": "3"}}}`)
			wantMark(t, mark, seq+1)
			hub.reader.write(&queue.Event{Kind: queue.EventBatch, Batch: batch})
		}
	})
}
