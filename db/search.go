package db

import (
	"strings"
	"unicode/utf8"
)

// containing is the LIKE pattern for what contains text, without regard to case where the column is in lower case.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(text)) + "%"
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
