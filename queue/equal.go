package queue

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// manyPairs bounds how long two lists of objects are held against each other; longer ones are never found equal.
const manyPairs = 1_000_000

// equalValues tells whether Jira's value is the wanted one: texts alike but for line ends, numbers by value, never a
// number and a text; null, "" and an empty list are the same; a text is an object by its name, value, key or account
// id; a list is a set; of a wanted object every member counts, of Jira's only those.
func equalValues(wanted, current any) bool {
	if emptyValue(wanted) || emptyValue(current) {
		return emptyValue(wanted) && emptyValue(current)
	}

	switch wanted := wanted.(type) {
	case string:
		switch current := current.(type) {
		case string:
			return equalTexts(wanted, current)
		case map[string]any:
			return namedBy(current, wanted)
		}
	case json.Number:
		number, ok := current.(json.Number)

		return ok && sameNumber(wanted.String(), number.String())
	case bool:
		return current == wanted
	case []any:
		list, ok := current.([]any)

		return ok && equalSets(wanted, list)
	case map[string]any:
		switch current := current.(type) {
		case string:
			return namedBy(wanted, current)
		case map[string]any:
			return within(wanted, current)
		}
	}

	return false
}

func emptyValue(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	default:
		return false
	}
}

func equalTexts(a, b string) bool {
	return strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n")
}

// namedBy tells whether the text stands for the object. An id does not: a text that is a number may be a name.
func namedBy(object map[string]any, text string) bool {
	for _, member := range []string{"name", "value", "key", "accountId"} {
		if name, ok := object[member].(string); ok && equalTexts(name, text) {
			return true
		}
	}

	return false
}

// within tells whether every member of the wanted object has its value in the current one.
func within(wanted, current map[string]any) bool {
	if len(wanted) == 0 {
		return len(current) == 0
	}

	for member, value := range wanted {
		if !equalValues(value, current[member]) {
			return false
		}
	}

	return true
}

// equalSets compares two lists as sets.
func equalSets(a, b []any) bool {
	if texts, ok := textSet(a); ok {
		if others, ok := textSet(b); ok {
			return slices.Equal(texts, others)
		}
	}

	return len(a) <= manyPairs/len(b) && covers(a, b, equalValues) &&
		covers(b, a, func(x, y any) bool { return equalValues(y, x) })
}

// covers tells whether each item of a has its equal in b.
func covers(a, b []any, equal func(x, y any) bool) bool {
	for _, item := range a {
		if !slices.ContainsFunc(b, func(other any) bool { return equal(item, other) }) {
			return false
		}
	}

	return true
}

// textSet gives a list of texts as a set in order; false where it holds anything else.
func textSet(list []any) ([]string, bool) {
	texts := make([]string, 0, len(list))

	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			return nil, false
		}

		texts = append(texts, strings.ReplaceAll(text, "\r\n", "\n"))
	}

	slices.Sort(texts)

	return slices.Compact(texts), true
}

// sameNumber compares two JSON numbers by value and exactly, however large, without computing them.
func sameNumber(a, b string) bool {
	negativeA, digitsA, exponentA, okA := decimal(a)
	negativeB, digitsB, exponentB, okB := decimal(b)

	return okA && okB && negativeA == negativeB && digitsA == digitsB && exponentA == exponentB
}

// decimal reads a JSON number as its digits without zeros at either end, and the exponent of the last of them.
func decimal(s string) (negative bool, digits string, exponent int64, ok bool) {
	s, negative = strings.CutPrefix(s, "-")

	if mark := strings.IndexAny(s, "eE"); mark >= 0 {
		var err error

		exponent, err = strconv.ParseInt(strings.TrimPrefix(s[mark+1:], "+"), 10, 32)
		if err != nil {
			return false, "", 0, false
		}

		s = s[:mark]
	}

	whole, fraction, _ := strings.Cut(s, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	exponent -= int64(len(fraction))

	trimmed := strings.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(trimmed))

	if trimmed == "" {
		return false, "0", 0, true
	}

	return negative, trimmed, exponent, true
}
