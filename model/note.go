package model

import (
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

// moveNote takes a note along to another key. Where both have one, both texts are kept, the older first; the rules do
// not say whose the note is then: the newer one's.
func (s *Site) moveNote(from, to queue.Key) {
	moving, there := s.Notes[from], s.Notes[to]
	if moving == nil || from == to {
		return
	}

	delete(s.Notes, from)

	note := &Note{Key: to, Text: moving.Text, Author: moving.Author, Step: moving.Step}

	if there != nil {
		older, newer := there, moving
		if moving.Step < there.Step {
			older, newer = moving, there
		}

		note = &Note{Key: to, Text: older.Text + "\n\n" + newer.Text, Author: newer.Author, Step: s.Step}
	}

	s.writeNote(note, from, Agent)
}

func (s *Site) writeNote(note *Note, from queue.Key, by string) {
	s.Notes[note.Key] = note
	s.Told = append(s.Told, Entry{
		Kind: queue.EventNote, Actor: by, Key: note.Key, MovedFrom: from, Text: note.Text, Author: note.Author,
	})
}
