package sim

import (
	"maps"
	"slices"
)

// fieldsSent is the body of a create, an edit or a transition.
type fieldsSent struct {
	Fields     map[string]any      `json:"fields"`
	Update     map[string][]object `json:"update"`
	Properties []property          `json:"properties"`
	Transition struct {
		ID any `json:"id"`
	} `json:"transition"`
}

func (s fieldsSent) ids() []string {
	return slices.Concat(slices.Collect(maps.Keys(s.Fields)), slices.Collect(maps.Keys(s.Update)))
}

// operate does the operations of an update in their order.
func (d *draft) operate(f *field, operations []object) {
	for _, operation := range operations {
		for verb, value := range operation {
			switch {
			case verb == "set" || verb == "add" && f.id == "comment":
				d.set(f, value)
			case verb == "add" && f.list():
				d.set(f, append(d.sentForm(f), value))
			case verb == "remove" && f.list():
				d.set(f, slices.DeleteFunc(d.sentForm(f), func(item any) bool { return meant(item, value) }))
			default:
				d.problems[f.id] = "Field '" + f.id + "' does not support operation '" + verb + "'"
			}
		}
	}
}

// sentForm is a list's present value in the form in which it is sent.
func (d *draft) sentForm(f *field) []any {
	byID := func(n *named) any { return object{"id": n.id, "name": n.name, "value": n.name} }

	switch f.id {
	case "labels":
		return each(d.issue.labels, func(label string) any { return label })
	case "components":
		return each(d.issue.components, byID)
	case "fixVersions":
		return each(d.issue.versions, byID)
	default:
		chosen, _ := d.issue.values[f.id].([]*named)

		return each(chosen, byID)
	}
}

// meant tells whether what is to be removed stands for the item: a label, or a thing by its id or its name.
func meant(item, removed any) bool {
	thing, isThing := item.(object)
	given, isObject := removed.(object)

	if !isThing || !isObject {
		return !isThing && !isObject && item == removed
	}

	if id := text(given["id"]); id != "" {
		return thing["id"] == id
	}

	return thing["name"] == text(given["name"]) || thing["value"] == text(given["value"])
}
