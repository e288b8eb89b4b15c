package sim

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// contains is ~ and !~: every word of the query stands in the text, in any order; what is in quotation marks of its own
// stands there as it is. Endings do not count, roughly as with Jira's stemming.
func (m *matcher) contains(t *term, c clause) test {
	if t.text == nil {
		return m.unsupported(t, c)
	}

	asked := c.operands[0].text
	if strings.HasPrefix(asked, "*") || strings.HasPrefix(asked, "?") {
		return m.complain("The text query '%s' for field '%s' is not allowed to start with character '%s'", asked, t.name, asked[:1])
	}

	if !balanced(asked) {
		return m.complain("Unable to parse the text '%s' for field '%s'.", asked, t.name)
	}

	phrase := len(asked) > 1 && strings.HasPrefix(asked, `"`) && strings.HasSuffix(asked, `"`)
	needed := textWords(asked)

	return func(i *issue) bool {
		there := textWords(t.text(i))

		found := len(needed) > 0
		if phrase {
			found = strings.Contains(" "+strings.Join(there, " ")+" ", " "+strings.Join(needed, " ")+" ")
		}

		for _, word := range needed {
			_, has := find(there, func(other string) bool { return sameStem(word, other) })
			found = found && has
		}

		return found == (c.operator == "~")
	}
}

func textWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// sameStem: long words are alike when they differ in their last two letters only.
func sameStem(a, b string) bool {
	stem := func(word string) string {
		if runes := []rune(word); len(runes) > 5 {
			return string(runes[:len(runes)-2])
		}

		return word
	}

	return a == b || stem(a) == stem(b)
}

// balanced: Lucene, behind ~, cannot read a bracket or a quotation mark that stands alone and is not escaped.
func balanced(text string) bool {
	open, marks := 0, 0

	for at, r := range text {
		if at > 0 && text[at-1] == '\\' {
			continue
		}

		switch r {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		case '"':
			marks++
		}

		if open < 0 {
			return false
		}
	}

	return open == 0 && marks%2 == 0
}

var period = regexp.MustCompile(`^([+-]?\d+)([wdhm])$`)

// dates compares moments; JQL knows minutes only, in the account's own zone.
func (m *matcher) dates(t *term, c clause) test {
	wanted, ok := m.moment(c.operands[0])
	if !ok {
		return m.complain("Date value '%s' for field '%s' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', "+
			"'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.", c.operands[0].text, t.name)
	}

	return func(i *issue) bool {
		at := t.moment(i)

		return !at.IsZero() && holds(c.operator, at.Truncate(time.Minute).Compare(wanted))
	}
}

func (m *matcher) moment(o operand) (time.Time, bool) {
	now := m.store.now().In(m.store.zone)

	if o.function {
		m.drifting = true

		switch o.text {
		case "now":
			return now.Truncate(time.Minute), true
		case "startofday":
			return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, m.store.zone), true
		default:
			return time.Time{}, false
		}
	}

	for _, layout := range []string{"2006-01-02 15:04", "2006/01/02 15:04", "2006-01-02", "2006/01/02"} {
		if at, err := time.ParseInLocation(layout, o.text, m.store.zone); err == nil {
			return at, true
		}
	}

	parts := period.FindStringSubmatch(o.text)
	if parts == nil {
		// A bare number is milliseconds, as for Jira.
		at, err := strconv.ParseInt(o.text, 10, 64)

		return time.UnixMilli(at), err == nil
	}

	m.drifting = true
	number, err := strconv.Atoi(parts[1])
	unit := map[string]time.Duration{"w": 7 * 24 * time.Hour, "d": 24 * time.Hour, "h": time.Hour, "m": time.Minute}[parts[2]]

	return now.Add(time.Duration(number) * unit).Truncate(time.Minute), err == nil
}
