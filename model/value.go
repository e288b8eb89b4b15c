package model

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// equal compares a wanted value with Jira's: texts alike but for line ends; null, "" and an empty list are one; numbers
// by value, and never with a text; a text is an object by its name, value, key or account id; a list is a set; of a
// wanted object each member counts, its id too.
func equal(wanted, current any) bool {
	if isEmpty(wanted) || isEmpty(current) {
		return isEmpty(wanted) && isEmpty(current)
	}

	switch wanted := wanted.(type) {
	case string:
		return isText(wanted, current) || stands(wanted, current)
	case json.Number:
		number, ok := current.(json.Number)

		return ok && rational(wanted).Cmp(rational(number)) == 0
	case []any:
		list, ok := current.([]any)

		return ok && !slices.ContainsFunc(wanted, func(w any) bool {
			return !slices.ContainsFunc(list, func(c any) bool { return equal(w, c) })
		}) && !slices.ContainsFunc(list, func(c any) bool {
			return !slices.ContainsFunc(wanted, func(w any) bool { return equal(w, c) })
		})
	case map[string]any:
		object, ok := current.(map[string]any)
		if !ok {
			text, isString := current.(string)

			return isString && stands(text, wanted)
		}

		for name, member := range wanted {
			if !equal(member, object[name]) {
				return false
			}
		}

		return true
	default:
		return wanted == current
	}
}

func isText(text string, value any) bool {
	other, ok := value.(string)

	return ok && strings.ReplaceAll(text, "\r\n", "\n") == strings.ReplaceAll(other, "\r\n", "\n")
}

// stands tells whether a text stands for an object.
func stands(text string, value any) bool {
	object, ok := value.(map[string]any)

	return ok && slices.ContainsFunc([]string{"name", "value", "key", "accountId"}, func(member string) bool {
		return isText(text, object[member])
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
