package db

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// encodeParams writes parameters as they stand in commands.params.
func encodeParams(params queue.Params) ([]byte, error) {
	raw, err := encodeJSON(params)
	if err != nil {
		return nil, fmt.Errorf("encode the parameters of an %s: %w", params.Kind(), err)
	}

	return raw, nil
}

// decodeParams reads what encodeParams wrote. Lists and fields that were nil come back empty.
func decodeParams(kind queue.Kind, raw []byte) (queue.Params, error) {
	params, err := decodeKind(kind, raw)
	if err != nil {
		return nil, fmt.Errorf("decode the parameters of an %s: %w", kind, err)
	}

	return params, nil
}

func decodeKind(kind queue.Kind, raw []byte) (queue.Params, error) {
	switch kind {
	case queue.KindIssue:
		return decodeAs(raw, func(p *queue.EnsureIssue) { p.Fields = orNone(p.Fields) })
	case queue.KindFields:
		return decodeAs(raw, func(p *queue.EnsureFields) { p.Fields = orNone(p.Fields) })
	case queue.KindStatus:
		return decodeAs(raw, func(p *queue.EnsureStatus) { p.Path = orEmpty(p.Path) })
	case queue.KindLink:
		return decodeAs(raw, func(*queue.EnsureLink) {})
	case queue.KindSprint:
		return decodeAs(raw, func(*queue.EnsureSprint) {})
	case queue.KindComment:
		return decodeAs(raw, func(*queue.EnsureComment) {})
	case queue.KindRefresh:
		return decodeAs(raw, func(p *queue.Refresh) { p.Keys = orEmpty(p.Keys) })
	}

	return nil, fmt.Errorf("there is no kind %q", kind)
}

func decodeAs[P queue.Params](raw []byte, fill func(*P)) (queue.Params, error) {
	var params P
	if err := decodeJSON(raw, &params); err != nil {
		return nil, err
	}

	fill(&params)

	return params, nil
}

func orNone(fields queue.Fields) queue.Fields {
	if fields == nil {
		return queue.Fields{}
	}

	return fields
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}

	return list
}

// encodeJSON writes a value for a json column, characters as they are.
func encodeJSON(value any) ([]byte, error) {
	var out bytes.Buffer

	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}

	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// decodeJSON reads one JSON value, numbers in their spelling.
func decodeJSON(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()

	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("read JSON: %w", err)
	}

	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("read JSON: something follows the value")
	}

	return nil
}
