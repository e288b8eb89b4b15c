package jira

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// longestText bounds what is quoted of an answer that is not JSON, in characters.
const longestText = 300

// longestMessage bounds one of Jira's own messages, in characters: more of it than the hub shows is of no use.
const longestMessage = 1500

// words are what an answer says: Jira's messages and its errors by field; of a page its title; of anything else its
// beginning.
func words(body []byte) ([]string, map[string]string) {
	if looksLikePage(body) {
		if title := pageTitle(body); title != "" {
			return []string{title}, nil
		}

		return []string{"a page without a title where Jira's answer was due"}, nil
	}

	var answer map[string]any
	if decode(body, &answer) != nil {
		if text := shorten(strings.ToValidUTF8(string(body), "\uFFFD")); text != "" && !startsJSON(body) {
			return []string{text}, nil
		}

		return nil, nil
	}

	// Jira's own form first; then those of its gateways and plugins.
	messages := texts(answer["errorMessages"])
	fields := map[string]string{}

	switch errs := answer["errors"].(type) {
	case map[string]any:
		for _, field := range slices.Sorted(maps.Keys(errs)) {
			fields[field] = strings.Join(texts(errs[field]), "; ")
		}
	default:
		messages = append(messages, texts(errs)...)
	}

	if len(messages)+len(fields) == 0 {
		for _, member := range []string{"message", "errorMessage", "error_description", "error", "detail"} {
			if messages = texts(answer[member]); len(messages) > 0 {
				break
			}
		}
	}

	return messages, fields
}

// texts are the texts in a value: itself, its items, or the message of an object.
func texts(value any) []string {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		if strings.TrimSpace(value) == "" {
			return nil
		}

		return []string{cut(value, longestMessage)}
	case []any:
		var all []string
		for _, item := range value {
			all = append(all, texts(item)...)
		}

		return all
	case map[string]any:
		if message, ok := value["message"].(string); ok {
			return []string{cut(message, longestMessage)}
		}

		return []string{quote(value)}
	default:
		return []string{fmt.Sprint(value)}
	}
}

func quote(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}

	return shorten(string(encoded))
}

// shorten gives the beginning of a text as one line.
func shorten(text string) string { return cut(strings.Join(strings.Fields(text), " "), longestText) }

// cut gives the first characters of a text.
func cut(text string, characters int) string {
	if utf8.RuneCountInString(text) <= characters {
		return text
	}

	return string([]rune(text)[:characters]) + "…"
}
