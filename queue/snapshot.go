package queue

import (
	"maps"
	"slices"
	"time"
)

// read takes the snapshot's keys to their one spelling and makes its texts fit to be stored. place says which of a push
// it is.
func (s *Snapshot) read(place string) error {
	if err := readKey(&s.Key, "%s.key", place); err != nil {
		return err
	}

	if s.Parent != nil {
		parent := *s.Parent
		if err := readKey(&parent, "%s.parent", place); err != nil {
			return err
		}

		s.Parent = &parent
	}

	s.Links = slices.Clone(s.Links)
	for i := range s.Links {
		link := &s.Links[i]
		if err := readKey(&link.Key, "%s.links[%d].key", place, i); err != nil {
			return err
		}

		link.Type = clean(link.Type)
		link.OutwardName = cleanOptional(link.OutwardName)
		link.InwardName = cleanOptional(link.InwardName)
	}

	s.JiraID = clean(s.JiraID)
	s.Project = clean(s.Project)
	s.IssueType = clean(s.IssueType)
	s.Summary = clean(s.Summary)
	s.Status = clean(s.Status)
	s.Description = cleanOptional(s.Description)
	s.Sprint = cleanOptional(s.Sprint)

	if s.Fields != nil {
		s.Fields = Fields(cleanObject(s.Fields))
	}

	return nil
}

func cleanOptional(s *string) *string {
	if s == nil {
		return nil
	}

	cleaned := clean(*s)

	return &cleaned
}

func cleanObject(object map[string]any) map[string]any {
	cleaned := make(map[string]any, len(object))
	for name, value := range object {
		cleaned[clean(name)] = cleanValue(value)
	}

	return cleaned
}

func cleanValue(value any) any {
	switch value := value.(type) {
	case string:
		return clean(value)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = cleanValue(item)
		}

		return items
	case map[string]any:
		return cleanObject(value)
	default:
		return value
	}
}

// over gives the row of the mirror after the snapshot: what it read replaces what was there, what it did not read
// stays.
func (s *Snapshot) over(before *Issue, now time.Time, version int64) *Issue {
	after := &Issue{
		JiraID: s.JiraID, Project: s.Project, IssueType: s.IssueType, Summary: s.Summary, Description: s.Description,
		Status: s.Status, Sprint: s.Sprint, Parent: s.Parent, Fields: Fields{}, Links: []Link{}, RefreshedAt: now,
	}

	if before != nil {
		after.LinksVersion = before.LinksVersion
		after.Links = before.Links

		maps.Copy(after.Fields, before.Fields)

		if after.JiraID == "" {
			after.JiraID = before.JiraID
		}
	}

	maps.Copy(after.Fields, s.Fields)

	if s.LinksRead {
		after.LinksVersion = version
		after.Links = append([]Link{}, s.Links...)
	}

	return after
}
