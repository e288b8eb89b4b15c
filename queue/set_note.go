package queue

import "context"

// SetNote writes the note of an issue or a temporary key; a blank text removes it, and nil is returned. With
// IfUpdatedAt a note that someone changed since is a Conflict. A note for a temporary key whose real key is known,
// and which no open creation bears, goes to the real one.
func (q *Queue) SetNote(ctx context.Context, by Actor, spec NoteSpec) (*Note, error) {
	key, ok := ParseKey(string(spec.Key))

	if !ok {
		return nil, Refusef(Unprocessable, "key is %.40q; it must be a Jira key such as AURORA-1537 or a temporary one such as new:1", spec.Key)
	}

	if err := checkText("text", spec.Text, MaxText); err != nil {
		return nil, err
	}

	var note *Note

	err := q.change(ctx, by, func(tx Tx) error {
		view, err := tx.Notes(ctx, []Key{key})
		if err != nil {
			return err
		}

		target, there := view.find(key)
		if spec.IfUpdatedAt != nil && (there == nil || !there.UpdatedAt.Equal(*spec.IfUpdatedAt)) {
			return Refusef(Conflict, "the note of %s was changed since; look at it again", target)
		}

		c := newChange(&view.Site, nil, by)

		switch {
		case blank(spec.Text) && there == nil:
			return nil
		case blank(spec.Text):
			c.notes[target] = nil
			c.site.Totals.Notes--
			c.event(Event{Kind: EventNote, Actor: c.actor, Key: target})
		case there != nil && there.Text == spec.Text:
			note = there

			return nil
		default:
			if there == nil {
				c.site.Totals.Notes++
			}

			note = &Note{Key: target, Text: spec.Text, Author: by.Name, UpdatedAt: c.site.Now}
			c.writeNote(note, "")
		}

		return tx.Apply(ctx, c.changes())
	})

	return note, err
}

// find gives the key under which a note is kept, and the note that is there.
func (v *NotesView) find(key Key) (Key, *Note) {
	if real, made := v.Real[key]; made {
		key = real
	}

	if present, moved := v.Present[key]; moved {
		key = present
	}

	return key, v.Notes[key]
}
