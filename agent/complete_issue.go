package agent

import (
	"context"
	"maps"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// complete sets what a create left for an edit. Of an issue that another agent may have created it is not known what
// that is; there it is what should have a value and has none, so that whoever changed the issue since keeps what they
// changed.
func (a *Agent) complete(ctx context.Context, key string, p queue.EnsureIssue) error {
	wanted, deferred := a.settable(p), a.journal.kept.Begun.Deferred

	issue, err := a.readIssue(ctx, key, wanted.Names()...)
	if err != nil {
		return err
	}

	row := mirrored(issue)
	missing := queue.Differing(row, wanted, a.known.mirror)

	maps.DeleteFunc(missing, func(name string, _ any) bool {
		empty := len(queue.Differing(row, queue.Fields{name: nil}, a.known.mirror)) == 0

		return !empty && !slices.Contains(deferred, name)
	})

	if err := a.setFields(ctx, issue, missing); err != nil {
		return err
	}

	if slices.Contains(deferred, labelsField) {
		return a.labelAfter(ctx, key)
	}

	return nil
}

// settable are the fields of a creation that an edit can set.
func (a *Agent) settable(p queue.EnsureIssue) queue.Fields {
	wanted := maps.Clone(p.Fields)
	if wanted == nil {
		wanted = queue.Fields{}
	}

	if textOf(p.Description) != "" {
		wanted[descriptionField] = *p.Description
	}

	if link := a.epicLink(); link != "" && p.Epic != nil {
		wanted[link] = string(*p.Epic)
	}

	return wanted
}

// epicLink is the id of the field that an issue's epic is named in; "" on Cloud, where the epic is the parent.
func (a *Agent) epicLink() string {
	link, ok := a.known.fields.EpicLink()
	if !ok || a.jira.Server().Cloud() {
		return ""
	}

	return link.ID
}

// labelAfter puts the mark on an issue whose create screen has no labels. An edit screen without them is no error: the
// issue bears the property.
func (a *Agent) labelAfter(ctx context.Context, key string) error {
	issue, err := a.readIssue(ctx, key, labelsField)
	if err != nil {
		return err
	}

	label := markLabel(a.journal.kept.Begun.DedupeKey)
	if labelled(issue, label) {
		return nil
	}

	labels, _ := issue.Fields[labelsField].([]any)

	err = a.patient.write(ctx, func() error {
		return a.jira.EditIssue(ctx, key, map[string]any{labelsField: append(slices.Clone(labels), label)})
	})
	if err == nil || jira.KindOf(err) != jira.Refused {
		return err
	}

	a.log.Debug("the issue cannot be labelled", "key", key, "error", err)

	return nil
}
