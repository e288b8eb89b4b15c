package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

func createIssue(c *call) answer {
	var sent fieldsSent
	if no, read := c.decode(&sent); !read {
		return no
	}

	if len(c.store.issues) >= c.store.maxIssues {
		return refused(http.StatusInternalServerError, "This simulation holds no more issues.")
	}

	made, problems := c.newIssue(sent)
	if len(problems) > 0 {
		return refusedFields(problems)
	}

	c.store.add(made)
	c.wrote("issue created", made)

	return created(object{"id": strconv.Itoa(made.id), "key": made.key, "self": c.self("issue", strconv.Itoa(made.id))})
}

// newIssue reads what a create sends: project and type first, since they say which screen holds the rest.
func (c *call) newIssue(sent fieldsSent) (*issue, map[string]string) {
	given, _ := sent.Fields["project"].(object)
	named := text(given["key"])

	if named == "" {
		named = text(given["id"])
	}

	p, ok := c.store.project(named)
	if !ok {
		return nil, map[string]string{"project": "valid project is required"}
	}

	d := c.store.draft(&issue{
		project: p, creator: c.store.me, reporter: c.store.me, priority: c.store.priorities[2],
		values: map[string]any{}, properties: map[string]json.RawMessage{},
	})

	if problem := setIssueType(d, nil, sent.Fields["issuetype"]); problem != "" {
		return nil, map[string]string{"issuetype": problem}
	}

	i := d.issue
	i.status = i.kind.workflow.start

	delete(sent.Fields, "project")
	delete(sent.Fields, "issuetype")

	screen := c.store.createScreen(p, i.kind)
	d.fill(screen, sent)

	if i.kind.subtask() && i.parent == nil && d.problems["parent"] == "" {
		d.problems["issuetype"] = "Issue type is a sub-task but parent issue key or id not specified."
	}

	if i.summary == "" && d.problems["summary"] == "" {
		d.problems["summary"] = "You must specify a summary of the issue."
	}

	for _, f := range d.missing(c, screen) {
		d.problems[f.id] = fmt.Sprintf("%s is required.", f.name)
	}

	for _, property := range sent.Properties {
		i.properties[property.Key] = property.Value
	}

	return i, d.problems
}
