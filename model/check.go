package model

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Problem is one thing that is wrong with a batch.
type Problem struct {
	// Position in the batch; -1 where the whole batch is at fault.
	Position int
	Field    string
	Code     queue.ProblemCode
}

// checker collects the problems of a batch, by position and then in the schema's order of fields.
type checker struct {
	problems []Problem
	position int
	// bearers are the first commands that bear each temporary key.
	bearers map[queue.Key]int
	params  []queue.Params
	present func(key queue.Key) queue.Key
}

// Problems finds everything that is wrong with a batch.
func (s *Site) Problems(spec queue.BatchSpec) []Problem {
	c := &checker{position: -1, bearers: map[queue.Key]int{}, present: s.present}

	if spec.Title != nil {
		c.text("title", *spec.Title, 200)
	}

	switch {
	case len(spec.Commands) == 0:
		c.add("commands", queue.EmptyBatch)
	case len(spec.Commands) > 10_000:
		c.add("commands", queue.BatchTooLarge)
	}

	for position, command := range spec.Commands {
		c.params = append(c.params, spelledParams(command.Params))

		if issue, ok := command.Params.(queue.EnsureIssue); ok && isTemp(issue.TempKey) {
			if _, repeated := c.bearers[issue.TempKey]; !repeated {
				c.bearers[issue.TempKey] = position
			}
		}
	}

	for position, command := range spec.Commands {
		c.position = position
		c.command(c.params[position], command.SprintOmitted)
	}

	return c.problems
}

// add says each thing once.
func (c *checker) add(field string, code queue.ProblemCode) {
	if problem := (Problem{c.position, field, code}); !slices.Contains(c.problems, problem) {
		c.problems = append(c.problems, problem)
	}
}

func (c *checker) command(p queue.Params, sprintOmitted bool) {
	switch p := p.(type) {
	case queue.EnsureIssue:
		c.issue(p)
	case queue.EnsureFields:
		c.key("key", p.Key)
		c.fields(p.Fields)

		if len(p.Fields) == 0 {
			c.add("fields", queue.Required)
		}
	case queue.EnsureStatus:
		c.key("key", p.Key)

		if len(p.Path) == 0 {
			c.add("path", queue.Required)
		}

		for _, status := range p.Path {
			c.required("path", status, 255)
		}
	case queue.EnsureLink:
		c.key("source", p.Source)
		c.key("target", p.Target)

		if c.present(p.Source) == c.present(p.Target) {
			c.add("target", queue.Malformed)
		}

		c.required("type", p.Type, 255)
	case queue.EnsureSprint:
		c.key("key", p.Key)

		if sprintOmitted {
			c.add("sprint", queue.Required)
		} else if p.Sprint != nil {
			c.text("sprint", *p.Sprint, 255)
		}
	case queue.EnsureComment:
		c.key("key", p.Key)
		c.required("body", p.Body, 32_767)
	case queue.Refresh:
		for _, key := range p.Keys {
			c.key("keys", key)
		}

		if len(p.Keys) == 0 && (p.JQL == nil || strings.TrimSpace(*p.JQL) == "") {
			c.add("keys", queue.Required)
		}
	}
}

func (c *checker) issue(p queue.EnsureIssue) {
	switch {
	case !isTemp(p.TempKey):
		c.add("tempKey", queue.Malformed)
	case c.bearers[p.TempKey] != c.position:
		c.add("tempKey", queue.TempKeyRepeated)
	case c.leads(c.position, c.position, map[int]bool{}):
		c.add("tempKey", queue.TempKeyCycle)
	}

	c.required("project", p.Project, 255)
	c.required("issueType", p.IssueType, 255)
	c.required("summary", p.Summary, 255)

	if strings.ContainsAny(p.Summary, "\r\n") {
		c.add("summary", queue.Malformed)
	}

	if p.Description != nil {
		c.text("description", *p.Description, 32_767)
	}

	for _, named := range []struct {
		field string
		key   *queue.Key
	}{{"parent", p.Parent}, {"epic", p.Epic}} {
		if named.key != nil {
			c.key(named.field, *named.key)
		}
	}

	c.fields(p.Fields)
}

// leads tells whether the creation at `from` waits, straight or through others, for the one at `to`.
func (c *checker) leads(from, to int, seen map[int]bool) bool {
	for _, key := range awaited(c.params[from]) {
		next, known := c.bearers[key]
		if !known || seen[next] {
			continue
		}

		seen[next] = true

		if next == to || c.leads(next, to, seen) {
			return true
		}
	}

	return false
}

func (c *checker) key(field string, key queue.Key) {
	if _, ok := spelled(key); !ok {
		c.add(field, queue.KeyMalformed)
	} else if _, known := c.bearers[key]; isTemp(key) && !known {
		c.add(field, queue.TempKeyUnknown)
	}
}

func (c *checker) required(field, text string, limit int) {
	if strings.TrimSpace(text) == "" {
		c.add(field, queue.Required)
	}

	c.text(field, text, limit)
}

func (c *checker) text(field, text string, limit int) {
	if len(utf16.Encode([]rune(text))) > limit {
		c.add(field, queue.TooLong)
	}

	if strings.Contains(text, "\x00") {
		c.add(field, queue.Malformed)
	}
}

// fields checks whole values; the sequences bring no problem deeper down but unknown temporary keys.
func (c *checker) fields(fields queue.Fields) {
	mapFields(fields, func(field string, key queue.Key) queue.Key {
		c.key(field, key)

		return key
	})

	for name, value := range fields {
		switch value := value.(type) {
		case string:
			limit := 32_767
			if name == "summary" {
				limit = 255
			}

			c.text("fields", value, limit)

			if name == "summary" && strings.ContainsAny(value, "\r\n") {
				c.add("fields", queue.Malformed)
			}
		case json.Number:
			if _, err := strconv.ParseFloat(string(value), 64); err != nil {
				c.add("fields", queue.Malformed)
			}
		}
	}
}
