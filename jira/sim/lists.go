package sim

func listFields(c *call) answer {
	shown := []any{object{
		"id": "issuekey", "key": "issuekey", "name": "Key", "custom": false, "orderable": false, "navigable": true, "searchable": false,
		"clauseNames": []string{"id", "issue", "issuekey", "key"},
	}}

	return ok(append(shown, each(c.store.fields, func(f *field) any {
		clauses := append([]string{f.id}, f.clauses...)
		if f.custom != "" {
			clauses = []string{"cf[" + f.id[len("customfield_"):] + "]", f.name}
		}

		field := object{
			"id": f.id, "name": f.name, "custom": f.custom != "", "orderable": f.set != nil, "navigable": f.id != "comment",
			"searchable": true, "clauseNames": clauses, "schema": f.schema(),
		}
		if c.store.cloud() {
			field["key"] = f.id
		}

		return field
	})...))
}

func listStatuses(c *call) answer { return ok(each(c.store.statuses, c.status)) }

func listPriorities(c *call) answer {
	return ok(each(c.store.priorities, func(p *named) any { return c.named("priority", p) }))
}

func listResolutions(c *call) answer {
	return ok(each(c.store.resolutions, func(r *named) any { return c.named("resolution", r) }))
}

func listLinkTypes(c *call) answer {
	return ok(object{"issueLinkTypes": each(c.store.linkTypes, func(t *linkType) any { return c.linkType(t) })})
}

func listProjects(c *call) answer {
	return ok(each(c.store.projects, func(p *project) any { return c.projectRef(p) }))
}

// searchProjects is Cloud's list, in pages.
func searchProjects(c *call) answer {
	start, limit := c.page(50, 100)
	page := cut(c.store.projects, start, limit)

	return ok(object{
		"self": c.self("project", "search"), "startAt": start, "maxResults": limit, "total": len(c.store.projects),
		"isLast": start+len(page) >= len(c.store.projects), "values": each(page, func(p *project) any { return c.projectRef(p) }),
	})
}

func getProject(c *call) answer {
	p, no, found := c.pathProject()
	if !found {
		return no
	}

	shown := c.projectRef(p)
	shown["description"], shown["lead"], shown["issueTypes"] = "", c.user(p.lead), each(p.types, c.issueType)
	shown["components"] = each(p.components, func(n *named) any { return c.named("component", n) })
	shown["versions"] = each(p.versions, c.version)

	return ok(shown)
}

func projectStatuses(c *call) answer {
	p, no, found := c.pathProject()
	if !found {
		return no
	}

	return ok(each(p.types, func(t *issueType) any {
		return object{
			"self": c.self("issuetype", t.id), "id": t.id, "name": t.name, "subtask": t.subtask(),
			"statuses": each(t.workflow.statuses(), c.status),
		}
	}))
}

func projectComponents(c *call) answer {
	p, no, found := c.pathProject()
	if !found {
		return no
	}

	return ok(each(p.components, func(n *named) any { return c.named("component", n) }))
}

func projectVersions(c *call) answer {
	p, no, found := c.pathProject()
	if !found {
		return no
	}

	return ok(each(p.versions, c.version))
}
