package sim

import (
	"fmt"
	"net/http"
)

func editIssue(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	var sent fieldsSent
	if no, read := c.decode(&sent); !read {
		return no
	}

	if len(sent.Fields) == 0 && len(sent.Update) == 0 && len(sent.Properties) == 0 {
		return refused(http.StatusBadRequest, "one of 'fields' or 'update' required")
	}

	d, screen := c.store.draft(i), c.store.editScreen(i)
	d.fill(screen, sent)

	for _, f := range d.missing(c, screen) {
		if _, sent := sent.Fields[f.id]; sent {
			d.problems[f.id] = fmt.Sprintf("%s is required.", f.name)
		}
	}

	for _, property := range sent.Properties {
		d.issue.properties[property.Key] = property.Value
	}

	if len(d.problems) > 0 {
		return refusedFields(d.problems)
	}

	c.commit(d, i)
	c.wrote("issue edited", i)

	return noContent()
}

// commit makes the draft what the issue is.
func (c *call) commit(d *draft, i *issue) {
	*i = *d.issue
	c.store.touch(i)
}

func assign(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	var sent object
	if no, read := c.decode(&sent); !read {
		return no
	}

	d := c.store.draft(i)
	if problem := setAssignee(d, nil, sent); problem != "" {
		return refusedField("assignee", problem)
	}

	c.commit(d, i)
	c.wrote("issue assigned", i)

	return noContent()
}

func deleteIssue(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	for _, child := range c.store.issues {
		if child.parent == i {
			return refused(http.StatusBadRequest, "The issue '"+i.key+"' has subtasks. You must specify the 'deleteSubtasks' parameter "+
				"to delete this issue and all its subtasks.")
		}
	}

	c.store.drop(i)
	c.wrote("issue deleted", i)

	return noContent()
}
