package client

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// FieldValues are field id (or exact name) to value. Numbers are json.Number, so that large ones stay exact.
type FieldValues map[string]any

// UnmarshalJSON reads a JSON object.
func (f *FieldValues) UnmarshalJSON(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()

	var values map[string]any
	if err := decoder.Decode(&values); err != nil {
		return fmt.Errorf("read the values of fields: %w", err)
	}

	*f = values

	return nil
}
