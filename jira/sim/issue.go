package sim

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

type issue struct {
	id         int
	key        string
	project    *project
	kind       *issueType
	status     *status
	resolution *named
	resolved   time.Time
	summary    string
	labels     []string // sorted, each once
	priority   *named
	assignee   *user
	reporter   *user
	creator    *user
	parent     *issue // of a sub-task
	epic       *issue
	sprints    []*sprint // those it went through, the current one last
	components []*named
	versions   []*named
	values     map[string]any // by field id; what stands in it is never changed, only replaced
	properties map[string]json.RawMessage
	comments   []*comment
	links      []*link
	created    time.Time
	updated    time.Time
}

type comment struct {
	id         int
	author     *user
	body       any // wiki text or an ADF document
	created    time.Time
	properties []property
}

type property struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

type linkType struct {
	id      string
	name    string
	outward string
	inward  string
}

// link says of its source what the type's outward word says: "source blocks target".
type link struct {
	id     int
	kind   *linkType
	source *issue
	target *issue
}

// clone is a copy that shares nothing which is changed in place.
func (i *issue) clone() *issue {
	c := *i
	c.labels, c.sprints = slices.Clone(i.labels), slices.Clone(i.sprints)
	c.components, c.versions = slices.Clone(i.components), slices.Clone(i.versions)
	c.values, c.properties = maps.Clone(i.values), maps.Clone(i.properties)
	c.comments, c.links = slices.Clone(i.comments), slices.Clone(i.links)

	return &c
}

// allSprints are those that the issue shows: a sub-task goes where its parent goes.
func (i *issue) allSprints() []*sprint {
	if i.kind.subtask() && i.parent != nil {
		return i.parent.sprints
	}

	return i.sprints
}

// current is the sprint that the issue is in now; nil is the backlog.
func (i *issue) current() *sprint {
	all := i.allSprints()
	if len(all) == 0 || all[len(all)-1].state == sprintClosed {
		return nil
	}

	return all[len(all)-1]
}

// move takes the issue out of the sprint it is in and into another one; nil is the backlog. Closed ones stay.
func (i *issue) move(to *sprint) {
	i.sprints = slices.DeleteFunc(i.sprints, func(sp *sprint) bool { return sp.state != sprintClosed })
	if to != nil {
		i.sprints = append(i.sprints, to)
	}
}

// above is what stands over the issue: its parent, or its epic.
func (i *issue) above() *issue {
	if i.parent != nil {
		return i.parent
	}

	return i.epic
}

// link joins two issues; the same link twice is one, as in Jira.
func (s *store) link(kind *linkType, source, target *issue) {
	if _, ok := find(source.links, func(l *link) bool {
		return l.kind == kind && l.source == source && l.target == target
	}); ok {
		return
	}

	l := &link{id: s.nextID(), kind: kind, source: source, target: target}
	s.links[l.id] = l
	source.links, target.links = append(source.links, l), append(target.links, l)
	s.touch(source)
	s.touch(target)
}

func (s *store) unlink(l *link) {
	delete(s.links, l.id)

	for _, i := range []*issue{l.source, l.target} {
		i.links = slices.DeleteFunc(i.links, func(other *link) bool { return other == l })
		s.touch(i)
	}
}
