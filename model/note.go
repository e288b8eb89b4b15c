package model

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Note is a note and the step that wrote it.
type Note struct {
	Key          queue.Key
	Text, Author string
	Step         int
}

// SetNote writes or removes a note. Seen is the step of the note that the person saw; 0 where none was named. The
// rules do not say what writing the very same text does; it changes nothing.
func (s *Site) SetNote(by string, key queue.Key, text string, seen int) (*Note, queue.Code) {
	key, ok := spelled(key)
	if !ok || len(utf16.Encode([]rune(text))) > 32_767 || strings.Contains(text, "\x00") {
		return nil, queue.Unprocessable
	}

	key = s.present(s.made(key))
	note := s.Notes[key]

	switch {
	case seen != 0 && (note == nil || note.Step != seen):
		return nil, queue.Conflict
	case strings.TrimSpace(text) == "" && note == nil:
		return nil, ""
	case strings.TrimSpace(text) == "":
		delete(s.Notes, key)
		s.Told = append(s.Told, Entry{Kind: queue.EventNote, Actor: by, Key: key})

		return nil, ""
	case note == nil || note.Text != text:
		note = &Note{Key: key, Text: text, Author: by, Step: s.Step}
		s.writeNote(note, "", by)
	}

	return note, ""
}

// made gives the real key behind a temporary one that no open creation bears. The rules do not say which, where
// several creations had it; it is the newest creation's.
func (s *Site) made(key queue.Key) queue.Key {
	result := key

	for _, c := range s.Ordered() {
		if c.TempKey != key || key == "" {
			continue
		}

		if !c.Ended() {
			return key
		}

		if c.Result != "" {
			result = c.Result
		}
	}

	return result
}

// moveNote takes a note along to another key.
func (s *Site) moveNote(from, to queue.Key) {
	if from != to {
		s.moveNotes([]queue.Key{from}, map[queue.Key]queue.Key{from: to})
	}
}

// moveNotes takes the notes of those keys to where they lead, all at once. Where several come together all texts are
// kept, the older first; the rules do not say whose the note is then: the newest one's. The rules neither say which of
// two of the same age is first: what was there, and then in the order of the moves.
func (s *Site) moveNotes(order []queue.Key, leads map[queue.Key]queue.Key) {
	gone, coming := map[queue.Key]*Note{}, map[queue.Key][]*Note{}

	for _, from := range order {
		if note := s.Notes[from]; note != nil {
			gone[from] = note
			coming[leads[from]] = append(coming[leads[from]], note)
		}
	}

	for from := range gone {
		delete(s.Notes, from)
	}

	for to, notes := range coming {
		if there := s.Notes[to]; there != nil {
			notes = append([]*Note{there}, notes...)
		}

		s.Notes[to] = together(notes, to, s.Step)
	}

	for from := range gone {
		s.writeNote(s.Notes[leads[from]], from, Agent)

		if coming[from] != nil {
			s.writeNote(s.Notes[from], "", Agent)
		}
	}
}

func together(notes []*Note, key queue.Key, step int) *Note {
	slices.SortStableFunc(notes, func(a, b *Note) int { return cmp.Compare(a.Step, b.Step) })

	note := *notes[len(notes)-1]
	note.Key = key

	for i := len(notes) - 2; i >= 0; i-- {
		note.Text = notes[i].Text + "\n\n" + note.Text
		note.Step = step
	}

	return &note
}

func (s *Site) writeNote(note *Note, from queue.Key, by string) {
	s.Notes[note.Key] = note
	s.Told = append(s.Told, Entry{
		Kind: queue.EventNote, Actor: by, Key: note.Key, MovedFrom: from, Text: note.Text, Author: note.Author,
	})
}
