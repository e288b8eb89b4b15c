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
	return f.mapTexts(func(text string) string {
		if key := Key(text); key.Temp() {
			return string(visit("fields", key))
		}

		return text
	})
}

// keys lists the Jira keys, in their one spelling, that stand where a temporary key counts.
func (f Fields) keys() []Key {
	var keys []Key

	f.mapTexts(func(text string) string {
		if key, ok := ParseKey(text); ok && !key.Temp() && string(key) == text {
			keys = append(keys, key)
		}

		return text
	})

	return keys
}

// mapTexts gives a copy in which each text that may be a key has gone through visit.
func (f Fields) mapTexts(visit func(text string) string) Fields {
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

func mapValue(value any, visit func(text string) string) any {
	switch value := value.(type) {
	case string:
		return visit(value)
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

func mapObject(object map[string]any, visit func(text string) string) map[string]any {
	mapped := maps.Clone(object)

	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		text, isText := value.(string)

		switch {
		case isText && name == "key":
			mapped[name] = visit(text)
		case !isText:
			mapped[name] = mapValue(value, visit)
		}
	}

	return mapped
}
