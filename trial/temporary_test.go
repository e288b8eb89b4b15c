package trial

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

var temporaryKey = regexp.MustCompile(`^new:[1-9][0-9]*$`)

// temporaryKeys are the temporary keys of others that stand anywhere in a command's parameters, by their place. A
// creation's own, and what people wrote, are none.
func temporaryKeys(params json.RawMessage) (map[string]string, error) {
	var value any
	if err := json.Unmarshal(params, &value); err != nil {
		return nil, fmt.Errorf("read parameters: %w", err)
	}

	found := map[string]string{}

	for place, text := range texts("", value) {
		if temporaryKey.MatchString(text) {
			found[place] = text
		}
	}

	return found, nil
}

// texts are all strings of a value that may be keys, by their place.
func texts(place string, value any) map[string]string {
	found := map[string]string{}

	switch value := value.(type) {
	case string:
		found[place] = value
	case []any:
		for i, item := range value {
			maps.Copy(found, texts(fmt.Sprintf("%s[%d]", place, i), item))
		}
	case map[string]any:
		for name, item := range value {
			if !slices.Contains([]string{"tempKey", "summary", "description", "body"}, name) {
				maps.Copy(found, texts(place+"."+name, item))
			}
		}
	}

	return found
}

// faultsOfHandout compares what was handed out with what was submitted: each temporary key is the real one of its
// creation, and nothing else has changed.
func (t *tables) faultsOfHandout(out *handout, command *commandRow) []string {
	submitted, err := placesOf(out.Command.Params)
	if err != nil {
		return []string{err.Error()}
	}

	given, err := placesOf(out.Params)
	if err != nil {
		return []string{err.Error()}
	}

	var faults []string

	for place, text := range submitted {
		want := text
		if temporaryKey.MatchString(text) {
			want = t.realKey(command.batch, text)
		}

		if given[place] != want {
			faults = append(faults, fmt.Sprintf("command %d was handed out with %s = %q, not %q (submitted: %q)",
				command.id, place, given[place], want, text))
		}
	}

	if len(given) != len(submitted) {
		faults = append(faults, fmt.Sprintf("command %d was handed out as %s, submitted as %s", command.id, out.Params, out.Command.Params))
	}

	return faults
}

func placesOf(params json.RawMessage) (map[string]string, error) {
	var value any
	if err := json.Unmarshal(params, &value); err != nil {
		return nil, fmt.Errorf("read parameters: %w", err)
	}

	return texts("", value), nil
}

// creation is the command of a batch that makes the issue of a temporary key; nil where there is none.
func (t *tables) creation(batch int64, temporary string) *commandRow {
	for _, id := range t.order {
		if c := t.commands[id]; c.batch == batch && c.tempKey != nil && *c.tempKey == temporary {
			return c
		}
	}

	return nil
}

// realKey is the key that was made for a temporary one, "" where none was.
func (t *tables) realKey(batch int64, temporary string) string {
	creation := t.creation(batch, temporary)
	if creation == nil || creation.state.resultKey == nil {
		return ""
	}

	return *creation.state.resultKey
}
