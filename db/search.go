package db

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// containing is the LIKE pattern for what contains text, without regard to case where the column is in lower case.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(text)) + "%"
}

// indexable tells whether a trigram index can look for what contains text: it knows words (of letters and digits) by
// runs of three, counting two blanks before a word and one after it. Text that has no such run would be looked for by
// reading the whole index and then all the rows.
func indexable(text string) bool {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	run, padded := 0, false

	for _, r := range text {
		switch {
		case isWord(r):
			run++

			if run >= 3 || padded {
				return true
			}
		case run >= 2:
			return true
		default:
			run, padded = 0, true
		}
	}

	return false
}

// literally is the regular expression for text itself.
func literally(text string) string {
	var pattern strings.Builder

	for _, r := range text {
		if r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			pattern.WriteByte('\\')
		}

		pattern.WriteRune(r)
	}

	return pattern.String()
}

// storable tells whether the database can hold the texts. What it cannot hold it does not have, so a search for that
// finds nothing, without asking.
func storable(texts ...string) bool {
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			return false
		}
	}

	return true
}
