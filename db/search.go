package db

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// searching runs a read that looks for text, in a transaction, for no longer than half the time that an answer may take.
// What no index helps with, such as a word of two letters, is looked for in every row: where they are so many that it
// takes longer, it is Unprocessable. The limit is the server's own, so that a search which is too slow is told from a
// database that is away.
func (d *DB) searching(ctx context.Context, at bun.IConn, text string, read func() error) error {
	if text == "" {
		return read()
	}

	limit := fmt.Sprintf("SET LOCAL statement_timeout = %d", (d.options.Answer / 2).Milliseconds())
	if _, err := at.ExecContext(ctx, limit); err != nil {
		return err //nolint:wrapcheck // snapshot wraps
	}

	err := read()
	if stateOf(err) == statementTimeout && ctx.Err() == nil {
		return queue.Refusef(queue.Unprocessable, "search for %.40q takes too long among so many; "+
			"write three or more letters or digits in a row, or narrow the list by another filter", text)
	}

	return err
}

// statementTimeout is what Postgres says where a statement's time is over.
const statementTimeout = "57014"

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
