package queue

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// length counts UTF-16 units, as Jira does.
func length(s string) int {
	units := 0

	for _, r := range s {
		units++

		if r > '\uFFFF' {
			units++
		}
	}

	return units
}

func blank(s string) bool { return strings.TrimFunc(s, unicode.IsSpace) == "" }

// required checks a text that must be there; name says which of the field it is.
func (c *batchCheck) required(field, name, text string, limit int) {
	if blank(text) {
		c.addf(Required, field, isEmpty, name)
	}

	c.text(field, name, text, limit)
}

// text checks what any text must hold to.
func (c *batchCheck) text(field, name, text string, limit int) {
	if units := length(text); units > limit {
		c.addf(TooLong, field, tooLong, name, units, limit)
	}

	if strings.ContainsRune(text, 0) {
		c.addf(Malformed, field, holdsNUL, name)
	}
}

func (c *batchCheck) oneLine(field, name, text string) {
	if strings.ContainsAny(text, "\r\n") {
		c.addf(Malformed, field, "%s has a line break; Jira takes one line", name)
	}
}

// fields checks the values of `fields`: their texts, their numbers, and that temporary keys in them are known.
func (c *batchCheck) fields(fields Fields) {
	for _, name := range fields.Names() {
		c.text("fields", fmt.Sprintf("the name of the field %.80q", name), name, MaxText)

		text, isText := fields[name].(string)

		switch {
		case !isText:
			c.value(name, fields[name])
		case name == "summary":
			c.oneLine("fields", valueOf(name), text)
			fallthrough
		default:
			c.text("fields", valueOf(name), text, fieldLimit(name))
		}
	}

	fields.mapKeys(func(field string, key Key) Key {
		c.known(field, key)

		return key
	})
}

func fieldLimit(name string) int {
	switch name {
	case "summary":
		return MaxSummary
	case "status", "sprint", "project", "issuetype", "issueType", "type":
		return MaxName
	default:
		return MaxText
	}
}

// valueOf names the value of a field.
func valueOf(name string) string { return fmt.Sprintf("the field %.80q", name) }

func (c *batchCheck) value(name string, value any) {
	switch value := value.(type) {
	case string:
		c.text("fields", "a text in "+valueOf(name), value, MaxText)
	case json.Number:
		if !doubleHolds(value.String()) {
			c.addf(Malformed, "fields", "%s holds the number %.40s; Jira takes none so far from 1", valueOf(name), value)
		}
	case []any:
		for _, item := range value {
			c.value(name, item)
		}
	case map[string]any:
		for _, member := range Fields(value).Names() {
			c.text("fields", "the name of a member in "+valueOf(name), member, MaxText)
			c.value(name, value[member])
		}
	}
}

// doubleHolds tells whether a JSON number is neither too large nor too near to zero for a double.
func doubleHolds(number string) bool {
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return false
	}

	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")

	return value != 0 || !strings.ContainsAny(mantissa, "123456789")
}
