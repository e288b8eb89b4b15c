package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

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
		queue.Refresh{JQL: new(" ")}, queue.Refresh{Keys: []queue.Key{"AUR-1", "new:0"}},
		issue(func(p *queue.EnsureIssue) {
			p.TempKey = "AUR-1"
			p.Summary = "a\nb"
			p.Parent = new(queue.Key("new:9"))
		}),
		issue(func(p *queue.EnsureIssue) { p.Parent = new(queue.Key("new:8")) }),
		issue(func(p *queue.EnsureIssue) { p.Project = ""; p.Summary = long; p.Epic = new(queue.Key("x")) }),
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
		spec.Title = new(strings.Repeat("t", 201))
	default:
		spec.Commands = nil
	}
}
