package sim

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// draft is an issue as a call would make it. Only a draft without problems replaces the issue.
type draft struct {
	store    *store
	issue    *issue
	problems map[string]string // by field id
}

func (s *store) draft(i *issue) *draft {
	return &draft{store: s, issue: i.clone(), problems: map[string]string{}}
}

// set puts one sent value in.
func (d *draft) set(f *field, sent any) {
	if problem := f.set(d, f, sent); problem != "" {
		d.problems[f.id] = problem
	}
}

// keep writes a custom value down; nil takes it away.
func (d *draft) keep(f *field, value any) {
	if value == nil {
		delete(d.issue.values, f.id)

		return
	}

	d.issue.values[f.id] = value
}

func setText(d *draft, f *field, sent any) string {
	kept, problem := d.store.text(sent)
	if problem == "" {
		d.keep(f, kept)
	}

	return problem
}

func setLine(d *draft, f *field, sent any) string {
	text, ok := sent.(string)
	switch {
	case sent == nil || ok && text == "":
		d.keep(f, nil)
	case !ok:
		return "Operation value must be a string"
	case length(text) > 255:
		return "The entered text is too long. It exceeds the allowed limit of 255 characters."
	case strings.HasSuffix(f.custom, ":url") && !validURL(text):
		return fmt.Sprintf("%q is not a valid URL.", text)
	default:
		d.keep(f, text)
	}

	return ""
}

func validURL(text string) bool {
	u, err := url.Parse(text)

	return err == nil && u.Scheme != "" && u.Host != ""
}

func setNumber(d *draft, f *field, sent any) string {
	if sent == nil {
		d.keep(f, nil)

		return ""
	}

	number, ok := sent.(json.Number)
	if !ok {
		return "Operation value must be a number"
	}

	value, err := number.Float64()
	if err != nil {
		return "Operation value must be a number"
	}

	d.keep(f, value)

	return ""
}

func setDate(d *draft, f *field, sent any) string {
	text, ok := sent.(string)
	if sent == nil || ok && text == "" {
		d.keep(f, nil)

		return ""
	}

	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "Error parsing date string: " + fmt.Sprint(sent)
	}

	d.keep(f, text)

	return ""
}

func setOption(d *draft, f *field, sent any) string {
	if sent == nil {
		d.keep(f, nil)

		return ""
	}

	option, problem := f.option(sent)
	if problem == "" {
		d.keep(f, option)
	}

	return problem
}

func setOptions(d *draft, f *field, sent any) string {
	chosen, problem := choose(sent, f.option)
	if problem != "" {
		return problem
	}

	if len(chosen) == 0 {
		d.keep(f, nil)
	} else {
		d.keep(f, chosen)
	}

	return ""
}

func (f *field) option(sent any) (*named, string) {
	given, ok := sent.(object)
	if !ok {
		return nil, "Specify a valid 'id' or 'name' for " + f.name
	}

	if option := pick(f.options, given, "value"); option != nil {
		return option, ""
	}

	if value, ok := given["value"].(string); ok {
		return nil, fmt.Sprintf("Option value '%s' is not valid", value)
	}

	return nil, fmt.Sprintf("Option id '%v' is not valid", given["id"])
}

// choose reads a list of things to choose, each once.
func choose(sent any, one func(any) (*named, string)) ([]*named, string) {
	items, ok := sent.([]any)
	if !ok && sent != nil {
		return nil, "data was not an array"
	}

	var chosen []*named

	for _, item := range items {
		n, problem := one(item)
		if problem != "" {
			return nil, problem
		}

		if !slices.Contains(chosen, n) {
			chosen = append(chosen, n)
		}
	}

	return chosen, ""
}

// pick finds what is named by its id or, under the given member, by its name.
func pick(among []*named, given object, member string) *named {
	id, name := text(given["id"]), text(given[member])

	n, _ := find(among, func(n *named) bool { return id != "" && n.id == id || id == "" && name != "" && n.name == name })

	return n
}

// text is a JSON value that may be written as a text or as a number.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	default:
		return ""
	}
}

func setUser(d *draft, f *field, sent any) string {
	u, problem := d.store.userSent(sent)
	if problem != "" {
		return problem
	}

	if u == nil {
		d.keep(f, nil)
	} else {
		d.keep(f, u)
	}

	return ""
}

func customID(number int) string { return "customfield_" + strconv.Itoa(number) }

func options(first int, names ...string) []*named {
	list := make([]*named, len(names))
	for at, name := range names {
		list[at] = &named{id: strconv.Itoa(first + at), name: name}
	}

	return list
}
