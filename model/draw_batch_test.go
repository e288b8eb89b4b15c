package model

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// drawBatch makes a batch of creations and of commands that name them, in any order.
func (m *machine) drawBatch() queue.BatchSpec {
	t := m.t
	temps := tempKeys[:pick(t, "creations", 1, 1, 0, 2, 2, 3)]

	others := evenly(4).Draw(t, "others")
	commands := make([]queue.CommandSpec, 0, len(temps)+others)

	for i, temp := range temps {
		commands = append(commands, queue.CommandSpec{Params: drawCreation(t, temp, temps[:i])})
	}

	for range max(others, 1-len(temps)) {
		commands = append(commands, queue.CommandSpec{Params: m.drawCommand(temps)})
	}

	spec := queue.BatchSpec{
		Title:     optional(t, "title", "t1", "t2"),
		Held:      chance(t, "held", 15),
		ClientKey: drawClientKey(t),
		Commands:  shuffled(t, commands),
	}

	if chance(t, "wrong", 12) {
		spoil(t, &spec)
	}

	return spec
}

func drawClientKey(t *rapid.T) *string {
	if !chance(t, "client key", 20) {
		return nil
	}

	key := pick(t, "client key", "k1", "k2")

	return &key
}

// drawKey takes a temporary key where there is one, more often than not.
func drawKey(t *rapid.T, temps []queue.Key) queue.Key {
	if len(temps) > 0 && chance(t, "temporary", 65) {
		return pick(t, "temporary key", temps...)
	}

	return pick(t, "key", append(realKeys, "aur-1")...)
}

func drawCreation(t *rapid.T, temp queue.Key, earlier []queue.Key) queue.Params {
	p := queue.EnsureIssue{TempKey: temp, Project: "AUR", IssueType: "Task", Summary: "Отчёт", Fields: queue.Fields{}}

	if chance(t, "parent", 30) {
		parent := drawKey(t, earlier)
		p.Parent = &parent
	}

	if chance(t, "epic", 15) {
		epic := drawKey(t, earlier)
		p.Epic = &epic
	}

	if chance(t, "fields", 30) {
		p.Fields["f1"] = drawReference(t, earlier)
		prose := "as new:9 says"
		p.Description = &prose
	}

	return p
}

// drawReference is a field's value that holds a key, or what only looks like one.
func drawReference(t *rapid.T, temps []queue.Key) any {
	key := string(drawKey(t, temps))

	switch pick(t, "reference", "whole", "item", "key", "name") {
	case "whole":
		return key
	case "item":
		return []any{"AUR-7", key}
	case "key":
		return map[string]any{"key": key}
	default:
		return map[string]any{"name": "new:9"}
	}
}

func (m *machine) drawCommand(temps []queue.Key) queue.Params {
	t := m.t

	if len(m.model.Issues) > 0 && chance(t, "about what is there", 35) {
		return m.drawAbout(m.drawKnown())
	}

	key := drawKey(t, temps)

	switch pick(t, "kind", queue.KindFields, queue.KindFields, queue.KindFields, queue.KindLink, queue.KindLink, queue.KindLink,
		queue.KindStatus, queue.KindSprint, queue.KindComment, queue.KindRefresh, queue.KindRefresh) {
	case queue.KindFields:
		fields := queue.Fields{pick(t, "field", fieldNames()...): drawValue(t)}
		if chance(t, "second field", 25) {
			fields["f2"] = drawReference(t, temps)
		}

		if chance(t, "prose", 10) {
			fields["description"] = "new:9"
		}

		return queue.EnsureFields{Key: key, Fields: fields}
	case queue.KindStatus:
		return queue.EnsureStatus{Key: key, Path: pick(t, "path", []string{"Done"}, []string{"Open", "Done"}, []string{"Open"})}
	case queue.KindLink:
		target := drawKey(t, temps)
		if target == key || strings.EqualFold(string(target), string(key)) {
			target = "CYG-1"
		}

		return queue.EnsureLink{
			Source: key, Target: target, Type: pick(t, "type", "Blocks", "Relates", "Odd"), Exclusive: chance(t, "exclusive", 50),
		}
	case queue.KindSprint:
		return queue.EnsureSprint{Key: key, Sprint: drawSprint(t)}
	case queue.KindComment:
		return queue.EnsureComment{Key: key, Body: "hello"}
	default:
		keys := []queue.Key{key}
		if chance(t, "second key", 30) {
			keys = append(keys, drawKey(t, temps))
		}

		return queue.Refresh{Keys: keys, JQL: optional(t, "jql", "project = AUR")}
	}
}

// drawKnown is an issue that the mirror has.
func (m *machine) drawKnown() *Issue {
	return m.model.Issues[pick(m.t, "issue", slices.Sorted(maps.Keys(m.model.Issues))...)]
}

// drawAbout asks for what an issue shows already, or nearly.
func (m *machine) drawAbout(issue *Issue) queue.Params {
	t := m.t

	switch pick(t, "about", "field", "field", "own field", "link", "sprint", "status") {
	case "field":
		if len(issue.Fields) > 0 {
			name := pick(t, "read", slices.Sorted(maps.Keys(issue.Fields))...)

			return queue.EnsureFields{Key: issue.Key, Fields: queue.Fields{
				pick(t, "name", name, name, "Effort"): drawNear(t, issue.Fields[name]),
			}}
		}

		fallthrough
	case "own field":
		return queue.EnsureFields{Key: issue.Key, Fields: queue.Fields{
			pick(t, "own field", "summary", "description", "status", "sprint", "parent"): pick[any](t, "own value",
				issue.Status, textOrNil(issue.Sprint), textOrNil(issue.Description), "Отчёт", "CYG-1", nil),
		}}
	case "link":
		for _, link := range issue.Links {
			p := queue.EnsureLink{Source: issue.Key, Target: link.Key, Type: link.Type, Exclusive: rapid.Bool().Draw(t, "exclusive")}
			if link.Direction == queue.Inward {
				p.Source, p.Target = p.Target, p.Source
			}

			if p.Source != p.Target {
				return p
			}
		}

		return queue.EnsureStatus{Key: issue.Key, Path: []string{"Done"}}
	case "sprint":
		return queue.EnsureSprint{Key: issue.Key, Sprint: pick(t, "sprint", issue.Sprint, issue.Sprint, new(""))}
	default:
		return queue.EnsureStatus{Key: issue.Key, Path: []string{"Open", issue.Status}}
	}
}
