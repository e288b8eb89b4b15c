package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// term is a field as JQL asks for it.
type term struct {
	name string
	// words are what an issue's value may be called, all lower case; none where it is empty.
	words func(i *issue) []string
	// known tells whether a value exists at all; nil: any may be asked for.
	known func(value string) bool
	// text is what ~ looks in; nil: ~ is not for this field.
	text func(i *issue) string
	// moment is what dates are compared with.
	moment func(i *issue) time.Time
	// number is what numbers are compared with.
	number func(i *issue) (float64, bool)
	people bool
	key    bool
}

func namedWords(n *named) []string {
	if n == nil {
		return nil
	}

	return []string{strings.ToLower(n.name), n.id}
}

func eachWords[T any](list []T, words func(T) []string) []string {
	var all []string
	for _, one := range list {
		all = append(all, words(one)...)
	}

	return all
}

func among[T any](list []T, words func(T) []string) func(string) bool {
	return func(value string) bool {
		_, ok := find(list, func(one T) bool {
			_, ok := find(words(one), func(word string) bool { return word == value })

			return ok
		})

		return ok
	}
}

func issueWords(i *issue) []string {
	if i == nil {
		return nil
	}

	return []string{strings.ToLower(i.key), strconv.Itoa(i.id)}
}

func (s *store) userWords(u *user) []string {
	if u == nil {
		return nil
	}

	words := []string{strings.ToLower(s.userID(u)), strings.ToLower(u.display)}
	if !s.cloud() {
		words = append(words, strings.ToLower(u.email))
	}

	return words
}

// term finds a field by a name that JQL knows it by.
func (s *store) term(name string) (*term, error) {
	lower := strings.ToLower(name)

	for _, one := range []func(string) *term{s.ownTerm, s.wordTerm, s.valueTerm} {
		if t := one(lower); t != nil {
			t.name = name

			return t, nil
		}
	}

	return nil, &jqlError{message: fmt.Sprintf("Field '%s' does not exist or you do not have permission to view it.", name)}
}

// ownTerm are the fields that are compared in a way of their own.
func (s *store) ownTerm(name string) *term {
	userTerm := func(of func(*issue) *user) *term {
		return &term{
			words: func(i *issue) []string { return s.userWords(of(i)) }, known: among(s.users, s.userWords), people: true,
		}
	}

	switch name {
	case "key", "issuekey", "issue", "id":
		return &term{words: issueWords, key: true}
	case "creator":
		return userTerm(func(i *issue) *user { return i.creator })
	case "reporter":
		return userTerm(func(i *issue) *user { return i.reporter })
	case "assignee":
		return userTerm(func(i *issue) *user { return i.assignee })
	case "created", "createddate":
		return &term{moment: func(i *issue) time.Time { return i.created }}
	case "updated", "updateddate":
		return &term{moment: func(i *issue) time.Time { return i.updated }}
	case "resolved", "resolutiondate":
		return &term{moment: func(i *issue) time.Time { return i.resolved }}
	case "due", "duedate":
		return &term{moment: s.dueDate}
	case "summary":
		return &term{text: func(i *issue) string { return i.summary }}
	case "description":
		return &term{text: func(i *issue) string { return plainText(i.values["description"]) }}
	case "comment":
		return &term{text: commentText}
	case "text":
		return &term{text: func(i *issue) string {
			return i.summary + "\n" + plainText(i.values["description"]) + "\n" + commentText(i)
		}}
	}

	return nil
}

func commentText(i *issue) string {
	var b strings.Builder
	for _, m := range i.comments {
		b.WriteString(plainText(m.body) + "\n")
	}

	return b.String()
}

func (s *store) dueDate(i *issue) time.Time {
	due, _ := i.values["duedate"].(string)
	day, _ := time.ParseInLocation(time.DateOnly, due, s.zone) // empty: never

	return day
}

// wordTerm are the fields whose values have names.
func (s *store) wordTerm(name string) *term {
	projectWords := func(p *project) []string { return []string{strings.ToLower(p.key), strings.ToLower(p.name), p.id} }
	typeWords := func(t *issueType) []string { return []string{strings.ToLower(t.name), t.id} }
	statusWords := func(st *status) []string { return []string{strings.ToLower(st.name), st.id} }
	sprintWords := func(sp *sprint) []string { return []string{strings.ToLower(sp.name), strconv.Itoa(sp.id)} }

	switch name {
	case "project":
		return &term{words: func(i *issue) []string { return projectWords(i.project) }, known: among(s.projects, projectWords)}
	case "issuetype", "type":
		return &term{words: func(i *issue) []string { return typeWords(i.kind) }, known: func(value string) bool {
			_, ok := find(s.projects, func(p *project) bool { return among(p.types, typeWords)(value) })

			return ok
		}}
	case "status":
		return &term{words: func(i *issue) []string { return statusWords(i.status) }, known: among(s.statuses, statusWords)}
	case "statuscategory":
		return &term{words: func(i *issue) []string { return []string{i.status.category} }}
	case "priority":
		return &term{words: func(i *issue) []string { return namedWords(i.priority) }, known: among(s.priorities, namedWords)}
	case "resolution":
		return &term{words: func(i *issue) []string { return namedWords(i.resolution) }, known: among(s.resolutions, namedWords)}
	case "labels":
		return &term{words: func(i *issue) []string {
			return eachWords(i.labels, func(label string) []string { return []string{strings.ToLower(label)} })
		}}
	case "component":
		return &term{words: func(i *issue) []string { return eachWords(i.components, namedWords) }}
	case "fixversion":
		return &term{words: func(i *issue) []string { return eachWords(i.versions, namedWords) }}
	case "sprint":
		return &term{words: func(i *issue) []string { return eachWords(i.allSprints(), sprintWords) }, known: among(s.sprints, sprintWords)}
	case "parent":
		return &term{words: func(i *issue) []string {
			if s.cloud() {
				return issueWords(i.above())
			}

			return issueWords(i.parent)
		}}
	case "epic link":
		return &term{words: func(i *issue) []string { return issueWords(i.epic) }}
	}

	return nil
}

// valueTerm are the custom fields, by cf[number] or by a name that only one bears.
func (s *store) valueTerm(name string) *term {
	var found []*field

	for _, f := range s.fields {
		if f.custom != "" && (strings.ToLower(f.name) == name || name == fmt.Sprintf("cf[%d]", f.number)) {
			found = append(found, f)
		}
	}

	if len(found) != 1 {
		return nil
	}

	f := found[0]
	value := func(i *issue) any { return i.values[f.id] }
	t := &term{
		text:   func(i *issue) string { return plainText(value(i)) },
		number: func(i *issue) (float64, bool) { n, ok := value(i).(float64); return n, ok },
		words: func(i *issue) []string {
			switch v := value(i).(type) {
			case *named:
				return namedWords(v)
			case []*named:
				return eachWords(v, namedWords)
			case *user:
				return s.userWords(v)
			case string:
				return []string{strings.ToLower(v)}
			case float64:
				return []string{strconv.FormatFloat(v, 'f', -1, 64)}
			default:
				return nil
			}
		},
	}

	return t
}
