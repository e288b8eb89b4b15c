package sim

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"unicode/utf16"
)

// object is a JSON object.
type object = map[string]any

// maxText is Jira's limit of a text, in UTF-16 units.
const maxText = 32_767

var (
	bareLineEnd = regexp.MustCompile(`\r?\n`)
	lineSpaces  = regexp.MustCompile(`[ \t]+(\r?\n|$)`)
)

// text is what Jira keeps of a text that was sent: wiki text on Data Center, an ADF document on Cloud, nil where it is
// empty. With it comes what Jira says against it.
func (s *store) text(sent any) (kept any, problem string) {
	if sent == nil {
		return nil, ""
	}

	if s.cloud() {
		return s.document(sent)
	}

	wiki, ok := sent.(string)
	if !ok {
		return nil, "Operation value must be a string"
	}

	if length(wiki) > maxText {
		return nil, "The entered text is too long. It exceeds the allowed limit of 32,767 characters."
	}

	if wiki = s.bend(wiki); wiki == "" {
		return nil, ""
	}

	return wiki, ""
}

// bend does to a text what some servers do on the way in.
func (s *store) bend(text string) string {
	if s.strip {
		text = lineSpaces.ReplaceAllString(text, "$1")
	}

	if s.crlf {
		text = bareLineEnd.ReplaceAllString(text, "\r\n")
	}

	return text
}

func (s *store) document(sent any) (kept any, problem string) {
	doc, ok := sent.(object)
	if !ok || doc["type"] != "doc" {
		return nil, "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
	}

	if fmt.Sprint(doc["version"]) != "1" || !validNodes(doc["content"]) {
		return nil, "INVALID_INPUT"
	}

	plain := plainText(doc)
	if length(plain) > maxText {
		return nil, "The entered text is too long. It exceeds the allowed limit of 32,767 characters."
	}

	if plain == "" && len(list(doc["content"])) <= 1 {
		return nil, ""
	}

	return s.bendNode(doc, true), ""
}

// validNodes refuses what Jira refuses first of all: nodes without a type, and text nodes without a text.
func validNodes(content any) bool {
	if content == nil {
		return true
	}

	nodes, ok := content.([]any)
	if !ok {
		return false
	}

	for _, n := range nodes {
		node, ok := n.(object)
		if !ok {
			return false
		}

		kind, _ := node["type"].(string)
		text, _ := node["text"].(string)

		if kind == "" || kind == "text" && text == "" || !validNodes(node["content"]) {
			return false
		}
	}

	return true
}

// bendNode does the same to a document: a line ends at a hard break, at the end of a block, and inside of code.
func (s *store) bendNode(node object, lineEnds bool) object {
	bent := maps.Clone(node)

	if text, ok := bent["text"].(string); ok {
		bent["text"] = s.bendPiece(text, lineEnds)

		return bent
	}

	nodes := list(node["content"])
	if nodes == nil {
		return bent
	}

	kept := make([]any, 0, len(nodes))

	for at, n := range nodes {
		child, _ := n.(object)
		last := at+1 == len(nodes)

		if !last {
			next, _ := nodes[at+1].(object)
			last = next["type"] == "hardBreak"
		}

		if child = s.bendNode(child, last); child["text"] != "" {
			kept = append(kept, child)
		}
	}

	bent["content"] = kept

	return bent
}

func (s *store) bendPiece(text string, lineEnds bool) string {
	if lineEnds {
		return s.bend(text)
	}

	// A mark keeps what is no line's end from being taken for one.
	const mark = "\x00"

	return strings.TrimSuffix(s.bend(text+mark), mark)
}

// stored is a text of ours, as this dialect keeps it.
func (s *store) stored(text string) any {
	if text == "" {
		return nil
	}

	if !s.cloud() {
		return text
	}

	paragraphs := make([]any, 0, strings.Count(text, "\n\n")+1)

	for block := range strings.SplitSeq(text, "\n\n") {
		var content []any

		for at, line := range strings.Split(block, "\n") {
			if at > 0 {
				content = append(content, object{"type": "hardBreak"})
			}

			if line != "" {
				content = append(content, object{"type": "text", "text": line})
			}
		}

		paragraphs = append(paragraphs, object{"type": "paragraph", "content": content})
	}

	return object{"type": "doc", "version": 1, "content": paragraphs}
}

// plainText is a text of either dialect as people read it.
func plainText(text any) string {
	switch text := text.(type) {
	case string:
		return text
	case object:
		var b strings.Builder
		writePlain(&b, text)

		return strings.TrimSuffix(strings.TrimSuffix(b.String(), "\n"), "\n")
	default:
		return ""
	}
}

func writePlain(b *strings.Builder, node object) {
	if text, ok := node["text"].(string); ok {
		b.WriteString(text)
	}

	if node["type"] == "hardBreak" {
		b.WriteString("\n")
	}

	for _, child := range list(node["content"]) {
		if child, ok := child.(object); ok {
			writePlain(b, child)
		}
	}

	switch node["type"] {
	case "paragraph", "heading", "codeBlock":
		b.WriteString("\n\n")
	}
}

// length counts as Jira does, in UTF-16 units.
func length(text string) int { return len(utf16.Encode([]rune(text))) }

func list(value any) []any {
	items, _ := value.([]any)

	return items
}
