package jira

import "strings"

// document tells a text in the Atlassian Document Format, as Cloud keeps rich text, from other objects.
func document(value any) bool {
	object, ok := value.(map[string]any)
	if !ok || object["type"] != "doc" {
		return false
	}

	_, listed := object["content"].([]any)

	return listed
}

// ToDocument writes plain text in the Atlassian Document Format: a blank line parts paragraphs, any other line end is a
// hard break. FromDocument gives the same text again, to the letter.
func ToDocument(text string) map[string]any {
	content := []any{}

	if text != "" {
		for paragraph := range strings.SplitSeq(text, "\n\n") {
			content = append(content, map[string]any{"type": "paragraph", "content": paragraphLines(paragraph)})
		}
	}

	return map[string]any{"type": "doc", "version": 1, "content": content}
}

func paragraphLines(paragraph string) []any {
	content := []any{}

	for i, line := range strings.Split(paragraph, "\n") {
		if i > 0 {
			content = append(content, map[string]any{"type": "hardBreak"})
		}

		// An empty text node is not allowed.
		if line != "" {
			content = append(content, map[string]any{"type": "text", "text": line})
		}
	}

	return content
}
