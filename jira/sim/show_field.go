package sim

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// wanted is what a call asks to be told of an issue.
type wanted struct {
	ids        []string // as sent: ids, *all, *navigable, -id; empty: the standard of the call
	standard   string
	properties []string
	names      bool
}

func (w wanted) field(id string) bool {
	if slices.Contains(w.ids, "-"+id) {
		return false
	}

	if slices.Contains(w.ids, id) {
		return true
	}

	all, navigable := slices.Contains(w.ids, "*all"), slices.Contains(w.ids, "*navigable")

	// Nothing but exclusions means the standard without them.
	if !slices.ContainsFunc(w.ids, func(id string) bool { return !strings.HasPrefix(id, "-") }) {
		all, navigable = w.standard == "*all", w.standard == "*navigable"
	}

	return all || navigable && id != "comment"
}

func (w wanted) property(key string) bool {
	return slices.Contains(w.properties, key) || slices.Contains(w.properties, "*all")
}

// names tells the fields' names by id, where a call asks for them.
func (c *call) names(ids iter.Seq[string]) map[string]string {
	names := map[string]string{}

	for id := range ids {
		if f, ok := c.store.field(id); ok {
			names[id] = f.name
		}
	}

	return names
}

// showValue gives a text, a date or a number.
func showValue(_ *call, i *issue, f *field) any {
	value := i.values[f.id]

	number, ok := value.(float64)
	if !ok {
		return value
	}

	// Java writes a whole number with its point.
	written := strconv.FormatFloat(number, 'f', -1, 64)
	if !strings.Contains(written, ".") {
		written += ".0"
	}

	return json.Number(written)
}

func showOption(c *call, i *issue, f *field) any {
	option, ok := i.values[f.id].(*named)
	if !ok {
		return nil
	}

	return c.option(option)
}

func showOptions(c *call, i *issue, f *field) any {
	chosen, ok := i.values[f.id].([]*named)
	if !ok {
		return nil
	}

	return each(chosen, c.option)
}

func (c *call) option(n *named) any {
	return object{"self": c.self("customFieldOption", n.id), "id": n.id, "value": n.name}
}

func optionValues(c *call, _ *project, f *field) []any { return each(f.options, c.option) }

func showUser(c *call, i *issue, f *field) any {
	u, _ := i.values[f.id].(*user)

	return c.user(u)
}

func showLabels(_ *call, i *issue, _ *field) any {
	return each(i.labels, func(label string) any { return label })
}

func showParent(c *call, i *issue, _ *field) any {
	above := i.parent
	if c.store.cloud() {
		above = i.above()
	}

	if above == nil {
		return nil
	}

	return c.issueRef(above)
}

func showSubtasks(c *call, i *issue, _ *field) any {
	children := []any{}

	if i.kind.level == 0 {
		for _, child := range c.store.issues {
			if child.parent == i {
				children = append(children, c.issueRef(child))
			}
		}
	}

	return children
}

func showEpic(_ *call, i *issue, _ *field) any {
	if i.epic == nil {
		return nil
	}

	return i.epic.key
}

func showSprints(c *call, i *issue, _ *field) any {
	all := i.allSprints()
	if len(all) == 0 {
		return nil
	}

	return each(all, func(sp *sprint) any {
		if !c.store.cloud() {
			return sprintText(sp)
		}

		shown := object{"id": sp.id, "name": sp.name, "state": sp.state, "boardId": sp.board.id, "goal": sp.goal}
		if sp.state != sprintFuture {
			shown["startDate"], shown["endDate"] = "2026-11-16T06:00:00.000Z", "2026-11-30T15:00:00.000Z"
		}

		if sp.state == sprintClosed {
			shown["completeDate"] = "2026-11-30T15:05:11.000Z"
		}

		return shown
	})
}

func showLinks(c *call, i *issue, _ *field) any {
	return each(i.links, func(l *link) any {
		shown := object{"id": strconv.Itoa(l.id), "self": c.self("issueLink", strconv.Itoa(l.id)), "type": c.linkType(l.kind)}
		if l.source == i {
			shown["outwardIssue"] = c.issueRef(l.target)
		} else {
			shown["inwardIssue"] = c.issueRef(l.source)
		}

		return shown
	})
}

func showComments(c *call, i *issue, _ *field) any {
	return object{
		"comments":   each(i.comments, func(m *comment) any { return c.comment(i, m) }),
		"maxResults": len(i.comments), "total": len(i.comments), "startAt": 0,
	}
}
