package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"
)

// jiraTime is how Jira writes a time.
const jiraTime = "2006-01-02T15:04:05.000-0700"

func each[T any](list []T, show func(T) any) []any {
	shown := make([]any, 0, len(list))
	for _, one := range list {
		shown = append(shown, show(one))
	}

	return shown
}

// self is the address of a thing in the API.
func (c *call) self(path ...string) string { return c.base + c.api + "/" + strings.Join(path, "/") }

func (c *call) time(t time.Time) any {
	if t.IsZero() {
		return nil
	}

	return t.In(c.store.zone).Format(jiraTime)
}

func (c *call) named(what string, n *named) any {
	if n == nil {
		return nil
	}

	return object{"self": c.self(what, n.id), "id": n.id, "name": n.name}
}

func (c *call) version(n *named) any {
	return object{"self": c.self("version", n.id), "id": n.id, "name": n.name, "archived": false, "released": false}
}

func (c *call) user(u *user) any {
	if u == nil {
		return nil
	}

	shown := object{
		"displayName": u.display, "active": true, "timeZone": c.store.zone.String(),
		"avatarUrls": object{"48x48": c.base + "/secure/useravatar?avatarId=10122"},
	}

	if c.store.cloud() {
		shown["self"] = c.self("user") + "?accountId=" + u.account
		shown["accountId"], shown["accountType"] = u.account, "atlassian"
	} else {
		shown["self"] = c.self("user") + "?username=" + u.name
		shown["name"], shown["key"], shown["emailAddress"] = u.name, "JIRAUSER1"+u.account[len(u.account)-4:], u.email
	}

	return shown
}

func (c *call) projectRef(p *project) object {
	return object{
		"self": c.self("project", p.id), "id": p.id, "key": p.key, "name": p.name, "projectTypeKey": "software",
		"avatarUrls": object{"48x48": c.base + "/secure/projectavatar?pid=" + p.id},
	}
}

func (c *call) issueType(t *issueType) any {
	shown := object{
		"self": c.self("issuetype", t.id), "id": t.id, "name": t.name, "subtask": t.subtask(), "description": "",
		"iconUrl": c.base + "/secure/viewavatar?avatarType=issuetype",
	}
	if c.store.cloud() {
		shown["hierarchyLevel"] = t.level
	}

	return shown
}

func (c *call) status(st *status) any {
	ids := map[string]int{"new": 2, "indeterminate": 4, "done": 3}
	names := map[string]string{"new": "К выполнению", "indeterminate": "В работе", "done": "Выполнено"}
	colours := map[string]string{"new": "blue-gray", "indeterminate": "yellow", "done": "green"}

	return object{
		"self": c.self("status", st.id), "id": st.id, "name": st.name, "description": "", "iconUrl": c.base + "/images/icons/status.png",
		"statusCategory": object{
			"self": c.self("statuscategory", strconv.Itoa(ids[st.category])), "id": ids[st.category], "key": st.category,
			"colorName": colours[st.category], "name": names[st.category],
		},
	}
}

// issueRef is an issue inside another one: a parent, a sub-task, the other end of a link.
func (c *call) issueRef(i *issue) object {
	return object{
		"id": strconv.Itoa(i.id), "key": i.key, "self": c.self("issue", strconv.Itoa(i.id)),
		"fields": object{
			"summary": i.summary, "status": c.status(i.status), "issuetype": c.issueType(i.kind), "priority": c.named("priority", i.priority),
		},
	}
}

// issue shows those fields of an issue that are wanted.
func (c *call) issue(i *issue, wanted wanted) object {
	fields := object{}

	for _, f := range c.store.fields {
		if !wanted.field(f.id) {
			continue
		}

		// Of all fields Jira leaves this one out where there is none.
		if shown := f.show(c, i, f); shown != nil || f.id != "parent" {
			fields[f.id] = shown
		}
	}

	shown := object{
		"expand": "renderedFields,names,schema,operations,editmeta,changelog", "id": strconv.Itoa(i.id), "key": i.key,
		"self": c.self("issue", strconv.Itoa(i.id)), "fields": fields,
	}

	if len(wanted.properties) > 0 {
		properties := map[string]json.RawMessage{}

		for key, value := range i.properties {
			if wanted.property(key) {
				properties[key] = value
			}
		}

		shown["properties"] = properties
	}

	if wanted.names {
		shown["names"] = c.names(maps.Keys(fields))
	}

	return shown
}

func (c *call) comment(i *issue, m *comment) any {
	shown := object{
		"self": c.self("issue", strconv.Itoa(i.id), "comment", strconv.Itoa(m.id)), "id": strconv.Itoa(m.id),
		"author": c.user(m.author), "updateAuthor": c.user(m.author), "body": m.body,
		"created": c.time(m.created), "updated": c.time(m.created),
	}
	if c.store.cloud() {
		shown["jsdPublic"] = true
	}

	if len(m.properties) > 0 && strings.Contains(c.query("expand"), "properties") {
		shown["properties"] = m.properties
	}

	return shown
}

func (c *call) linkType(t *linkType) object {
	return object{"id": t.id, "name": t.name, "inward": t.inward, "outward": t.outward, "self": c.self("issueLinkType", t.id)}
}

// sprintText is a sprint as Data Center prints one: Java's own words for an object.
func sprintText(sp *sprint) string {
	date := func(there bool, date string) string {
		if there {
			return date
		}

		return "<null>"
	}

	goal := date(sp.goal != "", sp.goal)

	return fmt.Sprintf("com.atlassian.greenhopper.service.sprint.Sprint@%x[id=%d,rapidViewId=%d,state=%s,name=%s,startDate=%s,endDate=%s,"+
		"completeDate=%s,activatedDate=%s,sequence=%d,goal=%s,autoStartStop=false,synced=false]",
		0x1f00+sp.id, sp.id, sp.board.id, strings.ToUpper(sp.state), sp.name,
		date(sp.state != sprintFuture, "2026-11-16T09:00:00.000+03:00"), date(sp.state != sprintFuture, "2026-11-30T18:00:00.000+03:00"),
		date(sp.state == sprintClosed, "2026-11-30T18:05:11.000+03:00"), date(sp.state != sprintFuture, "2026-11-16T09:00:00.000+03:00"),
		sp.id, goal)
}
