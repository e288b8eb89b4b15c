package agent

import (
	"context"
	"maps"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const descriptionField = "description"

// draft is an issue as it is sent to be created, and the fields that are left for an edit right after it, as they were
// named.
type draft struct {
	issue    jira.NewIssue
	deferred []string

	fields *jira.Fields
	// epicLink is the field that an epic is named in; "" where it is the parent.
	epicLink string
}

// draft leaves out what the create screen does not offer.
func (a *Agent) draft(ctx context.Context, p queue.EnsureIssue) (*draft, error) {
	if err := a.knowNames(ctx, p.Fields); err != nil {
		return nil, err
	}

	d := &draft{fields: a.known.fields, epicLink: a.epicLink(), issue: jira.NewIssue{
		Project: p.Project, IssueType: p.IssueType, Summary: p.Summary,
		Description: textOf(p.Description), Parent: keyText(p.Parent), Epic: keyText(p.Epic),
		Fields: maps.Clone(p.Fields), Labels: []string{markLabel(a.journal.kept.Begun.DedupeKey)},
		Properties: map[string]any{markProperty: map[string]any{"dedupeKey": a.journal.kept.Begun.DedupeKey}},
	}}

	screen, err := asked(ctx, a.patient, func() (map[string]jira.ScreenField, error) {
		return a.jira.CreateScreen(ctx, p.Project, p.IssueType)
	})
	if err != nil && jira.KindOf(err) != jira.Refused {
		return nil, err
	}

	d.putOff(func(id string) bool { return id == sprintField })

	// Who may not see the screen may still create on it: the refusal then says what is not there.
	if err != nil {
		return d, nil //nolint:nilerr // see above
	}

	d.putOff(func(id string) bool { return !on(screen, id) })

	if name, ok := d.fields.EpicName(); ok && screen[name.ID].Required {
		d.nameEpic(name)
	}

	return d, nil
}

func on(screen map[string]jira.ScreenField, id string) bool {
	_, there := screen[id]

	return there
}

// putOff leaves the fields out whose ids off names; it tells whether there were any.
func (d *draft) putOff(off func(id string) bool) bool {
	before := len(d.deferred)

	for _, name := range queue.Fields(d.issue.Fields).Names() {
		id := name
		if field, err := d.fields.Find(name); err == nil && name != sprintField {
			id = field.ID
		}

		if off(id) {
			delete(d.issue.Fields, name)
			d.deferred = append(d.deferred, name)
		}
	}

	if d.issue.Description != "" && off(descriptionField) {
		d.issue.Description = ""
		d.deferred = append(d.deferred, descriptionField)
	}

	if d.epicLink != "" && d.issue.Epic != "" && off(d.epicLink) {
		d.issue.Epic = ""
		d.deferred = append(d.deferred, d.epicLink)
	}

	if len(d.issue.Labels) > 0 && off(labelsField) {
		d.issue.Labels = nil
		d.deferred = append(d.deferred, labelsField)
	}

	return len(d.deferred) > before
}

// mend changes the draft so that it is not refused for the same reason again; false where nothing can be done.
func (d *draft) mend(refusal *jira.Error) bool {
	if name, ok := d.fields.EpicName(); ok && refusal.Fields[name.ID] != "" && d.nameEpic(name) {
		return true
	}

	return d.putOff(func(id string) bool { return strings.Contains(refusal.Fields[id], "not on the appropriate screen") })
}

// nameEpic gives an epic its summary for a short name, which Server asks for; false where it has one.
func (d *draft) nameEpic(name jira.Field) bool {
	for given := range d.issue.Fields {
		if field, err := d.fields.Find(given); err == nil && field.ID == name.ID {
			return false
		}
	}

	if d.issue.Fields == nil {
		d.issue.Fields = map[string]any{}
	}

	d.issue.Fields[name.ID] = d.issue.Summary

	return true
}

func keyText(key *queue.Key) string {
	if key == nil {
		return ""
	}

	return string(*key)
}
