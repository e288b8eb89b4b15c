package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Few keys, so that commands, snapshots and notes meet.
var (
	realKeys = []queue.Key{"AUR-1", "AUR-2", "AUR-3", "BOR-1", "BOR-2"} //nolint:gochecknoglobals // a constant
	tempKeys = []queue.Key{"new:1", "new:2", "new:3"}                   //nolint:gochecknoglobals // a constant
)

// evenly draws a number below n. rapid's own ranges and samples favour small ones, and so the first of a list, by far.
func evenly(n int) *rapid.Generator[int] {
	const bits = 10

	return rapid.Map(rapid.SliceOfN(rapid.Bool(), bits, bits), func(drawn []bool) int {
		number := 0
		for _, bit := range drawn {
			number *= 2
			if bit {
				number++
			}
		}

		return number * n >> bits
	})
}

func pick[T any](t *rapid.T, what string, from ...T) T { return from[evenly(len(from)).Draw(t, what)] }

// chance shrinks to no.
func chance(t *rapid.T, what string, percent int) bool {
	return evenly(100).Draw(t, what) >= 100-percent
}

func optional[T any](t *rapid.T, what string, from ...T) *T {
	if !chance(t, what+" given", 50) {
		return nil
	}

	value := pick(t, what, from...)

	return &value
}

func (m *machine) operator() queue.Actor {
	return queue.Actor{Site: m.site, Name: pick(m.t, "operator", "ann", "ann", "ann", "bob")}
}

// drawBatch makes a batch of creations and of commands that name them, in any order.
func (m *machine) drawBatch() queue.BatchSpec {
	t := m.t
	temps := tempKeys[:pick(t, "creations", 1, 1, 0, 2, 2, 3)]

	var commands []queue.CommandSpec

	for i, temp := range temps {
		commands = append(commands, queue.CommandSpec{Params: drawCreation(t, temp, temps[:i])})
	}

	others := evenly(4).Draw(t, "others")
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

func shuffled[T any](t *rapid.T, list []T) []T {
	var out []T
	for i, item := range list {
		out = slices.Insert(out, evenly(i+1).Draw(t, "place"), item)
	}

	return out
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
		return m.drawAbout(m.model.Issues[pick(t, "issue", slices.Sorted(maps.Keys(m.model.Issues))...)])
	}

	key := drawKey(t, temps)

	switch pick(t, "kind", queue.KindFields, queue.KindFields, queue.KindFields, queue.KindLink, queue.KindLink, queue.KindLink,
		queue.KindStatus, queue.KindSprint, queue.KindComment, queue.KindRefresh, queue.KindRefresh) {
	case queue.KindFields:
		fields := queue.Fields{pick(t, "field", fieldNames()...): drawValue(t)}
		if chance(t, "second field", 25) {
			fields["f2"] = drawReference(t, temps)
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
			Source: key, Target: target, Type: pick(t, "type", "Blocks", "Relates", "Odd"), Exclusive: chance(t, "exclusive", 40),
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
		return queue.EnsureSprint{Key: issue.Key, Sprint: pick(t, "sprint", issue.Sprint, issue.Sprint, ptr(""))}
	default:
		return queue.EnsureStatus{Key: issue.Key, Path: []string{"Open", issue.Status}}
	}
}

func drawSprint(t *rapid.T) *string {
	return pick(t, "sprint", nil, ptr(""), ptr("Спринт 1"), ptr("Спринт 2"))
}

func ptr[T any](value T) *T { return &value }

func fieldNames() []string {
	return []string{"f1", "f1", "f2", "Effort", "Effort", "summary", "description", "status", "sprint"}
}

// families are values that are equal, or nearly, in ways that the rules tell apart.
func families() [][]any {
	return [][]any{
		{nil, "", []any{}},
		{"a\nb", "a\r\nb", "a b"},
		{"5", json.Number("5"), json.Number("5.0"), json.Number("50e-1"), json.Number("6"), map[string]any{"id": "5"}},
		{"High", map[string]any{"name": "High"}, map[string]any{"value": "High", "id": "5"}, map[string]any{"accountId": "High"}},
		{map[string]any{"id": "5"}, map[string]any{"id": "5", "name": "High"}, map[string]any{"id": "6", "name": "High"}},
		{
			[]any{"x", "High"}, []any{map[string]any{"name": "High"}, "x", "x"}, []any{"x"}, []any{"High", "x"},
			[]any{"x", "High", "y"}, []any{map[string]any{"value": "High"}, "x"},
		},
		{"Done", "Open", "Спринт 1", "Спринт 2", true},
	}
}

func drawValue(t *rapid.T) any { return pick(t, "value", pick(t, "family", families()...)...) }

// drawNear takes a value that nearly is the wanted one.
func drawNear(t *rapid.T, wanted any) any {
	for _, family := range families() {
		for _, value := range family {
			if spelling(value) == spelling(wanted) {
				return pick(t, "near", family...)
			}
		}
	}

	return wanted
}

// spoil makes a batch wrong in one way.
func spoil(t *rapid.T, spec *queue.BatchSpec) {
	type params = queue.Params

	long := strings.Repeat("😀", 128)
	issue := func(change func(p *queue.EnsureIssue)) params {
		p := queue.EnsureIssue{TempKey: "new:8", Project: "AUR", IssueType: "Task", Summary: "s", Fields: queue.Fields{}}
		change(&p)

		return p
	}

	wrong := pick[params](t, "wrong",
		queue.EnsureComment{Key: "AUR", Body: " "}, queue.EnsureComment{Key: "new:01", Body: "a\x00"},
		queue.EnsureComment{Key: "new:9", Body: "unknown"}, queue.EnsureFields{Key: "AUR-1", Fields: queue.Fields{}},
		queue.EnsureFields{Key: "AUR-1", Fields: queue.Fields{"f1": "new:9", "f2": json.Number("1e999")}},
		queue.EnsureFields{Key: "AUR-1", Fields: queue.Fields{"summary": long}},
		queue.EnsureFields{Key: "AUR-1", Fields: queue.Fields{"summary": "new:9", "f1": map[string]any{"key": "new:9"}}},
		queue.EnsureStatus{Key: "AUR-1"}, queue.EnsureStatus{Key: "AUR-1", Path: []string{"Open", ""}},
		queue.EnsureLink{Source: "AUR-1", Target: "aur-1", Type: " "}, queue.EnsureLink{Source: "new:9", Target: "AUR 1", Type: "Blocks"},
		queue.Refresh{JQL: ptr(" ")}, queue.Refresh{Keys: []queue.Key{"AUR-1", "new:0"}},
		issue(func(p *queue.EnsureIssue) {
			p.TempKey = "AUR-1"
			p.Summary = "a\nb"
			p.Parent = ptr(queue.Key("new:9"))
		}),
		issue(func(p *queue.EnsureIssue) { p.Parent = ptr(queue.Key("new:8")) }),
		issue(func(p *queue.EnsureIssue) { p.Project = ""; p.Summary = long; p.Epic = ptr(queue.Key("x")) }),
	)
	omitted := queue.CommandSpec{Params: queue.EnsureSprint{Key: "AUR-1"}, SprintOmitted: true}

	switch pick(t, "how", "command", "command", "command", "repeat", "cycle", "sprint", "title", "empty") {
	case "command":
		spec.Commands = append(spec.Commands, queue.CommandSpec{Params: wrong})
	case "repeat":
		spec.Commands = append(spec.Commands, spec.Commands...)
	case "cycle":
		for i := range 3 {
			next := queue.Key(fmt.Sprintf("new:%d", 5+(i+1)%3))
			at := evenly(len(spec.Commands)+1).Draw(t, "at")
			cyclic := queue.CommandSpec{Params: issue(func(p *queue.EnsureIssue) {
				p.TempKey = queue.Key(fmt.Sprintf("new:%d", 5+i))
				p.Fields = queue.Fields{"f1": []any{string(next)}}
			})}
			spec.Commands = slices.Insert(spec.Commands, at, cyclic)
		}
	case "sprint":
		spec.Commands = append(spec.Commands, omitted)
	case "title":
		spec.Title = ptr(strings.Repeat("t", 201))
	default:
		spec.Commands = nil
	}
}
