package queue

import (
	"fmt"
)

// Limits of what people send, texts in UTF-16 units as Jira counts.
const (
	MaxCommands  = 10_000
	MaxTitle     = 200
	MaxClientKey = 200
	MaxSummary   = 255
	MaxName      = 255
	MaxText      = 32_767
	MaxJQL       = 8_000
)

const (
	// MaxPath is how many statuses an EnsureStatus may lead through.
	MaxPath = 100
	// MaxRefreshKeys is how many keys the refreshes of one batch may name together.
	MaxRefreshKeys = 10_000
)

// BatchSpec is a batch as a person sent it: keys are still any text.
type BatchSpec struct {
	Title, ClientKey *string
	// Held makes it on hold.
	Held     bool
	Commands []CommandSpec
}

// CommandSpec is one command as a person sent it.
type CommandSpec struct {
	Params Params
	// SprintOmitted tells that of an EnsureSprint the sprint was not given at all, not even null.
	SprintOmitted bool
}

// batchCheck collects everything that is wrong with a batch.
type batchCheck struct {
	problems []Problem
	// creations are the positions of the commands that bear each temporary key.
	creations map[Key]int
	// present gives the key that an issue has now.
	present  func(Key) Key
	position int
	// refreshed counts the keys that refreshes named so far.
	refreshed int
}

// checkBatch finds every problem, by position and then in the schema's order of fields, and gives the parameters
// with each key in its one spelling.
func checkBatch(spec BatchSpec, present func(Key) Key) ([]Params, []Problem) {
	check := &batchCheck{creations: map[Key]int{}, present: present}
	check.whole(spec)

	if len(spec.Commands) == 0 || len(spec.Commands) > MaxCommands {
		return nil, check.problems
	}

	params := make([]Params, len(spec.Commands))

	for position, command := range spec.Commands {
		params[position] = spelled(command.Params)

		if issue, ok := params[position].(EnsureIssue); ok && issue.TempKey.Temp() {
			if _, repeated := check.creations[issue.TempKey]; !repeated {
				check.creations[issue.TempKey] = position
			}
		}
	}

	cycles := check.cycles(params)

	for position, p := range params {
		check.position = position
		check.command(p, spec.Commands[position], cycles[position])
	}

	return params, check.problems
}

// spelled takes each key to its one spelling; what is no key stays as it is, to be found wrong.
func spelled(p Params) Params {
	return p.mapKeys(func(_ string, key Key) Key {
		if parsed, ok := ParseKey(string(key)); ok {
			return parsed
		}

		return key
	})
}

// whole checks what is not about one command.
func (c *batchCheck) whole(spec BatchSpec) {
	c.position = -1

	if spec.Title != nil {
		c.text("title", "title", *spec.Title, MaxTitle)
	}

	if spec.ClientKey != nil {
		c.required("clientKey", "clientKey", *spec.ClientKey, MaxClientKey)
	}

	switch count := len(spec.Commands); {
	case count == 0:
		c.addf(EmptyBatch, "commands", "commands is empty; give at least one")
	case count > MaxCommands:
		c.addf(BatchTooLarge, "commands", "commands has %d items; at most %d go into one batch", count, MaxCommands)
	}
}

func (c *batchCheck) addf(code ProblemCode, field, format string, args ...any) {
	problem := Problem{Code: code, Message: fmt.Sprintf(format, args...), Field: field}

	if c.position >= 0 {
		position := c.position
		problem.Position = &position
	}

	c.problems = append(c.problems, problem)
}

// command checks one command, its fields in the schema's order. cyclic tells that it waits for itself.
func (c *batchCheck) command(p Params, spec CommandSpec, cyclic bool) {
	switch p := p.(type) {
	case EnsureIssue:
		c.issue(p, cyclic)
	case EnsureFields:
		c.key("key", p.Key)

		if len(p.Fields) == 0 {
			c.addf(Required, "fields", "fields is empty; give at least one field")
		}

		c.fields(p.Fields)
	case EnsureStatus:
		c.key("key", p.Key)
		c.path(p.Path)
	case EnsureLink:
		c.key("source", p.Source)
		c.key("target", p.Target)

		if loop := loopOf(p, c.present); loop != "" {
			c.addf(Malformed, "target", "%s", loop)
		}

		c.required("type", "type", p.Type, MaxName)
	case EnsureSprint:
		c.key("key", p.Key)
		c.sprint(p, spec)
	case EnsureComment:
		c.key("key", p.Key)
		c.required("body", "body", p.Body, MaxText)
	case Refresh:
		c.refresh(p)
	}
}

func (c *batchCheck) issue(p EnsureIssue, cyclic bool) {
	switch first, known := c.creations[p.TempKey]; {
	case !known:
		c.addf(Malformed, "tempKey", "tempKey is %.40q; it must be new:1, new:2 and so on", p.TempKey)
	case first != c.position:
		c.addf(TempKeyRepeated, "tempKey", "%s is the temporary key of command %d already; choose another", p.TempKey, first)
	}

	if cyclic {
		c.addf(TempKeyCycle, "tempKey", "%s waits for itself, through the issues that it names; break the circle", p.TempKey)
	}

	c.required("project", "project", p.Project, MaxName)
	c.required("issueType", "issueType", p.IssueType, MaxName)
	c.required("summary", "summary", p.Summary, MaxSummary)
	c.oneLine("summary", "summary", p.Summary)

	if p.Description != nil {
		c.text("description", "description", *p.Description, MaxText)
	}

	if p.Parent != nil {
		c.key("parent", *p.Parent)
	}

	if p.Epic != nil {
		c.key("epic", *p.Epic)
	}

	c.fields(p.Fields)
}

func (c *batchCheck) path(path []string) {
	if len(path) == 0 {
		c.addf(Required, "path", "path is empty; give the wanted status, last of those that lead to it")
	}

	if len(path) > MaxPath {
		c.addf(TooLong, "path", "path has %d statuses; at most %d are allowed", len(path), MaxPath)

		return
	}

	for i, status := range path {
		c.required("path", fmt.Sprintf("path[%d]", i), status, MaxName)
	}
}

func (c *batchCheck) sprint(p EnsureSprint, spec CommandSpec) {
	switch {
	case spec.SprintOmitted:
		c.addf(Required, "sprint", "sprint is missing; give its name, or null for the backlog")
	case p.Sprint != nil:
		c.text("sprint", "sprint", *p.Sprint, MaxName)
	}
}

func (c *batchCheck) refresh(p Refresh) {
	// What is too long is not looked through: a problem of each of its items would help nobody.
	if c.refreshed += len(p.Keys); c.refreshed > MaxRefreshKeys {
		c.addf(TooLong, "keys", "the refreshes of this batch name %d keys up to here; at most %d go into one batch",
			c.refreshed, MaxRefreshKeys)
	} else {
		for _, key := range p.Keys {
			c.key("keys", key)
		}
	}

	if len(p.Keys) == 0 && blank(textOf(p.JQL)) {
		c.addf(Required, "keys", "keys and jql are empty; give keys, a query or both")
	}

	if p.JQL != nil {
		c.text("jql", "jql", *p.JQL, MaxJQL)
	}
}

// key checks a key parameter: its form, and that a temporary one has its creation in this batch.
func (c *batchCheck) key(field string, key Key) {
	if _, ok := ParseKey(string(key)); !ok {
		c.addf(KeyMalformed, field, "%.40q is neither a Jira key such as AURORA-1537 nor a temporary one such as new:1", key)

		return
	}

	c.known(field, key)
}

func (c *batchCheck) known(field string, key Key) {
	if _, known := c.creations[key]; key.Temp() && !known {
		c.addf(TempKeyUnknown, field, "no ensureIssue of this batch makes %s", key)
	}
}
