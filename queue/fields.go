package queue

import (
	"maps"
	"slices"
)

// Fields are field id (or exact name) to value. A value is what encoding/json decodes with UseNumber: nil, string,
// json.Number, bool, []any or map[string]any. Numbers keep their spelling, so that large ones stay exact.
type Fields map[string]any

// Names lists the fields in a stable order.
func (f Fields) Names() []string { return slices.Sorted(maps.Keys(f)) }

// textFields hold prose: a temporary key in them is just text.
func textField(name string) bool { return name == "summary" || name == "description" }

// mapKeys gives a copy in which each temporary key has gone through f: one that is a whole value, an item of a
// list, or the `key` of an object.
func (f Fields) mapKeys(visit keyMap) Fields {
	mapped := make(Fields, len(f))

	for _, name := range f.Names() {
		if textField(name) {
			mapped[name] = f[name]
		} else {
			mapped[name] = mapValue(f[name], visit)
		}
	}

	return mapped
}

func mapValue(value any, visit keyMap) any {
	switch value := value.(type) {
	case string:
		if key := Key(value); key.Temp() {
			return string(visit("fields", key))
		}

		return value
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = mapValue(item, visit)
		}

		return items
	case map[string]any:
		return mapObject(value, visit)
	default:
		return value
	}
}

func mapObject(object map[string]any, visit keyMap) map[string]any {
	mapped := maps.Clone(object)

	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		text, isText := value.(string)

		switch {
		case isText && name == "key":
			mapped[name] = mapValue(text, visit)
		case !isText:
			mapped[name] = mapValue(value, visit)
		}
	}

	return mapped
}
