package scalar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// MarshalFieldValues writes a JSON object, numbers as they were spelt; {} where there are none.
func MarshalFieldValues(fields queue.Fields) graphql.ContextMarshaler {
	if fields == nil {
		fields = queue.Fields{}
	}

	return writeJSON(fields)
}

// UnmarshalFieldValues takes a JSON object. Its numbers become json.Number, those of a literal too.
func UnmarshalFieldValues(ctx context.Context, value any) (queue.Fields, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, wrong("a JSON object of fields", value)
	}

	fields := make(queue.Fields, len(object))

	for name, item := range object {
		read, err := UnmarshalFieldValue(ctx, item)
		if err != nil {
			return nil, err
		}

		fields[name] = read
	}

	return fields, nil
}

// MarshalFieldValue writes one JSON value, numbers as they were spelt.
func MarshalFieldValue(value any) graphql.ContextMarshaler { return writeJSON(value) }

// UnmarshalFieldValue takes one JSON value. Its numbers become json.Number, those of a literal too.
func UnmarshalFieldValue(ctx context.Context, value any) (any, error) {
	switch value := value.(type) {
	case nil, string, bool, json.Number:
		return value, nil
	case int:
		return json.Number(strconv.Itoa(value)), nil
	case int64:
		return json.Number(strconv.FormatInt(value, 10)), nil
	case float64:
		return json.Number(strconv.FormatFloat(value, 'g', -1, 64)), nil
	case []any:
		items := make([]any, len(value))

		for i, item := range value {
			read, err := UnmarshalFieldValue(ctx, item)
			if err != nil {
				return nil, err
			}

			items[i] = read
		}

		return items, nil
	case map[string]any:
		read, err := UnmarshalFieldValues(ctx, value)

		return map[string]any(read), err
	default:
		return nil, wrong("a JSON value", value)
	}
}

// writeJSON writes what encoding/json makes of it, but leaves <, > and & as they are, on one line.
func writeJSON(value any) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(_ context.Context, out io.Writer) error {
		var written bytes.Buffer

		encoder := json.NewEncoder(&written)
		encoder.SetEscapeHTML(false)

		if err := encoder.Encode(value); err != nil {
			return fmt.Errorf("write a field's value as JSON: %w", err)
		}

		_, err := out.Write(bytes.TrimSuffix(written.Bytes(), []byte("\n")))

		return err //nolint:wrapcheck // a failing writer has no more to say here
	})
}
