package sim

// systemFields are those that every Jira has; their names are an English Jira's; what people made themselves is Russian.
func systemFields() []*field {
	return []*field{
		{id: "summary", name: "Summary", kind: "string", set: setSummary, show: func(_ *call, i *issue, _ *field) any { return i.summary }},
		{id: "description", name: "Description", kind: "string", set: setText, show: showValue},
		{id: "project", name: "Project", kind: "project", show: func(c *call, i *issue, _ *field) any { return c.projectRef(i.project) }},
		{
			id: "issuetype", name: "Issue Type", kind: "issuetype", clauses: []string{"type"}, set: setIssueType,
			show: func(c *call, i *issue, _ *field) any { return c.issueType(i.kind) },
			meta: func(c *call, p *project, _ *field) []any { return each(p.types, c.issueType) },
		},
		{id: "status", name: "Status", kind: "status", show: func(c *call, i *issue, _ *field) any { return c.status(i.status) }},
		{
			id: "priority", name: "Priority", kind: "priority", set: setPriority,
			show: func(c *call, i *issue, _ *field) any { return c.named("priority", i.priority) },
			meta: func(c *call, _ *project, _ *field) []any {
				return each(c.store.priorities, func(p *named) any { return c.named("priority", p) })
			},
		},
		{
			id: "resolution", name: "Resolution", kind: "resolution", set: setResolution,
			show: func(c *call, i *issue, _ *field) any { return c.named("resolution", i.resolution) },
			meta: func(c *call, _ *project, _ *field) []any {
				return each(c.store.resolutions, func(r *named) any { return c.named("resolution", r) })
			},
		},
		{id: "resolutiondate", name: "Resolved", kind: "datetime", show: func(c *call, i *issue, _ *field) any { return c.time(i.resolved) }},
		{id: "labels", name: "Labels", kind: "array", items: "string", set: setLabels, show: showLabels},
		{id: "assignee", name: "Assignee", kind: "user", set: setAssignee, show: func(c *call, i *issue, _ *field) any { return c.user(i.assignee) }},
		{id: "reporter", name: "Reporter", kind: "user", set: setReporter, show: func(c *call, i *issue, _ *field) any { return c.user(i.reporter) }},
		{id: "creator", name: "Creator", kind: "user", show: func(c *call, i *issue, _ *field) any { return c.user(i.creator) }},
		{id: "created", name: "Created", kind: "datetime", clauses: []string{"createdDate"}, show: func(c *call, i *issue, _ *field) any { return c.time(i.created) }},
		{id: "updated", name: "Updated", kind: "datetime", clauses: []string{"updatedDate"}, show: func(c *call, i *issue, _ *field) any { return c.time(i.updated) }},
		{id: "duedate", name: "Due Date", kind: "date", clauses: []string{"due"}, set: setDate, show: showValue},
		{
			id: "components", name: "Component/s", kind: "array", items: "component", clauses: []string{"component"}, set: setComponents,
			show: func(c *call, i *issue, _ *field) any {
				return each(i.components, func(n *named) any { return c.named("component", n) })
			},
			meta: func(c *call, p *project, _ *field) []any {
				return each(p.components, func(n *named) any { return c.named("component", n) })
			},
		},
		{
			id: "fixVersions", name: "Fix Version/s", kind: "array", items: "version", clauses: []string{"fixVersion"}, set: setVersions,
			show: func(c *call, i *issue, _ *field) any { return each(i.versions, c.version) },
			meta: func(c *call, p *project, _ *field) []any { return each(p.versions, c.version) },
		},
		{id: "parent", name: "Parent", kind: "issuelink", set: setParent, show: showParent},
		{id: "subtasks", name: "Sub-Tasks", kind: "array", items: "issuelinks", show: showSubtasks},
		{id: "issuelinks", name: "Linked Issues", kind: "array", items: "issuelinks", show: showLinks},
		{id: "comment", name: "Comment", kind: "comments-page", set: addComment, show: showComments},
	}
}

// customFields are numbered as Data Center numbers them in one place and Cloud in another.
func customFields(cloud bool) []*field {
	number := func(dataCenter, onCloud int) int {
		if cloud {
			return onCloud
		}

		return dataCenter
	}

	list := []*field{
		{number: number(10100, 10020), name: "Sprint", kind: "array", items: map[bool]string{true: "json", false: "string"}[cloud], custom: schemaSprint, set: setSprint, show: showSprints},
		{number: number(10101, 10014), name: "Epic Link", kind: "any", custom: schemaEpicLink, set: setEpic, show: showEpic},
		{number: number(10102, 10011), name: "Epic Name", kind: "string", custom: schemaEpicName, set: setLine, show: showValue},
		{number: number(10103, 10016), name: "Story Points", kind: "number", custom: platform + "float", set: setNumber, show: showValue},
		{number: number(10104, 10031), name: "Команда", kind: "option", custom: platform + "select", options: options(10200, "Платформа", "Мобильная", "Аналитика"), set: setOption, show: showOption, meta: optionValues},
		{number: number(10105, 10032), name: "Критерии приёмки", kind: "string", custom: platform + "textarea", set: setText, show: showValue},
		{number: number(10106, 10033), name: "Площадки", kind: "array", items: "option", custom: platform + "multicheckboxes", options: options(10210, "Веб", "Android", "iOS"), set: setOptions, show: showOptions, meta: optionValues},
		{number: number(10107, 10034), name: "Проверяющий", kind: "user", custom: platform + "userpicker", set: setUser, show: showUser},
		{number: number(10108, 10035), name: "Макет", kind: "string", custom: platform + "url", set: setLine, show: showValue},
		{number: number(10109, 10036), name: "Замечания", kind: "string", custom: platform + "textarea", set: setText, show: showValue},
		// Two of one name, as happens: only their ids tell them apart.
		{number: number(10110, 10037), name: "Оценка", kind: "number", custom: platform + "float", set: setNumber, show: showValue},
		{number: number(10111, 10038), name: "Оценка", kind: "string", custom: platform + "textfield", set: setLine, show: showValue},
	}

	for _, f := range list {
		f.id = customID(f.number)
	}

	return list
}
