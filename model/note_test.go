package model

import (
	"maps"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func (m *machine) setNote() {
	by, key := m.operator(), pick(m.t, "key", append(append(tempKeys, tempKeys...), append(realKeys, "aur-1", "AUR")...)...)
	spec := queue.NoteSpec{Key: key, Text: pick(m.t, "text", "one", "two", "three", "four", " ", "a\x00")}
	seen := 0

	if steps := slices.Sorted(maps.Keys(m.seen.noteAt)); len(steps) > 0 && chance(m.t, "guarded", 20) {
		seen = pick(m.t, "seen", steps...)
		spec.IfUpdatedAt = new(m.seen.noteAt[seen])
	}

	m.mirrored = true
	m.sayf("setNote %s by %s", show(spec), by.Name)

	got, err := m.hub.SetNote(m.ctx(), by, spec)

	want, refusal := m.model.SetNote(by.Name, spec.Key, spec.Text, seen)
	if m.refused(err, refusal) {
		return
	}

	if (got == nil) != (want == nil) || want != nil && (got.Key != want.Key || got.Text != want.Text || got.Author != want.Author) {
		m.fatal("note %+v, where the model says %+v", got, want)
	}
}
