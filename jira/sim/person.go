package sim

import (
	"fmt"
	"slices"
)

// What people do in Jira meanwhile, without the API.

// AddIssues makes so many issues of a project's ordinary kind, as a person would, and gives the first and the last key.
func (s *Sim) AddIssues(projectKey string, n int) (first, last string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	p, ok := s.store.project(projectKey)

	switch {
	case !ok:
		return "", "", fmt.Errorf("no project is %q", projectKey)
	case n < 1 || len(s.store.issues)+n > s.store.maxIssues:
		return "", "", fmt.Errorf("it can hold %d issues and has %d", s.store.maxIssues, len(s.store.issues))
	}

	kind, _ := find(p.types, func(t *issueType) bool { return t.level == 0 })

	for at := range n {
		i := s.store.person(p, kind, fmt.Sprintf("Импортированная задача %d", at+1))
		s.store.add(i)

		if at == 0 {
			first = i.key
		}

		last = i.key
	}

	return first, last, nil
}

// SetStatus puts an issue into a status, whatever its workflow says.
func (s *Sim) SetStatus(key, statusName string) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	i, ok := s.store.issue(key)
	if !ok {
		return fmt.Errorf("no issue is %q", key)
	}

	st, err := s.store.statusNamed(statusName)
	if err != nil {
		return err
	}

	i.status = st
	s.store.touch(i)

	return nil
}

// DeleteIssue deletes an issue and its sub-tasks.
func (s *Sim) DeleteIssue(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	i, ok := s.store.issue(key)
	if !ok {
		return fmt.Errorf("no issue is %q", key)
	}

	for _, child := range slices.Clone(s.store.issues) {
		if child.parent == i {
			s.store.drop(child)
		}
	}

	s.store.drop(i)

	return nil
}
