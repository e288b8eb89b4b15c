package jira

import (
	"fmt"
	"strings"
)

// deepest is how far into a document's blocks lists and quotes are laid out; what lies deeper is one line of text.
const deepest = 32

// FromDocument gives a document as plain text that can be read without its form: paragraphs with a blank line between,
// lists with their marks, table rows a line each, links with their address. It takes whatever it is given: a node that
// it does not know counts by its content.
func FromDocument(value any) string {
	root, ok := value.(map[string]any)
	if !ok {
		return ""
	}

	return blocks(children(root), "\n\n", 0)
}

// blocks are nodes one below the other. Inline nodes among them run together.
func blocks(nodes []map[string]any, gap string, depth int) string {
	var parts []string

	inline := false

	for _, node := range nodes {
		if inlineNode(node) {
			if inline {
				parts[len(parts)-1] += inlineText(node, depth)
			} else {
				parts = append(parts, inlineText(node, depth))
			}

			inline = true

			continue
		}

		inline = false

		parts = append(parts, block(node, depth))
	}

	return strings.Join(parts, gap)
}

func block(node map[string]any, depth int) string {
	inner := children(node)
	if depth > deepest {
		return flat(node)
	}

	switch kind(node) {
	case "paragraph", "heading", "codeBlock", "caption":
		return inlineTexts(inner, depth)
	case "bulletList", "orderedList", "taskList", "decisionList":
		return listText(node, inner, depth)
	case "listItem", "taskItem", "blockTaskItem", "decisionItem":
		return blocks(inner, "\n", depth+1)
	case "blockquote":
		return indent(blocks(inner, "\n\n", depth+1), "> ", "> ")
	case "rule":
		return "---"
	case "table":
		return blocks(inner, "\n", depth+1)
	case "tableRow":
		return rowText(inner, depth)
	case "mediaSingle", "mediaGroup":
		return blocks(inner, "\n", depth+1)
	case "media":
		return mediaText(node)
	case "blockCard", "embedCard":
		return attribute(node, "url")
	case "expand", "nestedExpand":
		return joined("\n\n", attribute(node, "title"), blocks(inner, "\n\n", depth+1))
	default:
		loose, _ := node["text"].(string)

		return joined("\n\n", attribute(node, "text"), loose, blocks(inner, "\n\n", depth+1))
	}
}

func listText(list map[string]any, items []map[string]any, depth int) string {
	lines := make([]string, 0, len(items))
	next := orderOf(list)

	for _, item := range items {
		// A list may stand in a list of tasks without an item around it.
		if strings.HasSuffix(kind(item), "List") {
			lines = append(lines, indent(block(item, depth+1), "  ", "  "))

			continue
		}

		mark := "- "

		switch kind(list) {
		case "orderedList":
			mark = fmt.Sprintf("%d. ", next)
			next++
		case "taskList":
			mark = "[ ] "
			if attribute(item, "state") == "DONE" {
				mark = "[x] "
			}
		}

		lines = append(lines, indent(block(item, depth+1), mark, strings.Repeat(" ", len(mark))))
	}

	return strings.Join(lines, "\n")
}

func rowText(cells []map[string]any, depth int) string {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		texts[i] = strings.Join(strings.Fields(strings.ReplaceAll(blocks(children(cell), "\n", depth+1), "\n", " ")), " ")
	}

	return strings.Join(texts, " | ")
}

// indent puts first before the first line and rest before the others that are not empty.
func indent(text, first, rest string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = first + line
		case line != "":
			lines[i] = rest + line
		}
	}

	return strings.Join(lines, "\n")
}

func joined(gap string, parts ...string) string {
	var filled []string

	for _, part := range parts {
		if part != "" {
			filled = append(filled, part)
		}
	}

	return strings.Join(filled, gap)
}
