package model

import (
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// confirm ends the command in hand where the mirror shows its wanted state, and one of its issues was shown just now.
func (s *Site) confirm(shown map[*Issue]bool) *Command {
	c := s.InHand()
	if c == nil {
		return nil
	}

	p := c.Handed()

	if !slices.ContainsFunc(Subjects(p), func(key queue.Key) bool { return shown[s.Issues[s.present(key)]] }) || !s.Reached(p) {
		return nil
	}

	s.Failures = 0
	s.turn(c, queue.Confirmed, queue.CauseConfirmed, "")

	return c
}

// Subjects are the issues whose state says whether a command is fulfilled.
func Subjects(p queue.Params) []queue.Key {
	switch p := p.(type) {
	case queue.EnsureFields:
		return []queue.Key{p.Key}
	case queue.EnsureStatus:
		return []queue.Key{p.Key}
	case queue.EnsureSprint:
		return []queue.Key{p.Key}
	case queue.EnsureLink:
		return []queue.Key{p.Source, p.Target}
	default:
		return nil
	}
}

// Reached tells whether the mirror shows what the parameters ask for.
func (s *Site) Reached(p queue.Params) bool {
	var issue *Issue

	for _, key := range Subjects(p) {
		seen := s.Issues[s.present(key)]
		if seen != nil && seen.Missing {
			return false
		}

		if issue == nil {
			issue = seen
		}
	}

	if issue == nil {
		return false
	}

	switch p := p.(type) {
	case queue.EnsureFields:
		for name, wanted := range p.Fields {
			present := s.present
			if name == "summary" || name == "description" {
				present = asItIs
			}

			if current, read := s.field(issue, name); !read || !equal(wanted, current, present) {
				return false
			}
		}

		return true
	case queue.EnsureStatus:
		return issue.Status == p.Path[len(p.Path)-1]
	case queue.EnsureSprint:
		return equal(textOrNil(p.Sprint), textOrNil(issue.Sprint), asItIs)
	case queue.EnsureLink:
		return s.linked(p)
	default:
		return false
	}
}

// field is what the mirror has of a field, by its id or by the one name that Jira gives it; false where it was not read.
func (s *Site) field(issue *Issue, name string) (any, bool) {
	if s.Jira != nil {
		byID := slices.ContainsFunc(s.Jira.Fields, func(f queue.JiraField) bool { return f.ID == name })

		var ids []string

		for _, f := range s.Jira.Fields {
			if f.Name == name {
				ids = append(ids, f.ID)
			}
		}

		if _, read := issue.Fields[name]; !read && !byID && len(ids) == 1 {
			name = ids[0]
		}
	}

	switch name {
	case "summary":
		return issue.Summary, true
	case "description":
		return textOrNil(issue.Description), true
	case "status":
		return issue.Status, true
	case "sprint":
		return textOrNil(issue.Sprint), true
	case "parent":
		if issue.Parent == nil {
			return nil, true
		}

		return string(*issue.Parent), true
	}

	value, read := issue.Fields[name]

	return value, read
}

func textOrNil(text *string) any {
	if text == nil {
		return nil
	}

	return *text
}

// linked tells whether the link is there and no conflicting one. Of two sides the one whose links were read later
// decides; the rules do not say which where both came in one push: the source.
func (s *Site) linked(p queue.EnsureLink) bool {
	source, target := s.Issues[s.present(p.Source)], s.Issues[s.present(p.Target)]
	read := func(issue *Issue) int {
		if issue == nil {
			return 0
		}

		return issue.LinksRead
	}

	side, other, outward := source, s.present(p.Target), queue.Outward
	if read(target) > read(source) {
		side, other, outward = target, s.present(p.Source), queue.Inward
	}

	if read(side) == 0 || p.Exclusive && read(source) == 0 {
		return false
	}

	there, conflict := false, false

	for _, link := range side.Links {
		if link.Type == p.Type && s.present(link.Key) == other {
			same := link.Direction == outward || s.undirected(p.Type, source, target)
			there, conflict = there || same, conflict || !same
		}
	}

	if p.Exclusive {
		for _, link := range source.Links {
			outward := link.Direction == queue.Outward || s.undirected(p.Type, source, target)
			conflict = conflict || link.Type == p.Type && outward && s.present(link.Key) != s.present(p.Target)
		}
	}

	return there && !conflict
}

// undirected tells whether a type's two words are known and the same: by the links that are shown, or else by what
// the agent told of Jira.
func (s *Site) undirected(linkType string, sides ...*Issue) bool {
	for _, issue := range sides {
		if issue == nil {
			continue
		}

		for _, link := range issue.Links {
			if link.Type == linkType && link.OutwardName != nil && link.InwardName != nil {
				return *link.OutwardName == *link.InwardName
			}
		}
	}

	if s.Jira == nil {
		return false
	}

	return slices.ContainsFunc(s.Jira.LinkTypes, func(t queue.JiraLinkType) bool {
		return t.Name == linkType && t.Outward == t.Inward && t.Outward != ""
	})
}
