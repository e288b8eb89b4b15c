package sim

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

func listTransitions(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	withFields := strings.Contains(c.query("expand"), "transitions.fields")
	shown := []any{}

	for _, t := range i.kind.workflow.from(i.status) {
		if id := c.query("transitionId"); id != "" && id != t.id {
			continue
		}

		screen := c.store.transitionScreen(i.project, t)
		one := object{
			"id": t.id, "name": t.name, "to": c.status(t.to), "hasScreen": len(screen) > 0, "isGlobal": t.from == nil,
			"isInitial": false, "isConditional": false,
		}

		if c.store.cloud() {
			one["isAvailable"], one["looped"] = true, false
		}

		if withFields {
			one["fields"] = c.screenMeta(i.project, screen)
		}

		shown = append(shown, one)
	}

	return ok(object{"expand": "transitions", "transitions": shown})
}

func transit(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	var sent fieldsSent
	if no, read := c.decode(&sent); !read {
		return no
	}

	id := text(sent.Transition.ID)
	if id == "" {
		return refused(http.StatusBadRequest, "Missing 'transition' identifier")
	}

	t, found := find(i.kind.workflow.from(i.status), func(t *transition) bool { return t.id == id })
	if !found {
		return refused(http.StatusBadRequest, fmt.Sprintf("Transition id '%s' is not valid for this issue.", id))
	}

	d, screen := c.store.draft(i), c.store.transitionScreen(i.project, t)
	if t.to.category != "done" {
		d.issue.resolution, d.issue.resolved = nil, time.Time{}
	}

	d.fill(screen, sent)

	if len(d.problems) > 0 {
		return refusedFields(d.problems)
	}

	if missing := d.missing(c, screen); len(missing) > 0 {
		return refused(http.StatusBadRequest, fmt.Sprintf("Field %s is required.", missing[0].name))
	}

	if t.to.category == "done" && d.issue.resolution == nil {
		// What a workflow without a screen does itself.
		d.issue.resolution, d.issue.resolved = c.store.resolutions[0], c.store.now()
	}

	d.issue.status = t.to
	c.commit(d, i)
	c.wrote("status changed to "+t.to.name, i)

	return noContent()
}
