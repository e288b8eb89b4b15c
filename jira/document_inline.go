package jira

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// inlineNode tells nodes of a line from blocks.
func inlineNode(node map[string]any) bool {
	switch kind(node) {
	case "text", "hardBreak", "mention", "emoji", "date", "status", "inlineCard", "mediaInline", "inlineExtension", "placeholder":
		return true
	default:
		return false
	}
}

func inlineTexts(nodes []map[string]any, depth int) string {
	var line strings.Builder

	for _, node := range nodes {
		if inlineNode(node) {
			line.WriteString(inlineText(node, depth))
		} else {
			line.WriteString(block(node, depth+1))
		}
	}

	return line.String()
}

func inlineText(node map[string]any, depth int) string {
	switch kind(node) {
	case "text":
		return linkedText(node)
	case "hardBreak":
		return "\n"
	case "mention":
		if name := attribute(node, "text"); name != "" {
			return name
		}

		return "@" + attribute(node, "id")
	case "emoji":
		return first(attribute(node, "text"), attribute(node, "shortName"))
	case "date":
		return dateText(attribute(node, "timestamp"))
	case "inlineCard":
		return attribute(node, "url")
	case "mediaInline":
		return mediaText(node)
	default:
		return first(attribute(node, "text"), inlineTexts(children(node), depth+1))
	}
}

// linkedText is a text with the address it leads to, where the text is not the address itself.
func linkedText(node map[string]any) string {
	shown, _ := node["text"].(string)

	marks, _ := node["marks"].([]any)
	for _, mark := range marks {
		link, ok := mark.(map[string]any)
		if !ok || kind(link) != "link" {
			continue
		}

		if address := attribute(link, "href"); address != "" && address != shown && address != "mailto:"+shown {
			return shown + " (" + address + ")"
		}
	}

	return shown
}

func mediaText(node map[string]any) string {
	name := first(attribute(node, "alt"), attribute(node, "__fileName"), attribute(node, "url"), attribute(node, "id"))
	if name == "" {
		return "[file]"
	}

	return "[" + name + "]"
}

// dateText is the day of a moment in milliseconds; the moment as it is where it is none.
func dateText(timestamp string) string {
	var milliseconds int64
	if err := json.Unmarshal([]byte(timestamp), &milliseconds); err != nil {
		return timestamp
	}

	return time.UnixMilli(milliseconds).UTC().Format(time.DateOnly)
}

// flat is the text in a node without its form.
func flat(node map[string]any) string {
	var words []string

	for nodes := []map[string]any{node}; len(nodes) > 0; {
		next := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]

		if text, ok := next["text"].(string); ok && text != "" {
			words = append(words, text)
		}

		inner := children(next)
		for _, i := range slices.Backward(inner) {
			nodes = append(nodes, i)
		}
	}

	return strings.Join(words, " ")
}

func kind(node map[string]any) string {
	name, _ := node["type"].(string)

	return name
}

func children(node map[string]any) []map[string]any {
	content, _ := node["content"].([]any)
	nodes := make([]map[string]any, 0, len(content))

	for _, child := range content {
		if node, ok := child.(map[string]any); ok {
			nodes = append(nodes, node)
		}
	}

	return nodes
}

// attribute is a node's attribute as text; "" where it has none.
func attribute(node map[string]any, name string) string {
	attributes, _ := node["attrs"].(map[string]any)

	switch value := attributes[name].(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	default:
		return ""
	}
}

// orderOf is the number that an ordered list begins with.
func orderOf(list map[string]any) int64 {
	attributes, _ := list["attrs"].(map[string]any)
	if _, given := attributes["order"]; !given {
		return 1
	}

	return integer(attributes["order"])
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}

	return ""
}
