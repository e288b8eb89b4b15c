package sim

import (
	"slices"
	"strings"
)

// query is a JQL query that was read: a condition, which may be missing, and an order.
type query struct {
	where condition
	order []ordering
}

type ordering struct {
	field string
	desc  bool
}

// condition is a clause, or several joined or denied.
type condition interface{ isCondition() }

type (
	both   struct{ left, right condition }
	either struct{ left, right condition }
	not    struct{ inner condition }
	clause struct {
		field    string
		operator string // =, !=, <, <=, >, >=, ~, !~, in, not in, is, is not
		operands []operand
	}
)

func (both) isCondition()   {}
func (either) isCondition() {}
func (not) isCondition()    {}
func (clause) isCondition() {}

type operand struct {
	text     string
	function bool
	empty    bool
}

type parser struct {
	tokens []token
}

func (p *parser) peek() token {
	if len(p.tokens) == 0 {
		return token{}
	}

	return p.tokens[0]
}

func (p *parser) next() token {
	t := p.peek()
	if len(p.tokens) > 0 {
		p.tokens = p.tokens[1:]
	}

	return t
}

// parseJQL reads a query, or says like Jira where it cannot.
func parseJQL(text string) (query, error) {
	tokens, err := scan(text)
	if err != nil {
		return query{}, err
	}

	p := &parser{tokens: tokens}

	var q query

	if !p.peek().end() && !p.peek().word("order") {
		if q.where, err = p.or(); err != nil {
			return query{}, err
		}
	}

	if q.order, err = p.ordering(); err != nil {
		return query{}, err
	}

	if t := p.next(); !t.end() {
		return query{}, jqlErrorf("Expecting either 'OR' or 'AND' but got '%s'. (line 1, character %d)", t.text, t.at)
	}

	return q, nil
}

func (p *parser) or() (condition, error) {
	left, err := p.and()

	for err == nil && (p.peek().word("or") || p.peek().is("||") || p.peek().is("|")) {
		p.next()

		var right condition

		right, err = p.and()
		left = either{left, right}
	}

	return left, err
}

func (p *parser) and() (condition, error) {
	left, err := p.one()

	for err == nil && (p.peek().word("and") || p.peek().is("&&") || p.peek().is("&")) {
		p.next()

		var right condition

		right, err = p.one()
		left = both{left, right}
	}

	return left, err
}

func (p *parser) one() (condition, error) {
	switch t := p.peek(); {
	case t.word("not"), t.is("!"):
		p.next()

		inner, err := p.one()

		return not{inner}, err
	case t.is("("):
		p.next()

		inner, err := p.or()
		if err != nil {
			return nil, err
		}

		return inner, p.closing()
	default:
		return p.clause()
	}
}

func (p *parser) closing() error {
	switch t := p.next(); {
	case t.is(")"):
		return nil
	case t.end():
		return jqlErrorf("Expecting ')' before the end of the query.")
	default:
		return jqlErrorf("Expecting ')' but got '%s'. (line 1, character %d)", t.text, t.at)
	}
}

func (p *parser) clause() (condition, error) {
	field := p.next()

	switch {
	case field.end():
		return nil, jqlErrorf("Expecting a field name at the end of the query.")
	case field.sign:
		return nil, jqlErrorf("Expecting a field name but got '%s'. You must surround '%s' in quotation marks to use it as a field name. "+
			"(line 1, character %d)", field.text, field.text, field.at)
	}

	operator, err := p.operator()
	if err != nil {
		return nil, err
	}

	c := clause{field: field.text, operator: operator}
	if operator != "in" && operator != "not in" {
		c.operands, err = p.operands(false)

		return c, err
	}

	// A function may stand for the whole list.
	if !p.peek().is("(") {
		c.operands, err = p.operands(false)

		return c, err
	}

	p.next()

	if c.operands, err = p.operands(true); err != nil {
		return nil, err
	}

	return c, p.closing()
}

func (p *parser) operator() (string, error) {
	t := p.next()

	switch {
	case t.sign && slices.Contains([]string{"=", "!=", "<", "<=", ">", ">=", "~", "!~"}, t.text):
		return t.text, nil
	case t.word("in"):
		return "in", nil
	case t.word("is") && p.peek().word("not"):
		p.next()

		return "is not", nil
	case t.word("is"):
		return "is", nil
	case t.word("not") && p.peek().word("in"):
		p.next()

		return "not in", nil
	}

	const valid = "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
	if t.end() {
		return "", jqlErrorf("Expecting operator before the end of the query. %s", valid)
	}

	return "", jqlErrorf("Expecting operator but got '%s'. %s (line 1, character %d)", t.text, valid, t.at)
}

func (p *parser) operands(several bool) ([]operand, error) {
	var operands []operand

	for {
		t := p.next()

		switch {
		case t.end():
			return nil, jqlErrorf("Expecting either a value, list or function before the end of the query.")
		case t.sign:
			return nil, jqlErrorf("Expecting either a value, list or function but got '%s'. You must surround '%s' in quotation marks to "+
				"use it as a value. (line 1, character %d)", t.text, t.text, t.at)
		}

		one := operand{text: t.text, empty: t.word("empty") || t.word("null")}

		if !t.quoted && p.peek().is("(") {
			p.next()

			if err := p.closing(); err != nil {
				return nil, err
			}

			one = operand{text: strings.ToLower(t.text), function: true}
		}

		operands = append(operands, one)

		if !several || !p.peek().is(",") {
			return operands, nil
		}

		p.next()
	}
}

func (p *parser) ordering() ([]ordering, error) {
	if !p.peek().word("order") {
		return nil, nil
	}

	p.next()

	if t := p.next(); !t.word("by") {
		return nil, jqlErrorf("Expecting 'by' but got '%s'. (line 1, character %d)", t.text, t.at)
	}

	var order []ordering

	for {
		t := p.next()
		if t.end() || t.sign {
			return nil, jqlErrorf("Expecting a field name at the end of the query.")
		}

		one := ordering{field: t.text}

		switch {
		case p.peek().word("desc"):
			p.next()

			one.desc = true
		case p.peek().word("asc"):
			p.next()
		}

		order = append(order, one)

		if !p.peek().is(",") {
			return order, nil
		}

		p.next()
	}
}
