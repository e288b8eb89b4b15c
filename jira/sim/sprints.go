package sim

import (
	"fmt"
	"net/http"
	"strconv"
)

// maxMoved is how many issues the Agile API moves at once.
const maxMoved = 50

func (c *call) pathSprint() (*sprint, answer, bool) {
	id, _ := strconv.Atoi(c.r.PathValue("sprint"))

	sp, found := c.store.sprint(id)
	if !found {
		return nil, refused(http.StatusNotFound, "Sprint does not exist or you do not have permission to see it."), false
	}

	return sp, answer{}, true
}

func getSprint(c *call) answer {
	sp, no, found := c.pathSprint()
	if !found {
		return no
	}

	return ok(c.sprint(sp))
}

func sprintIssues(c *call) answer {
	sp, no, found := c.pathSprint()
	if !found {
		return no
	}

	var inside []*issue

	for _, i := range c.store.issues {
		if i.current() == sp {
			inside = append(inside, i)
		}
	}

	start, limit := c.page(maxAgilePage, 1000)

	return ok(object{
		"expand": "schema,names", "startAt": start, "maxResults": limit, "total": len(inside),
		"issues": each(cut(inside, start, limit), func(i *issue) any { return c.issue(i, c.wanted(navigableFields)) }),
	})
}

func moveToSprint(c *call) answer {
	sp, no, found := c.pathSprint()
	if !found {
		return no
	}

	if sp.state == sprintClosed {
		return refused(http.StatusBadRequest, "Issues can only be moved to open or future sprints.")
	}

	return c.moveSent(sp, "moved to sprint "+sp.name)
}

func moveToBacklog(c *call) answer { return c.moveSent(nil, "moved to backlog") }

func (c *call) moveSent(to *sprint, what string) answer {
	var sent struct {
		Issues []string `json:"issues"`
	}
	if no, read := c.decode(&sent); !read {
		return no
	}

	if len(sent.Issues) > maxMoved {
		return refused(http.StatusBadRequest, "The maximum number of issues that can be moved in one operation is "+strconv.Itoa(maxMoved)+".")
	}

	moved := make([]*issue, 0, len(sent.Issues))

	for _, key := range sent.Issues {
		i, found := c.store.issue(key)

		switch {
		case !found:
			return refused(http.StatusNotFound, c.noIssue())
		case i.kind.subtask():
			return refused(http.StatusBadRequest, fmt.Sprintf("Issue '%s' was sub-task and can not be associated to a sprint. "+
				"It is associated to the same sprint which its parent is associated.", i.key))
		}

		moved = append(moved, i)
	}

	for _, i := range moved {
		i.move(to)
		c.store.touch(i)
		c.wrote(what, i)
	}

	return noContent()
}
