package sim

import (
	"fmt"
	"slices"
)

type project struct {
	id         string
	key        string
	name       string
	types      []*issueType
	components []*named
	versions   []*named
	next       int // the number of the next issue
	lead       *user
}

type issueType struct {
	id       string
	name     string
	level    int // Cloud's hierarchy: 1 an epic, 0 a story, -1 a sub-task
	workflow *workflow
	create   []screenField
	edit     []screenField
}

type screenField struct {
	id       string
	required bool
}

type status struct {
	id       string
	name     string
	category string // Jira's key: new, indeterminate, done
}

type workflow struct {
	start       *status
	transitions []*transition
}

type transition struct {
	id     string
	name   string
	from   []*status // nil: from wherever
	to     *status
	screen []screenField // nil: none
}

func (p *project) nextKey() string {
	key := fmt.Sprintf("%s-%d", p.key, p.next)
	p.next++

	return key
}

func (t *issueType) subtask() bool { return t.level < 0 }
func (t *issueType) epic() bool    { return t.level > 0 }

func (w *workflow) statuses() []*status {
	list := []*status{w.start}
	for _, t := range w.transitions {
		if !slices.Contains(list, t.to) {
			list = append(list, t.to)
		}
	}

	return list
}

func (w *workflow) from(st *status) []*transition {
	var open []*transition
	for _, t := range w.transitions {
		if t.from == nil && t.to != st || slices.Contains(t.from, st) {
			open = append(open, t)
		}
	}

	return open
}

func onScreen(screen []screenField, id string) bool {
	return slices.ContainsFunc(screen, func(f screenField) bool { return f.id == id })
}

type board struct {
	id      int
	name    string
	project *project
	kanban  bool
}

func (b *board) kind() string {
	if b.kanban {
		return "kanban"
	}

	return "scrum"
}

// The states of a sprint, as the Agile API writes them.
const (
	sprintActive = "active"
	sprintFuture = "future"
	sprintClosed = "closed"
)

type sprint struct {
	id    int
	board *board
	name  string
	state string
	goal  string
}
