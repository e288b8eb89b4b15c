package queue

import (
	"encoding/json"
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

// required checks a text that must be there.
func (c *batchCheck) required(field, text string, limit int) {
	if blank(text) {
		c.addf(Required, field, "%s is empty", field)
	}

	c.text(field, text, limit)
}

// text checks what any text must hold to.
func (c *batchCheck) text(field, text string, limit int) {
	if units := length(text); units > limit {
		c.addf(TooLong, field, "%s has %d characters; at most %d are allowed", field, units, limit)
	}

	if strings.ContainsRune(text, 0) {
		c.addf(Malformed, field, "%s holds a NUL character", field)
	}
}

func (c *batchCheck) oneLine(field, text string) {
	if strings.ContainsAny(text, "\r\n") {
		c.addf(Malformed, field, "the summary has a line break")
	}
}

// fields checks the values of `fields`: their texts, their numbers, and that temporary keys in them are known.
func (c *batchCheck) fields(fields Fields) {
	for _, name := range fields.Names() {
		c.text("fields", name, MaxText)

		limit := fieldLimit(name)
		if text, ok := fields[name].(string); ok && name == "summary" {
			c.oneLine("fields", text)
			c.named(name, text, limit)
		} else if ok {
			c.named(name, text, limit)
		} else {
			c.value(name, fields[name])
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

// named checks a text inside `fields`, and names the field it stands in.
func (c *batchCheck) named(name, text string, limit int) {
	if units := length(text); units > limit {
		c.addf(TooLong, "fields", "%.80q has %d characters; at most %d are allowed", name, units, limit)
	}

	if strings.ContainsRune(text, 0) {
		c.addf(Malformed, "fields", "%.80q holds a NUL character", name)
	}
}

func (c *batchCheck) value(name string, value any) {
	switch value := value.(type) {
	case string:
		c.named(name, value, MaxText)
	case json.Number:
		if !doubleHolds(value.String()) {
			c.addf(Malformed, "fields", "%.80q holds a number that is out of range: %.40s", name, value)
		}
	case []any:
		for _, item := range value {
			c.value(name, item)
		}
	case map[string]any:
		for _, member := range Fields(value).Names() {
			c.named(name, member, MaxText)
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
