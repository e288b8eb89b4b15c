package model

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// equal compares a wanted value with Jira's: texts alike but for line ends; null, "" and an empty list are one; numbers
// by value, and never with a text; a text is an object by its name, value, key or account id; a list is a set; of a
// wanted object each member counts, its id too. A text that stands where a key may is also equal where it is another
// key of the same issue.
func equal(wanted, current any, present func(queue.Key) queue.Key) bool {
	if isEmpty(wanted) || isEmpty(current) {
		return isEmpty(wanted) && isEmpty(current)
	}

	switch wanted := wanted.(type) {
	case string:
		return isText(wanted, current) || isKey(wanted, current, present) || stands(wanted, current, present)
	case json.Number:
		number, ok := current.(json.Number)

		return ok && rational(wanted).Cmp(rational(number)) == 0
	case []any:
		list, ok := current.([]any)

		return ok && !slices.ContainsFunc(wanted, func(w any) bool {
			return !slices.ContainsFunc(list, func(c any) bool { return equal(w, c, present) })
		}) && !slices.ContainsFunc(list, func(c any) bool {
			return !slices.ContainsFunc(wanted, func(w any) bool { return equal(w, c, present) })
		})
	case map[string]any:
		object, ok := current.(map[string]any)
		if !ok {
			text, isString := current.(string)

			return isString && stands(text, wanted, present)
		}

		for name, member := range wanted {
			known := present
			if _, isString := member.(string); isString && name != "key" {
				known = asItIs
			}

			if !equal(member, object[name], known) {
				return false
			}
		}

		return true
	default:
		return wanted == current
	}
}

// asItIs is the present key of what is none.
func asItIs(key queue.Key) queue.Key { return key }

func isText(text string, value any) bool {
	other, ok := value.(string)

	return ok && strings.ReplaceAll(text, "\r\n", "\n") == strings.ReplaceAll(other, "\r\n", "\n")
}

func isKey(text string, value any, present func(queue.Key) queue.Key) bool {
	other, ok := value.(string)

	return ok && present(queue.Key(text)) == present(queue.Key(other))
}

// stands tells whether a text stands for an object.
func stands(text string, value any, present func(queue.Key) queue.Key) bool {
	object, ok := value.(map[string]any)

	return ok && slices.ContainsFunc([]string{"name", "value", "key", "accountId"}, func(member string) bool {
		return isText(text, object[member]) || member == "key" && isKey(text, object[member], present)
	})
}

func isEmpty(value any) bool {
	list, isList := value.([]any)

	return value == nil || value == "" || isList && len(list) == 0
}

func rational(number json.Number) *big.Rat {
	value, ok := new(big.Rat).SetString(string(number))
	if !ok {
		panic("model: no number: " + string(number))
	}

	return value
}
