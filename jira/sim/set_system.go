package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const maxSummary = 255

func setSummary(d *draft, _ *field, sent any) string {
	summary, ok := sent.(string)

	switch {
	case sent != nil && !ok:
		return "Operation value must be a string"
	case strings.TrimSpace(summary) == "":
		return "You must specify a summary of the issue."
	case strings.ContainsAny(summary, "\r\n"):
		return "The summary is invalid because it contains newline characters."
	case length(summary) > maxSummary && d.store.cloud():
		return "Summary can't exceed 255 characters."
	case length(summary) > maxSummary:
		return "Summary must be less than 255 characters."
	}

	d.issue.summary = strings.TrimSpace(summary) // as Jira does

	return ""
}

func setIssueType(d *draft, _ *field, sent any) string {
	given, _ := sent.(object)

	kind, ok := find(d.issue.project.types, func(t *issueType) bool {
		id, name := text(given["id"]), text(given["name"])

		return id != "" && t.id == id || id == "" && strings.EqualFold(t.name, name)
	})
	if !ok {
		return "The issue type selected is invalid."
	}

	if d.issue.kind != nil && d.issue.kind.subtask() != kind.subtask() {
		return "Issue type can not be changed."
	}

	d.issue.kind = kind

	return ""
}

func setPriority(d *draft, _ *field, sent any) string {
	given, _ := sent.(object)

	priority := pick(d.store.priorities, given, "name")
	if priority == nil {
		return "The priority selected is invalid."
	}

	d.issue.priority = priority

	return ""
}

func setResolution(d *draft, _ *field, sent any) string {
	given, _ := sent.(object)

	resolution := pick(d.store.resolutions, given, "name")
	if resolution == nil {
		return fmt.Sprintf("Resolution name '%s' is not valid", text(given["name"]))
	}

	d.issue.resolution, d.issue.resolved = resolution, d.store.now()

	return ""
}

func setLabels(d *draft, _ *field, sent any) string {
	items, ok := sent.([]any)
	if !ok && sent != nil {
		return "data was not an array"
	}

	labels := make([]string, 0, len(items))

	for _, item := range items {
		label, ok := item.(string)

		switch {
		case !ok:
			return "string expected at index 0"
		case strings.ContainsAny(label, " \t\r\n"):
			return fmt.Sprintf("The label '%s' contains spaces which is invalid.", label)
		case length(label) > maxSummary:
			return fmt.Sprintf("The label '%s' exceeds the maximum length for a single label of 255 characters.", label)
		case label != "":
			labels = append(labels, label)
		}
	}

	slices.Sort(labels)
	d.issue.labels = slices.Compact(labels)

	return ""
}

func setAssignee(d *draft, _ *field, sent any) (problem string) {
	d.issue.assignee, problem = d.store.userSent(sent)

	return problem
}

func setReporter(d *draft, _ *field, sent any) string {
	u, problem := d.store.userSent(sent)
	if problem == "" && u == nil {
		problem = "Reporter is required."
	}

	if problem == "" {
		d.issue.reporter = u
	}

	return problem
}

func setComponents(d *draft, _ *field, sent any) (problem string) {
	d.issue.components, problem = choose(sent, func(item any) (*named, string) {
		return d.projects(item, d.issue.project.components, "Component")
	})

	return problem
}

func setVersions(d *draft, _ *field, sent any) (problem string) {
	d.issue.versions, problem = choose(sent, func(item any) (*named, string) {
		return d.projects(item, d.issue.project.versions, "Version")
	})

	return problem
}

// projects finds a component or a version of the issue's project.
func (d *draft) projects(item any, among []*named, what string) (*named, string) {
	given, _ := item.(object)
	if n := pick(among, given, "name"); n != nil {
		return n, ""
	}

	return nil, fmt.Sprintf("%s name '%s' is not valid", what, text(given["name"]))
}

// setParent gives a sub-task its parent, on Cloud also a story its epic.
func setParent(d *draft, _ *field, sent any) string {
	if sent == nil && d.store.cloud() && !d.issue.kind.subtask() {
		d.issue.epic = nil

		return ""
	}

	given, _ := sent.(object)
	named := text(given["key"])

	if named == "" {
		named = text(given["id"])
	}

	parent, ok := d.store.issue(named)

	switch {
	case !ok:
		return "Could not find issue by id or key."
	case d.issue.kind.subtask() && parent.kind.level != 0, !d.issue.kind.subtask() && !parent.kind.epic():
		return "Given parent issue does not belong to appropriate hierarchy."
	case d.issue.kind.subtask() && parent.project != d.issue.project:
		return "Sub-task and its parent must be in the same project."
	case d.issue.kind.subtask():
		d.issue.parent = parent
	case d.issue.kind.epic() || !d.store.cloud():
		return "Issue type is not a sub-task, so a parent cannot be given."
	default:
		d.issue.epic = parent
	}

	return ""
}

func setEpic(d *draft, _ *field, sent any) string {
	if sent == nil || sent == "" {
		d.issue.epic = nil

		return ""
	}

	epic, ok := d.store.issue(text(sent))

	switch {
	case !ok:
		return fmt.Sprintf("Issue with key '%s' does not exist.", text(sent))
	case !epic.kind.epic():
		return fmt.Sprintf("Issue with key '%s' is not an epic.", epic.key)
	case d.issue.kind.subtask():
		return "A sub-task cannot be in an epic of its own."
	}

	d.issue.epic = epic

	return ""
}

func setSprint(d *draft, _ *field, sent any) string {
	if sent == nil {
		d.issue.move(nil)

		return ""
	}

	if d.issue.kind.subtask() {
		return fmt.Sprintf("Issue '%s' was sub-task and can not be associated to a sprint. "+
			"It is associated to the same sprint which its parent is associated.", d.issue.key)
	}

	number, ok := sent.(json.Number)
	id, err := number.Int64()

	if !ok || err != nil {
		return "Number value expected as the Sprint id."
	}

	sp, ok := d.store.sprint(int(id))
	if !ok || sp.state == sprintClosed {
		return fmt.Sprintf("Sprint with id %d does not exist or is closed.", id)
	}

	d.issue.move(sp)

	return ""
}

// addComment takes what the comment operation of an edit or a transition brings.
func addComment(d *draft, _ *field, sent any) string {
	given, _ := sent.(object)

	c, problem := d.store.comment(given)
	if problem == "" {
		d.issue.comments = append(d.issue.comments, c)
	}

	return problem
}

// userSent finds a user as the dialect names one; null is nobody.
func (s *store) userSent(sent any) (*user, string) {
	if sent == nil {
		return nil, ""
	}

	given, ok := sent.(object)
	if !ok {
		return nil, "expected Object containing a `name` property"
	}

	wanted := text(given["name"])

	if s.cloud() {
		if wanted != "" || text(given["key"]) != "" {
			return nil, gdpr
		}

		if wanted = text(given["accountId"]); wanted == "" {
			wanted = text(given["id"])
		}
	} else if name, given := given["name"]; given && name == nil {
		return nil, ""
	}

	u, ok := find(s.users, func(u *user) bool { return s.userID(u) == wanted })
	if !ok {
		return nil, fmt.Sprintf("User '%s' does not exist.", wanted)
	}

	return u, ""
}

const gdpr = "'accountId' must be the only user identifying query parameter in GDPR strict mode."

// userID is what the dialect tells users apart by.
func (s *store) userID(u *user) string {
	if s.cloud() {
		return u.account
	}

	return u.name
}
