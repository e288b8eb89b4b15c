package sim

import (
	"fmt"
	"net/http"
	"strconv"
)

// createLink joins two issues. Of the two in the body the inwardIssue is the source: with blocks, it is the one that
// blocks.
func createLink(c *call) answer {
	var sent struct {
		Type    object `json:"type"`
		Inward  object `json:"inwardIssue"`
		Outward object `json:"outwardIssue"`
		Comment object `json:"comment"`
	}
	if no, read := c.decode(&sent); !read {
		return no
	}

	kind, found := find(c.store.linkTypes, func(t *linkType) bool {
		id := text(sent.Type["id"])

		return id != "" && t.id == id || id == "" && t.name == text(sent.Type["name"])
	})
	if !found {
		return refused(http.StatusNotFound, fmt.Sprintf("No issue link type with name '%s' found.", text(sent.Type["name"])))
	}

	source, foundSource := c.store.issue(oneOf(sent.Inward))
	target, foundTarget := c.store.issue(oneOf(sent.Outward))

	switch {
	case !foundSource || !foundTarget:
		return refused(http.StatusNotFound, c.noIssue())
	case source == target:
		return refused(http.StatusBadRequest, "You cannot link an issue to itself.")
	}

	if sent.Comment != nil {
		m, problem := c.store.comment(sent.Comment)
		if problem != "" {
			return refusedField("comment", problem)
		}

		source.comments = append(source.comments, m)
	}

	c.store.link(kind, source, target)
	c.wrote(fmt.Sprintf("link: %s %s %s", source.key, kind.outward, target.key), source)

	return answer{status: http.StatusCreated}
}

func oneOf(given object) string {
	if key := text(given["key"]); key != "" {
		return key
	}

	return text(given["id"])
}

func (c *call) pathLink() (*link, answer, bool) {
	id, _ := strconv.Atoi(c.r.PathValue("link"))

	l, found := c.store.links[id]
	if !found {
		return nil, refused(http.StatusNotFound, fmt.Sprintf("No issue link with id '%s' exists.", c.r.PathValue("link"))), false
	}

	return l, answer{}, true
}

func getLink(c *call) answer {
	l, no, found := c.pathLink()
	if !found {
		return no
	}

	return ok(object{
		"id": strconv.Itoa(l.id), "self": c.self("issueLink", strconv.Itoa(l.id)), "type": c.linkType(l.kind),
		"inwardIssue": c.issueRef(l.source), "outwardIssue": c.issueRef(l.target),
	})
}

func deleteLink(c *call) answer {
	l, no, found := c.pathLink()
	if !found {
		return no
	}

	c.store.unlink(l)
	c.wrote(fmt.Sprintf("link deleted: %s %s %s", l.source.key, l.kind.outward, l.target.key), l.source)

	return noContent()
}
