package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Add brings a rule into force; the function that it gives ends it.
func (s *Sim) Add(rule Rule) (end func()) { return s.rules.add(rule) }

// Clear takes every rule and every knob back; issues stay as they are, and the index sees all of them.
func (s *Sim) Clear() {
	s.rules.clear()

	s.mu.Lock()
	defer s.mu.Unlock()

	st := s.store
	st.crlf, st.strip, st.screens, st.forced = false, false, nil, nil
	st.index.lag, st.index.held, s.failedLogins = 0, false, 0
	st.index.catchUp(st.now(), true)
}

// SetIndexLag lets searches see a change only after a while; reading by key sees it at once.
func (s *Sim) SetIndexLag(lag time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.store.index.lag = max(lag, 0)
}

// HoldIndex lets searches see no change at all until Reindex.
func (s *Sim) HoldIndex(hold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.store.index.held = hold
}

// Reindex lets searches see everything up to now.
func (s *Sim) Reindex() {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.store.index.catchUp(s.store.now(), true)
}

// BendTexts turns the line ends of what is sent to CRLF, or strips the spaces before them, from now on.
func (s *Sim) BendTexts(crlf, stripSpaces bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.store.crlf, s.store.strip = crlf, stripSpaces
}

// SetScreenField changes a screen.
func (s *Sim) SetScreenField(f ScreenField) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if _, ok := s.store.field(f.Field); !ok {
		return fmt.Errorf("no field has the id %q", f.Field)
	}

	if !slices.Contains([]string{"", screenCreate, screenEdit}, f.Screen) {
		return fmt.Errorf("a screen is %q or %q, not %q", screenCreate, screenEdit, f.Screen)
	}

	same := f
	s.store.screens = slices.DeleteFunc(s.store.screens, func(other ScreenField) bool {
		other.Off, other.Required = same.Off, same.Required

		return other == same
	})
	s.store.screens = append(s.store.screens, f)

	return nil
}

// RequireResolution puts a required resolution on the way into a status.
func (s *Sim) RequireResolution(forced ForcedResolution) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if _, err := s.store.statusNamed(forced.To); err != nil {
		return err
	}

	if !slices.Contains(s.store.forced, forced) {
		s.store.forced = append(s.store.forced, forced)
	}

	return nil
}

// MoveIssue moves an issue to another project, where it gets a new key; the old one still finds it.
func (s *Sim) MoveIssue(key, projectKey string) (newKey string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	i, ok := s.store.issue(key)
	if !ok {
		return "", fmt.Errorf("no issue is %q", key)
	}

	p, ok := s.store.project(projectKey)
	if !ok {
		return "", fmt.Errorf("no project is %q", projectKey)
	}

	kind, ok := find(p.types, func(t *issueType) bool { return t.name == i.kind.name })
	if !ok {
		kind = p.types[0]
	}

	i.project, i.kind, i.key = p, kind, p.nextKey()
	if !slices.Contains(kind.workflow.statuses(), i.status) {
		i.status = kind.workflow.start
	}

	s.store.byKey[i.key] = i
	s.store.touch(i)

	return i.key, nil
}

// AddSprint makes a sprint (active, future or closed) on a board of that name, and gives its id. Two may have one name.
func (s *Sim) AddSprint(boardName, name, state string) (id int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	b, ok := find(s.store.boards, func(b *board) bool { return b.name == boardName })

	switch {
	case !ok:
		return 0, fmt.Errorf("no board is named %q", boardName)
	case b.kanban:
		return 0, fmt.Errorf("board %q has no sprints", boardName)
	case !slices.Contains([]string{sprintActive, sprintFuture, sprintClosed}, state):
		return 0, fmt.Errorf("a sprint is active, future or closed, not %q", state)
	case name == "":
		return 0, errors.New("a sprint needs a name")
	}

	return s.store.addSprint(b, name, state).id, nil
}
