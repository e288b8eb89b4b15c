package jira

// ScreenField is a field that a screen offers.
type ScreenField struct {
	Field

	Required bool
	// HasDefault: Jira fills it in by itself where it is not given.
	HasDefault bool
	// Allowed are the values that may be chosen, as Jira gives them: objects with an id and a name or a value.
	Allowed []map[string]any
}

type wireScreenField struct {
	FieldID         string     `json:"fieldId"`
	Name            string     `json:"name"`
	Required        bool       `json:"required"`
	HasDefaultValue bool       `json:"hasDefaultValue"`
	Schema          wireSchema `json:"schema"`
	AllowedValues   []any      `json:"allowedValues"`
}

func (w wireScreenField) field(id string) ScreenField {
	var allowed []map[string]any

	for _, value := range w.AllowedValues {
		if object, ok := value.(map[string]any); ok {
			allowed = append(allowed, object)
		}
	}

	return ScreenField{
		Field:    Field{ID: id, Name: w.Name, Type: w.Schema.Type, Items: w.Schema.Items, Custom: w.Schema.Custom},
		Required: w.Required, HasDefault: w.HasDefaultValue, Allowed: allowed,
	}
}

func screenFields(wire map[string]wireScreenField) map[string]ScreenField {
	fields := make(map[string]ScreenField, len(wire))
	for id, w := range wire {
		fields[id] = w.field(id)
	}

	return fields
}
