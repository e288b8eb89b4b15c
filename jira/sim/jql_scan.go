package sim

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// jqlError is what Jira says of a query that it cannot read.
type jqlError struct{ message string }

func (e *jqlError) Error() string { return e.message }

func jqlErrorf(format string, args ...any) error {
	return &jqlError{message: "Error in the JQL Query: " + fmt.Sprintf(format, args...)}
}

// token is a word, a quoted text or a sign of a query.
type token struct {
	text   string
	quoted bool
	sign   bool // an operator, a bracket or a comma
	at     int  // where it begins, in characters from 1
}

func (t token) word(w string) bool  { return !t.quoted && !t.sign && strings.EqualFold(t.text, w) }
func (t token) is(sign string) bool { return t.sign && t.text == sign }
func (t token) end() bool           { return t.text == "" && !t.quoted }

const (
	jqlSigns    = "=!<>~(),"
	jqlReserved = "{}*/%+^$#@?|&.;'\"`-[]:\\"
)

// scan parts a query into tokens. The characters that Jira keeps for itself stand in quoted texts only; the few that
// occur in bare keys, numbers and dates are let through inside of a word.
func scan(query string) ([]token, error) {
	var tokens []token

	runes := []rune(query)

	for at := 0; at < len(runes); {
		r := runes[at]

		switch {
		case unicode.IsSpace(r):
			at++
		case r == '"' || r == '\'':
			text, next, err := quoted(runes, at)
			if err != nil {
				return nil, err
			}

			tokens = append(tokens, token{text: text, quoted: true, at: at + 1})
			at = next
		case strings.ContainsRune(jqlSigns, r) || r == '&' || r == '|':
			text := string(r)
			if at+1 < len(runes) && (strings.ContainsRune("!<>", r) && (runes[at+1] == '=' || r == '!' && runes[at+1] == '~') ||
				(r == '&' || r == '|') && runes[at+1] == r) {
				text += string(runes[at+1])
			}

			tokens = append(tokens, token{text: text, sign: true, at: at + 1})
			at += utf8.RuneCountInString(text)
		default:
			text, next, err := bare(runes, at)
			if err != nil {
				return nil, err
			}

			tokens = append(tokens, token{text: text, at: at + 1})
			at = next
		}
	}

	return tokens, nil
}

func quoted(runes []rune, from int) (text string, next int, err error) {
	var b strings.Builder

	for at := from + 1; at < len(runes); at++ {
		switch {
		case runes[at] == runes[from]:
			return b.String(), at + 1, nil
		case runes[at] == '\\' && at+1 < len(runes):
			at++
			b.WriteRune(escaped(runes[at]))
		default:
			b.WriteRune(runes[at])
		}
	}

	return "", 0, jqlErrorf("The quoted string '%s' has not been completed. (line 1, character %d)", string(runes[from+1:]), from+1)
}

func escaped(r rune) rune {
	switch r {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	default:
		return r
	}
}

func bare(runes []rune, from int) (text string, next int, err error) {
	at := from

	for ; at < len(runes) && !unicode.IsSpace(runes[at]) && !strings.ContainsRune(jqlSigns, runes[at]); at++ {
		r := runes[at]

		inside := r == '-' || r == '.' && at > from || (r == '[' || r == ']') && strings.HasPrefix(strings.ToLower(string(runes[from:])), "cf[")
		if strings.ContainsRune(jqlReserved, r) && !inside {
			return "", 0, jqlErrorf("The character '%c' is a reserved JQL character. You must enclose it in a string or use the escape "+
				"'\\u%04x' instead. (line 1, character %d)", r, r, at+1)
		}
	}

	return string(runes[from:at]), at, nil
}
