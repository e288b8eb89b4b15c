package jira

import (
	"bytes"
	"html"
	"regexp"
	"strings"
)

// pageStart bounds how much of a page is looked at, in bytes.
const pageStart = 256 << 10

var titleElement = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// looksLikePage tells markup from JSON by its first character.
func looksLikePage(body []byte) bool {
	return bytes.HasPrefix(trimmed(body), []byte("<"))
}

func startsJSON(body []byte) bool {
	start := trimmed(body)

	return len(start) > 0 && strings.IndexByte(`{["-0123456789tfn`, start[0]) >= 0
}

// trimmed is the body without what may stand before its first character.
func trimmed(body []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\uFEFF")), " \t\r\n")
}

// pageTitle is the title of a page, as text; "" where it has none.
func pageTitle(body []byte) string {
	found := titleElement.FindSubmatch(body[:min(len(body), pageStart)])
	if found == nil {
		return ""
	}

	return shorten(html.UnescapeString(string(found[1])))
}
