package jira

import (
	"fmt"
	"strings"
)

// Quote writes a text as one value in JQL, whatever is in it.
func Quote(text string) string {
	var quoted strings.Builder

	quoted.WriteByte('"')

	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			quoted.WriteByte('\\')
			quoted.WriteRune(r)
		case r < ' ' || r == 0x7F:
			fmt.Fprintf(&quoted, `\u%04X`, r)
		default:
			quoted.WriteRune(r)
		}
	}

	quoted.WriteByte('"')

	return quoted.String()
}
