package sim

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Issue is one issue, for tests to look at.
type Issue struct {
	ID, Key, Project, Type, Status, Resolution, Summary string
	// Description is the text as people read it, on Cloud too.
	Description string
	Labels      []string
	// Sprint is the one it is in now; empty: the backlog.
	Sprint       string
	Parent, Epic string // keys
	Links        []Link
	Comments     []Comment
	Properties   map[string]json.RawMessage
}

// Link says of its source what the type's outward word says.
type Link struct{ Type, Source, Target string }

// Comment is one comment; Author is a user's name, on Cloud an account id.
type Comment struct{ Author, Text string }

// Issue finds one by its key, an old key or its id.
func (s *Sim) Issue(keyOrID string) (found Issue, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	i, ok := s.store.issue(keyOrID)
	if !ok {
		return Issue{}, false
	}

	return s.store.look(i), true
}

// Labelled are the issues that bear a label, in the order in which they were made.
func (s *Sim) Labelled(label string) []Issue {
	s.mu.Lock()
	defer s.mu.Unlock()

	var found []Issue

	for _, i := range s.store.issues {
		if slices.Contains(i.labels, label) {
			found = append(found, s.store.look(i))
		}
	}

	return found
}

// Count is how many issues there are.
func (s *Sim) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()

	return len(s.store.issues)
}

func (s *store) look(i *issue) Issue {
	seen := Issue{
		ID: strconv.Itoa(i.id), Key: i.key, Project: i.project.key, Type: i.kind.name, Status: i.status.name, Summary: i.summary,
		Description: plainText(i.values["description"]), Labels: slices.Clone(i.labels), Properties: maps.Clone(i.properties),
	}

	if i.resolution != nil {
		seen.Resolution = i.resolution.name
	}

	if sp := i.current(); sp != nil {
		seen.Sprint = sp.name
	}

	if i.parent != nil {
		seen.Parent = i.parent.key
	}

	if i.epic != nil {
		seen.Epic = i.epic.key
	}

	for _, l := range i.links {
		seen.Links = append(seen.Links, Link{Type: l.kind.name, Source: l.source.key, Target: l.target.key})
	}

	for _, m := range i.comments {
		seen.Comments = append(seen.Comments, Comment{Author: s.userID(m.author), Text: plainText(m.body)})
	}

	return seen
}
