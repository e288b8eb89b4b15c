package model

import (
	"encoding/json"
	"slices"

	"pgregory.net/rapid"
)

func drawSprint(t *rapid.T) *string {
	return pick(t, "sprint", nil, new(""), new("Спринт 1"), new("Спринт 2"))
}

func fieldNames() []string {
	return []string{"f1", "f1", "f2", "Effort", "Effort", "summary", "description", "status", "sprint"}
}

// families are values that are equal, or nearly, in ways that the rules tell apart.
func families() [][]any {
	return [][]any{
		{nil, "", []any{}},
		{"a\nb", "a\r\nb", "a b"},
		{"5", json.Number("5")},
		{"5", map[string]any{"id": "5"}},
		{json.Number("5"), json.Number("5.0"), json.Number("50e-1"), json.Number("6")},
		{"High", map[string]any{"name": "High"}, map[string]any{"value": "High", "id": "5"}, map[string]any{"accountId": "High"}},
		{map[string]any{"id": "5"}, map[string]any{"id": "5", "name": "High"}, map[string]any{"id": "6", "name": "High"}},
		{
			[]any{"x", "High"},
			[]any{map[string]any{"name": "High"}, "x", "x"},
			[]any{"x"},
			[]any{"High", "x"},
			[]any{"x", "High", "y"},
			[]any{map[string]any{"value": "High"}, "x"},
		},
		{"AUR-1", "AUR-2", "BOR-1", map[string]any{"key": "AUR-1"}, map[string]any{"key": "BOR-1", "name": "AUR-2"}, "a\nb"},
		{[]any{"AUR-1"}, []any{map[string]any{"key": "BOR-1"}}, []any{"BOR-1", "AUR-2"}},
		{"Done", "Open", "Спринт 1", "Спринт 2", true},
	}
}

func drawValue(t *rapid.T) any { return pick(t, "value", pick(t, "family", families()...)...) }

// drawNear takes a value that nearly is the wanted one.
func drawNear(t *rapid.T, wanted any) any {
	near := []any{wanted}

	for _, family := range families() {
		if slices.ContainsFunc(family, func(value any) bool { return spelling(value) == spelling(wanted) }) {
			near = append(near, family...)
		}
	}

	return pick(t, "near", near...)
}
