package sim

import (
	"fmt"
	"slices"
)

// A screen is the fields that a form has; what is not on it cannot be sent.
const (
	screenCreate = "create"
	screenEdit   = "edit"
)

// ScreenField changes one screen: a field that is not on it is refused, a required one must come.
type ScreenField struct {
	// Project and Type say whose screens, by key and by name; empty: everybody's.
	Project string `json:"project,omitempty"`
	Type    string `json:"type,omitempty"`
	// Screen is create or edit; empty: both.
	Screen string `json:"screen,omitempty"`
	// Field is the field's id.
	Field string `json:"field"`
	// Off takes it away; otherwise it is there, and needed where Required says so.
	Off      bool `json:"off,omitempty"`
	Required bool `json:"required,omitempty"`
}

// ForcedResolution puts a required resolution on the screens of the transitions into one status.
type ForcedResolution struct {
	// Project is a key; empty: every project.
	Project string `json:"project,omitempty"`
	// To is the status' name.
	To string `json:"to"`
}

func (s *store) createScreen(p *project, t *issueType) []screenField {
	return s.changed(t.create, p, t, screenCreate)
}

func (s *store) editScreen(i *issue) []screenField {
	return s.changed(i.kind.edit, i.project, i.kind, screenEdit)
}

// changed is a screen with what the knobs did to it.
func (s *store) changed(screen []screenField, p *project, t *issueType, which string) []screenField {
	screen = slices.Clone(screen)

	for _, k := range s.screens {
		if k.Project != "" && k.Project != p.key || k.Type != "" && k.Type != t.name || k.Screen != "" && k.Screen != which {
			continue
		}

		screen = slices.DeleteFunc(screen, func(f screenField) bool { return f.id == k.Field })
		if !k.Off {
			screen = append(screen, screenField{id: k.Field, required: k.Required})
		}
	}

	return screen
}

// transitionScreen is a transition's screen with what the knobs did to it.
func (s *store) transitionScreen(p *project, t *transition) []screenField {
	screen := slices.Clone(t.screen)

	for _, k := range s.forced {
		if (k.Project == "" || k.Project == p.key) && k.To == t.to.name {
			screen = slices.DeleteFunc(screen, func(f screenField) bool { return f.id == "resolution" })
			screen = append(screen, screenField{id: "resolution", required: true})
		}
	}

	return screen
}

// fill puts what was sent into a draft, as far as a screen lets it.
func (d *draft) fill(screen []screenField, sent fieldsSent) {
	for _, f := range d.store.fields { // in one order, whatever the map's
		value, there := sent.Fields[f.id]
		operations := sent.Update[f.id]

		switch {
		case !there && len(operations) == 0:
		case !onScreen(screen, f.id) && f.id != "comment" || f.set == nil:
			d.problems[f.id] = offScreen(f.id)
		case there && len(operations) > 0:
			d.problems[f.id] = fmt.Sprintf("Field '%s' cannot appear in both 'fields' and 'update'", f.id)
		case there:
			d.set(f, value)
		default:
			d.operate(f, operations)
		}
	}

	for _, id := range sent.ids() {
		if _, known := d.store.field(id); !known {
			d.problems[id] = offScreen(id)
		}
	}
}

func offScreen(id string) string {
	return fmt.Sprintf("Field '%s' cannot be set. It is not on the appropriate screen, or unknown.", id)
}

// missing names the required fields of a screen that the draft leaves empty.
func (d *draft) missing(c *call, screen []screenField) []*field {
	var missing []*field

	for _, on := range screen {
		f, ok := d.store.field(on.id)
		if !ok || !on.required || d.problems[on.id] != "" {
			continue
		}

		switch shown := f.show(c, d.issue, f).(type) {
		case nil:
			missing = append(missing, f)
		case string:
			if shown == "" {
				missing = append(missing, f)
			}
		case []any:
			if len(shown) == 0 {
				missing = append(missing, f)
			}
		}
	}

	return missing
}
