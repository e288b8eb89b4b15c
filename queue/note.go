package queue

import (
	"context"
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

	c.mergeNote(view.Notes, from, to)

	return nil
}

// mergeNote moves a note within notes. Of two the older text comes first, with a blank line between.
func (c *change) mergeNote(notes map[Key]*Note, from, to Key) {
	moving := notes[from]
	if moving == nil || from == to {
		return
	}

	merged := *moving
	merged.Key = to

	c.site.Totals.Notes--

	if there := notes[to]; there == nil {
		c.site.Totals.Notes++
	} else {
		older, newer := there, moving
		if moving.UpdatedAt.Before(there.UpdatedAt) {
			older, newer = moving, there
		}

		merged.Text = older.Text + "\n\n" + newer.Text
		merged.Author = newer.Author
		merged.UpdatedAt = c.site.Now
	}

	delete(notes, from)
	notes[to] = &merged

	c.notes[from] = nil
	c.writeNote(&merged, from)
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
