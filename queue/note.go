package queue

import (
	"context"
	"slices"
	"strings"
	"time"
)

// moveNote takes the note of a temporary key to the issue made real under it; where both have one, both are kept.
func (c *change) moveNote(ctx context.Context, tx Tx, from, to Key) error {
	view, err := tx.Notes(ctx, []Key{from, to})
	if err != nil {
		return err
	}

	if present, moved := view.Present[to]; moved {
		to = present
	}

	c.carryNotes(view.Notes, []Move{{From: from, To: to}})

	return nil
}

// carryNotes takes notes from key to key, all at once: one that goes where another leaves does not meet it. Those that
// meet become one, the older texts first, with a blank line between.
func (c *change) carryNotes(notes map[Key]*Note, moves []Move) {
	left, arriving := map[Key]bool{}, map[Key][]*Note{}

	for _, move := range moves {
		if note := notes[move.From]; note != nil && move.From != move.To {
			arriving[move.To] = append(arriving[move.To], note)
			left[move.From] = true
			c.notes[move.From] = nil
			c.site.Totals.Notes--
		}
	}

	merged := map[Key]*Note{}

	for to, meeting := range arriving {
		if there := notes[to]; there != nil && !left[to] {
			meeting = slices.Insert(meeting, 0, there)
			c.site.Totals.Notes--
		}

		merged[to] = merge(meeting, to, c.site.Now)
		c.site.Totals.Notes++
	}

	for _, move := range moves {
		if left[move.From] {
			c.writeNote(merged[move.To], move.From)
		}
	}

	// Who follows the log has just taken away what now stands under a key that one note left and another took.
	for _, move := range moves {
		if note := merged[move.From]; note != nil && left[move.From] {
			c.writeNote(note, "")
		}
	}
}

// merge makes one note of those that meet under a key; one alone stays as it was.
func merge(meeting []*Note, key Key, now time.Time) *Note {
	slices.SortStableFunc(meeting, func(a, b *Note) int { return a.UpdatedAt.Compare(b.UpdatedAt) })

	merged := *meeting[len(meeting)-1]
	merged.Key = key

	if len(meeting) > 1 {
		texts := make([]string, len(meeting))
		for i, note := range meeting {
			texts[i] = note.Text
		}

		merged.Text = strings.Join(texts, "\n\n")
		merged.UpdatedAt = now
	}

	return &merged
}

// writeNote stores a note and logs it.
func (c *change) writeNote(note *Note, movedFrom Key) {
	c.notes[note.Key] = note
	c.event(Event{Kind: EventNote, Actor: c.actor, Key: note.Key, MovedFrom: movedFrom, Note: note})
}

// NoteSpec is a note as a person wrote it.
type NoteSpec struct {
	// Key as written: of an issue, or a temporary one.
	Key Key
	// Text of at most MaxText UTF-16 units; a blank one removes the note.
	Text string
	// IfUpdatedAt, where not nil, is the note's age that the person saw.
	IfUpdatedAt *time.Time
}
