package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// matcher turns conditions into tests of one issue, and gathers what Jira says against their values.
type matcher struct {
	store    *store
	problems []string
	// drifting: the answer changes with the time alone.
	drifting bool
}

type test func(*issue) bool

func (m *matcher) complain(format string, args ...any) test {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))

	return func(*issue) bool { return false }
}

func (m *matcher) test(c condition) (test, error) {
	switch c := c.(type) {
	case nil:
		return func(*issue) bool { return true }, nil
	case not:
		inner, err := m.test(c.inner)

		return func(i *issue) bool { return !inner(i) }, err
	case both:
		left, right, err := m.pair(c.left, c.right)

		return func(i *issue) bool { return left(i) && right(i) }, err
	case either:
		left, right, err := m.pair(c.left, c.right)

		return func(i *issue) bool { return left(i) || right(i) }, err
	case clause:
		return m.clause(c)
	default:
		return nil, fmt.Errorf("a condition of an unknown form: %T", c)
	}
}

func (m *matcher) pair(left, right condition) (test, test, error) {
	l, err := m.test(left)
	if err != nil {
		return nil, nil, err
	}

	r, err := m.test(right)

	return l, r, err
}

func (m *matcher) clause(c clause) (test, error) {
	t, err := m.store.term(c.field)
	if err != nil {
		return nil, err
	}

	empty := len(c.operands) == 1 && c.operands[0].empty

	switch c.operator {
	case "is", "is not":
		if !empty {
			return m.complain("The operator '%s' can only be used with EMPTY or NULL.", c.operator), nil
		}

		return m.emptiness(t, c.operator == "is"), nil
	case "~", "!~":
		return m.contains(t, c), nil
	case "=", "!=":
		if empty {
			return m.emptiness(t, c.operator == "="), nil
		}

		if t.moment != nil {
			return m.dates(t, c), nil
		}

		return m.oneOf(t, c, c.operator == "="), nil
	case "in", "not in":
		return m.oneOf(t, c, c.operator == "in"), nil
	default:
		return m.compare(t, c), nil
	}
}

func (m *matcher) emptiness(t *term, wanted bool) test {
	return func(i *issue) bool {
		var empty bool

		switch {
		case t.moment != nil:
			empty = t.moment(i).IsZero()
		case t.words != nil:
			empty = len(t.words(i)) == 0
		default:
			empty = t.text(i) == ""
		}

		return empty == wanted
	}
}

func (m *matcher) unsupported(t *term, c clause) test {
	return m.complain("The operator '%s' is not supported by the '%s' field.", strings.ToUpper(c.operator), t.name)
}

// oneOf is =, !=, IN and NOT IN. What is not one of the values must be something: an empty field is found by neither.
func (m *matcher) oneOf(t *term, c clause, wanted bool) test {
	if t.words == nil {
		return m.unsupported(t, c)
	}

	values := map[string]bool{}

	for _, o := range c.operands {
		for _, value := range m.values(t, o) {
			values[value] = true
		}
	}

	return func(i *issue) bool {
		words := t.words(i)

		return len(words) > 0 && slices.ContainsFunc(words, func(word string) bool { return values[word] }) == wanted
	}
}

// values are what one operand stands for, lower case.
func (m *matcher) values(t *term, o operand) []string {
	value := strings.ToLower(o.text)

	switch {
	case o.function:
		return m.function(t, o.text)
	case t.key:
		i, ok := m.store.issue(o.text)
		if !ok && strings.Contains(value, "-") {
			m.complain("An issue with key '%s' does not exist for field '%s'.", o.text, t.name)

			return nil
		}

		if !ok {
			m.complain("The issue key '%s' for field '%s' is invalid.", o.text, t.name)

			return nil
		}

		// A moved issue is found by its old key too.
		return []string{strings.ToLower(i.key), strconv.Itoa(i.id)}
	case t.known != nil && !t.known(value):
		m.complain("The value '%s' does not exist for the field '%s'.", o.text, t.name)

		return nil
	default:
		return []string{value}
	}
}

func (m *matcher) function(t *term, name string) []string {
	inState := func(states ...string) []string {
		var ids []string

		for _, sp := range m.store.sprints {
			if slices.Contains(states, sp.state) {
				ids = append(ids, strconv.Itoa(sp.id))
			}
		}

		return ids
	}

	sprints := strings.EqualFold(t.name, "sprint")

	switch {
	case t.people && name == "currentuser":
		return m.store.userWords(m.store.me)
	case sprints && name == "opensprints":
		return inState(sprintActive)
	case sprints && name == "futuresprints":
		return inState(sprintFuture)
	case sprints && name == "closedsprints":
		return inState(sprintClosed)
	default:
		m.complain("Unable to find JQL function '%s()'.", name)

		return nil
	}
}

// compare is <, <=, > and >=.
func (m *matcher) compare(t *term, c clause) test {
	switch {
	case t.moment != nil:
		return m.dates(t, c)
	case t.key:
		return m.keys(c)
	case t.number != nil:
		wanted, err := strconv.ParseFloat(c.operands[0].text, 64)
		if err != nil {
			return m.complain("Value '%s' is not a valid number for field '%s'.", c.operands[0].text, t.name)
		}

		return func(i *issue) bool {
			n, ok := t.number(i)

			return ok && holds(c.operator, compareNumbers(n, wanted))
		}
	default:
		return m.unsupported(t, c)
	}
}

// keys compares keys of one project by their numbers.
func (m *matcher) keys(c clause) test {
	p, number, ok := splitKey(c.operands[0].text)
	if !ok {
		return m.complain("The issue key '%s' for field '%s' is invalid.", c.operands[0].text, c.field)
	}

	return func(i *issue) bool {
		own, n, _ := splitKey(i.key)

		return strings.EqualFold(own, p) && holds(c.operator, n-number)
	}
}

func splitKey(key string) (p string, number int, ok bool) {
	at := strings.LastIndex(key, "-")
	if at < 1 {
		return "", 0, false
	}

	number, err := strconv.Atoi(key[at+1:])

	return key[:at], number, err == nil
}

func compareNumbers(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// holds tells whether an operator is satisfied by a comparison's result.
func holds(operator string, result int) bool {
	switch operator {
	case "<":
		return result < 0
	case "<=":
		return result <= 0
	case ">":
		return result > 0
	case ">=":
		return result >= 0
	case "!=":
		return result != 0
	default:
		return result == 0
	}
}
