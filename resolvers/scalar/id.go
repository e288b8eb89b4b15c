package scalar

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// MarshalID writes an id as a text.
func MarshalID(id string) graphql.Marshaler { return graphql.MarshalString(id) }

// UnmarshalID takes a text as it is, and a whole number as its digits.
func UnmarshalID(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return value, nil
	case json.Number:
		if whole, ok := wholeNumber(value); ok {
			return strconv.FormatInt(whole, 10), nil
		}
	case int:
		return strconv.Itoa(value), nil
	case int64:
		return strconv.FormatInt(value, 10), nil
	}

	return "", wrong("an id", value)
}

// MarshalCommandID writes the id of a command.
func MarshalCommandID(id queue.CommandID) graphql.Marshaler {
	return graphql.MarshalString(id.String())
}

// UnmarshalCommandID takes what UnmarshalID takes; what is no command's id is NOT_FOUND.
func UnmarshalCommandID(value any) (queue.CommandID, error) {
	text, err := UnmarshalID(value)
	if err != nil {
		return 0, err
	}

	return queue.ParseCommandID(text)
}

// MarshalBatchID writes the id of a batch.
func MarshalBatchID(id queue.BatchID) graphql.Marshaler { return graphql.MarshalString(id.String()) }

// UnmarshalBatchID takes what UnmarshalID takes; what is no batch's id is NOT_FOUND.
func UnmarshalBatchID(value any) (queue.BatchID, error) {
	text, err := UnmarshalID(value)
	if err != nil {
		return 0, err
	}

	return queue.ParseBatchID(text)
}

// MarshalInt writes a whole number.
func MarshalInt(number int) graphql.Marshaler { return graphql.MarshalInt(number) }

// UnmarshalInt takes whole numbers of 32 bits, however they are written (1.0 and 1e3 are such).
func UnmarshalInt(value any) (int, error) {
	whole, ok := wholeNumber(value)
	if !ok {
		return 0, wrong("a whole number", value)
	}

	if whole < math.MinInt32 || whole > math.MaxInt32 {
		return 0, refuse("%d is no Int: it has 32 bits", whole)
	}

	return int(whole), nil
}

// exactWhole is up to where every whole number is a double of its own.
const exactWhole = 1 << 53

func wholeNumber(value any) (int64, bool) {
	switch value := value.(type) {
	case int:
		return int64(value), true
	case int64:
		return value, true
	case float64:
		return int64(value), value == math.Trunc(value) && math.Abs(value) <= exactWhole
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole, true
		}

		float, err := value.Float64()

		return int64(float), err == nil && float == math.Trunc(float) && math.Abs(float) <= exactWhole
	default:
		return 0, false
	}
}
