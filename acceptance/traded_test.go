package acceptance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// trades are pushes that show issues, each known before as "X-<n>" with the id n, under other keys.
func trades() map[string]struct{ shows, keys, notes map[string]string } {
	type keys = map[string]string

	return map[string]struct{ shows, keys, notes map[string]string }{
		// shows: id to the key it is pushed under; keys: each key asked for to the summary found there; notes as they are kept.
		"two trade their keys": {
			shows: keys{"1": "X-2", "2": "X-1"},
			keys:  keys{"X-1": "issue 2", "X-2": "issue 1", "OLD-1": "issue 1", "OLD-2": "issue 2"},
			notes: keys{"X-1": "note 2", "X-2": "note 1", "X-3": "note 3"},
		},
		"three go round in a circle": {
			shows: keys{"1": "X-2", "2": "X-3", "3": "X-1"},
			keys: keys{
				"X-1": "issue 3", "X-2": "issue 1", "X-3": "issue 2", "OLD-1": "issue 1", "OLD-2": "issue 2", "OLD-3": "issue 3",
			},
			notes: keys{"X-1": "note 3", "X-2": "note 1", "X-3": "note 2"},
		},
		"each takes the next one's key": {
			shows: keys{"1": "X-2", "2": "X-3", "3": "X-4"},
			keys: keys{
				"X-1": "issue 1", "X-2": "issue 1", "X-3": "issue 2", "X-4": "issue 3", "OLD-1": "issue 1", "OLD-3": "issue 3",
			},
			notes: keys{"X-2": "note 1", "X-3": "note 2", "X-4": "note 3"},
		},
		"a third takes a key of two that trade theirs": {
			shows: keys{"3": "X-1", "2": "X-1", "1": "X-2"},
			keys:  keys{"X-2": "issue 1", "OLD-1": "issue 1"},
			notes: keys{"X-1": "note 2\n\nnote 3", "X-2": "note 1"},
		},
		"a new issue takes the key that another leaves": {
			shows: keys{"1": "X-5", "9": "X-1"},
			keys:  keys{"X-5": "issue 1", "X-1": "issue 9", "OLD-1": "issue 1"},
			notes: keys{"X-5": "note 1", "X-2": "note 2", "X-3": "note 3"},
		},
	}
}

func TestIssuesThatTradeKeysInOnePushMeetNowhereOnTheWay(t *testing.T) {
	t.Parallel()

	for name, trade := range trades() {
		for _, backwards := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", told backwards"}[backwards], func(t *testing.T) {
				t.Parallel()
				site := hub.NewSite(t)

				for _, id := range []string{"1", "2", "3"} {
					site.Push(t, hubtest.Snapshot("OLD-"+id, "id", id))
					site.Push(t, hubtest.Snapshot("X-"+id, "id", id, "summary", "issue "+id, "fields", vars{"f": id}))
					site.SetNote(t, "X-"+id, "note "+id)
				}

				cursor := site.Queue(t).Cursor

				var snapshots []vars
				for _, id := range slices.Sorted(maps.Keys(trade.shows)) {
					snapshots = append(snapshots, hubtest.Snapshot(trade.shows[id], "id", id, "summary", "issue "+id))
				}
				if backwards {
					slices.Reverse(snapshots)
				}
				site.Push(t, snapshots...)

				for key, summary := range trade.keys {
					if issue := site.Issue(t, key); issue == nil || issue.Summary != summary {
						t.Errorf("under %s: %s, not %q", key, shown(issue), summary)
					} else if id := strings.TrimPrefix(summary, "issue "); id != "9" && issue.Fields["f"] != id {
						t.Errorf("what was read before of %s: %v", key, issue.Fields)
					}
				}
				same(t, "notes", site.Notes(t), trade.notes)
				same(t, "notes by the log", replayedNotes(site.EventsAfter(t, cursor, "NOTE")), trade.notes)
			})
		}
	}
}

// replayedNotes are the notes that someone knows who knew the notes of and then follows the log.
func replayedNotes(events []hubtest.Event) map[string]string {
	notes := map[string]string{"X-1": "note 1", "X-2": "note 2", "X-3": "note 3"}

	for _, e := range events {
		delete(notes, said(e.MovedFrom))
		delete(notes, e.Key)

		if e.Note != nil {
			notes[e.Key] = e.Note.Text
		}
	}

	return notes
}
