package sim

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

func listComments(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	ordered := slices.Clone(i.comments)
	if c.query("orderBy") == "-created" {
		slices.Reverse(ordered)
	}

	start, limit := c.page(100, 100)
	if !c.store.cloud() {
		start, limit = c.page(1000, 1000)
	}

	return ok(object{
		"startAt": start, "maxResults": limit, "total": len(ordered),
		"comments": each(cut(ordered, start, limit), func(m *comment) any { return c.comment(i, m) }),
	})
}

func createComment(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	var sent object
	if no, read := c.decode(&sent); !read {
		return no
	}

	if _, document := sent["body"].(object); document && !c.store.cloud() {
		return refused(http.StatusBadRequest, "Can not deserialize instance of java.lang.String out of START_OBJECT token\n"+
			" at [Source: org.apache.catalina.connector.CoyoteInputStream@5d38f2ff; line: 1, column: 2] (through reference chain: "+
			`com.atlassian.jira.issue.fields.rest.json.beans.CommentJsonBean["body"])`)
	}

	m, problem := c.store.comment(sent)
	if problem != "" {
		return refusedField("comment", problem)
	}

	i.comments = append(i.comments, m)
	c.store.touch(i)
	c.wrote("comment added", i)

	return created(c.comment(i, m))
}

// comment makes one of what was sent. The limit is worded otherwise than that of a field.
func (s *store) comment(sent object) (*comment, string) {
	if _, plain := sent["body"].(string); plain && s.cloud() {
		return nil, "Comment body is not valid!"
	}

	body, problem := s.text(sent["body"])

	switch {
	case strings.HasPrefix(problem, "The entered text is too long."):
		return nil, "The entered text is too long. It exceeds the allowed limit of 32767 characters."
	case problem != "":
		return nil, "Comment body is not valid!"
	case strings.TrimSpace(plainText(body)) == "" && !media(body):
		return nil, "Comment body can not be empty!"
	}

	m := &comment{id: s.nextID(), author: s.me, body: body, created: s.now()}

	for _, p := range list(sent["properties"]) {
		given, _ := p.(object)

		value, err := json.Marshal(given["value"])
		if err != nil {
			return nil, "The value of the property must be a valid, non-empty JSON value."
		}

		m.properties = append(m.properties, property{Key: text(given["key"]), Value: value})
	}

	return m, ""
}

// media tells whether a document holds anything that is no text, such as a picture or a mention.
func media(body any) bool {
	node, ok := body.(object)
	if !ok {
		return false
	}

	if _, ok := node["attrs"]; ok && node["type"] != "codeBlock" && node["type"] != "heading" {
		return true
	}

	return slices.ContainsFunc(list(node["content"]), media)
}
