package operation

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// scalar judges the scalars of GraphQL itself; the hub's own are read by their own rules when the operation runs.
func scalar(path, name string, value any) (any, *gqlerror.Error) {
	var fits bool

	called := map[string]string{"String": "a String", "Boolean": "a Boolean", "ID": "an ID", "Float": "a Float"}

	switch name {
	case "String":
		_, fits = value.(string)
	case "Boolean":
		_, fits = value.(bool)
	case "ID":
		if _, fits = value.(string); !fits {
			var digits json.Number
			if digits, fits = wholeNumber(value); fits {
				value = digits
			}
		}
	case "Int":
		return int32Value(path, value)
	case "Float":
		_, fits = finite(value)
	default:
		return value, nil
	}

	if !fits {
		return nil, refusal.BadRequest("%s must be %s, not %s", path, called[name], kindOf(value))
	}

	return value, nil
}

func int32Value(path string, value any) (any, *gqlerror.Error) {
	whole, ok := wholeNumber(value)
	if !ok {
		return nil, refusal.BadRequest("%s must be an Int, not %s", path, kindOf(value))
	}

	if _, err := strconv.ParseInt(whole.String(), 10, 32); err != nil {
		return nil, refusal.BadRequest("%s: %.40s is no Int: it has 32 bits", path, whole.String())
	}

	return whole, nil
}

// exactWhole is up to where every whole number is a double of its own.
const exactWhole = 1 << 53

// wholeNumber gives a number without a fraction as digits alone.
func wholeNumber(value any) (json.Number, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return "", false
	}

	if !strings.ContainsAny(number.String(), ".eE") {
		return number, true
	}

	float, ok := finite(value)
	if !ok || float != math.Trunc(float) || math.Abs(float) > exactWhole {
		return "", false
	}

	return json.Number(strconv.FormatInt(int64(float), 10)), true
}

func finite(value any) (float64, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, false
	}

	float, err := number.Float64()

	return float, err == nil
}
