package jira

import "fmt"

type wireIssue struct {
	ID     string         `json:"id"`
	Key    string         `json:"key"`
	Fields map[string]any `json:"fields"`
}

func (r reading) issue(wire wireIssue) (Issue, error) {
	issue := Issue{
		Key: wire.Key, JiraID: wire.ID,
		Project:     text(wire.Fields, "project", "key"),
		IssueType:   text(wire.Fields, "issuetype", "name"),
		Summary:     text(wire.Fields, "summary"),
		Description: optional(plain(wire.Fields["description"])),
		Status:      text(wire.Fields, "status", "name"),
		Links:       links(wire.Fields["issuelinks"]),
		Fields:      map[string]any{},
	}

	if parent := text(wire.Fields, "parent", "key"); parent != "" {
		issue.Parent = &parent
	}

	for id, value := range wire.Fields {
		if !own(id) && (r.all || r.wanted[id]) {
			issue.Fields[id] = plain(value)
		}
	}

	if r.sprint == "" {
		return issue, nil
	}

	sprints, err := sprintsOf(wire.Fields[r.sprint])
	if err != nil {
		return Issue{}, fmt.Errorf("reading the sprint of %s: %w", wire.Key, err)
	}

	issue.Sprint = current(sprints)

	if _, kept := issue.Fields[r.sprint]; kept {
		issue.Fields[r.sprint] = sprintValues(sprints)
	}

	return issue, nil
}

func (r reading) issues(wire []wireIssue) ([]Issue, error) {
	issues := make([]Issue, len(wire))

	for i, w := range wire {
		issue, err := r.issue(w)
		if err != nil {
			return nil, err
		}

		issues[i] = issue
	}

	return issues, nil
}

// plain gives a document as plain text, and any other value as it is.
func plain(value any) any {
	if document(value) {
		return FromDocument(value)
	}

	return value
}

func optional(value any) *string {
	text, ok := value.(string)
	if !ok {
		return nil
	}

	return &text
}

// text follows the members of nested objects to a text; "" where there is none.
func text(object map[string]any, members ...string) string {
	for _, member := range members[:len(members)-1] {
		inner, ok := object[member].(map[string]any)
		if !ok {
			return ""
		}

		object = inner
	}

	value, _ := object[members[len(members)-1]].(string)

	return value
}
