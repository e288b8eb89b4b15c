package queue

import "strings"

// A refusal names the argument in the schema's spelling, says what is wrong with it and, after a semicolon, what would
// be right.

// checkLength refuses a text that is too long.
func checkLength(name, text string, limit int) error {
	if units := length(text); units > limit {
		return Refusef(Unprocessable, tooLong, name, units, limit)
	}

	return nil
}

// checkText refuses a person's text that is too long or cannot be stored.
func checkText(name, text string, limit int) error {
	if strings.ContainsRune(text, 0) {
		return Refusef(Unprocessable, holdsNUL, name)
	}

	return checkLength(name, text, limit)
}

// checkListed refuses a list that is too long for one call.
func checkListed(name string, items, limit int) error {
	if items > limit {
		return Refusef(TooLarge, "%s has %d items; at most %d go into one call", name, items, limit)
	}

	return nil
}

const (
	tooLong  = "%s has %d characters; at most %d are allowed"
	holdsNUL = "%s holds a NUL character; leave it out"
	isEmpty  = "%s is empty"
)
