package queue

import (
	"encoding/json"
	"slices"
	"strings"
)

// manyLooks bounds at how many values one command's comparison looks, some of them many times: whoever sends lists in
// lists decides how long the site is locked meanwhile. What needs more is not found equal.
const manyLooks = 1_000_000

// comparison compares what one command wants with what Jira has.
type comparison struct {
	looks int
	// present gives the key that an issue has now, also where it is asked with an old one.
	present func(Key) Key
}

func newComparison(present func(Key) Key) *comparison {
	return &comparison{looks: manyLooks, present: present}
}

// field tells whether a field has the wanted value. Prose holds no keys.
func (c *comparison) field(name string, wanted, current any) bool {
	if textField(name) {
		return c.literally(wanted, current)
	}

	return c.equal(wanted, current)
}

// literally compares as if no issue had moved.
func (c *comparison) literally(wanted, current any) bool {
	defer func(present func(Key) Key) { c.present = present }(c.present)

	c.present = sameKey

	return c.equal(wanted, current)
}

// sameKey is present where no issue has moved.
func sameKey(key Key) Key { return key }

// alike tells whether two values that may be keys are the same text or, as keys, the same issue.
func (c *comparison) alike(a, b string) bool {
	return equalTexts(a, b) || c.present(Key(a)) == c.present(Key(b))
}

// equal tells whether Jira's value is the wanted one: texts alike but for line ends, numbers by value, never a number
// and a text; null, "" and an empty list are the same; a text is an object by its name, value, key or account id; a
// list is a set; of a wanted object every member counts, of Jira's only those.
func (c *comparison) equal(wanted, current any) bool {
	if c.looks--; c.looks < 0 {
		return false
	}

	if emptyValue(wanted) || emptyValue(current) {
		return emptyValue(wanted) && emptyValue(current)
	}

	switch wanted := wanted.(type) {
	case string:
		switch current := current.(type) {
		case string:
			return c.alike(wanted, current)
		case map[string]any:
			return c.namedBy(current, wanted)
		}
	case json.Number:
		number, ok := current.(json.Number)

		return ok && sameNumber(wanted.String(), number.String())
	case bool:
		return current == wanted
	case []any:
		list, ok := current.([]any)

		return ok && c.equalSets(wanted, list)
	case map[string]any:
		switch current := current.(type) {
		case string:
			return c.namedBy(wanted, current)
		case map[string]any:
			return c.within(wanted, current)
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

func equalTexts(a, b string) bool { return oneLineEnd(a) == oneLineEnd(b) }

func oneLineEnd(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// namedBy tells whether the text stands for the object. An id does not: a text that is a number may be a name.
func (c *comparison) namedBy(object map[string]any, text string) bool {
	for _, member := range []string{"name", "value", "accountId"} {
		if name, ok := object[member].(string); ok && equalTexts(name, text) {
			return true
		}
	}

	key, ok := object["key"].(string)

	return ok && c.alike(key, text)
}

// within tells whether every member of the wanted object has its value in the current one.
func (c *comparison) within(wanted, current map[string]any) bool {
	if len(wanted) == 0 {
		return len(current) == 0
	}

	for member, value := range wanted {
		if !c.member(member, value, current[member]) {
			return false
		}
	}

	return true
}

// member compares a member of an object. A text in it is a key only where it is called one.
func (c *comparison) member(name string, wanted, current any) bool {
	if _, isText := wanted.(string); isText && name != "key" {
		return c.literally(wanted, current)
	}

	return c.equal(wanted, current)
}

// equalSets compares two lists as sets. Items that are alike find each other by their form; only those that are left,
// such as a text and the object of that name, are held against each other.
func (c *comparison) equalSets(wanted, current []any) bool {
	forms := func(list []any) ([]string, map[string]bool) {
		ordered, set := make([]string, len(list)), make(map[string]bool, len(list))
		for i, item := range list {
			ordered[i] = c.form(item)
			set[ordered[i]] = true
		}

		return ordered, set
	}

	wantedForms, wantedSet := forms(wanted)
	currentForms, currentSet := forms(current)

	return c.covered(wanted, wantedForms, currentSet, current, c.equal) &&
		c.covered(current, currentForms, wantedSet, wanted, func(item, other any) bool { return c.equal(other, item) })
}

// covered tells whether each item has its equal among the others.
func (c *comparison) covered(items []any, forms []string, alike map[string]bool, others []any, equal func(item, other any) bool) bool {
	for i, item := range items {
		if alike[forms[i]] {
			continue
		}

		if !slices.ContainsFunc(others, func(other any) bool { return c.looks > 0 && equal(item, other) }) {
			return false
		}
	}

	return true
}

// form writes a value such that equal forms mean equal values: lists as sets, numbers by value.
func (c *comparison) form(value any) string {
	c.looks--

	if emptyValue(value) {
		return "null"
	}

	switch value := value.(type) {
	case string:
		return quoted(oneLineEnd(value))
	case json.Number:
		return numberForm(value.String())
	case bool:
		if value {
			return "true"
		}

		return "false"
	case []any:
		items := make([]string, len(value))
		for i, item := range value {
			items[i] = c.form(item)
		}

		slices.Sort(items)

		return "[" + strings.Join(slices.Compact(items), ",") + "]"
	case map[string]any:
		members := make([]string, 0, len(value))
		for _, name := range Fields(value).Names() {
			members = append(members, quoted(name)+":"+c.form(value[name]))
		}

		return "{" + strings.Join(members, ",") + "}"
	default:
		return "?"
	}
}

func quoted(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic("queue: a text does not encode: " + err.Error())
	}

	return string(raw)
}
