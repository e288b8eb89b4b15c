package model

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

var (
	temporary = regexp.MustCompile(`^new:[1-9][0-9]*$`)
	jiraKey   = regexp.MustCompile(`^[A-Z][A-Z0-9_-]*-[1-9][0-9]*$`)
)

func isTemp(key queue.Key) bool { return temporary.MatchString(string(key)) }

// spelled gives a key in its one spelling; false where it is neither a Jira key nor a temporary one.
func spelled(key queue.Key) (queue.Key, bool) {
	upper := strings.ToUpper(string(key))

	switch {
	case isTemp(key):
		return key, true
	case jiraKey.MatchString(upper):
		return queue.Key(upper), true
	default:
		return key, false
	}
}

// mapKeys gives the parameters with each key that may be temporary put through f: the key parameters, and in `fields`
// the temporary ones. An ensure_issue's own is not among them.
func mapKeys(p queue.Params, f func(field string, key queue.Key) queue.Key) queue.Params {
	optional := func(field string, key *queue.Key) *queue.Key {
		if key == nil {
			return nil
		}

		mapped := f(field, *key)

		return &mapped
	}

	switch p := p.(type) {
	case queue.EnsureIssue:
		p.Parent, p.Epic, p.Fields = optional("parent", p.Parent), optional("epic", p.Epic), mapFields(p.Fields, f)

		return p
	case queue.EnsureFields:
		p.Key, p.Fields = f("key", p.Key), mapFields(p.Fields, f)

		return p
	case queue.EnsureStatus:
		p.Key = f("key", p.Key)

		return p
	case queue.EnsureLink:
		p.Source, p.Target = f("source", p.Source), f("target", p.Target)

		return p
	case queue.EnsureSprint:
		p.Key = f("key", p.Key)

		return p
	case queue.EnsureComment:
		p.Key = f("key", p.Key)

		return p
	case queue.Refresh:
		p.Keys = slices.Clone(p.Keys)
		for i, key := range p.Keys {
			p.Keys[i] = f("keys", key)
		}

		return p
	default:
		return p
	}
}

// mapFields looks where a temporary key counts: as a whole value, an item of a list or the key of an object, but not
// in the prose of summary and description.
func mapFields(fields queue.Fields, f func(field string, key queue.Key) queue.Key) queue.Fields {
	var mapped func(value any) any

	mapped = func(value any) any {
		switch value := value.(type) {
		case string:
			if isTemp(queue.Key(value)) {
				return string(f("fields", queue.Key(value)))
			}
		case []any:
			items := make([]any, len(value))
			for i, item := range value {
				items[i] = mapped(item)
			}

			return items
		case map[string]any:
			members := map[string]any{}
			for name, member := range value {
				members[name] = member
				if name == "key" {
					members[name] = mapped(member)
				}
			}

			return members
		}

		return value
	}

	out := queue.Fields{}

	for name, value := range fields {
		out[name] = value
		if name != "summary" && name != "description" {
			out[name] = mapped(value)
		}
	}

	return out
}

// spelledParams gives the parameters with their keys in the one spelling; what is no key stays.
func spelledParams(p queue.Params) queue.Params {
	return mapKeys(p, func(_ string, key queue.Key) queue.Key {
		key, _ = spelled(key)

		return key
	})
}

// awaited lists the temporary keys that a command cannot be handed out without.
func awaited(p queue.Params) []queue.Key {
	var keys []queue.Key

	mapKeys(p, func(_ string, key queue.Key) queue.Key {
		if isTemp(key) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}

		return key
	})

	return keys
}
