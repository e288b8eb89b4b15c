package sim

import (
	"net/http"
	"slices"
	"strings"
)

// fieldMeta is a field as a screen offers it.
func (c *call) fieldMeta(p *project, f *field, required bool) object {
	shown := object{
		"required": required, "schema": f.schema(), "name": f.name, "key": f.id, "hasDefaultValue": f.id == "priority" || f.id == "reporter",
		"operations": f.operations(),
	}
	if f.meta != nil {
		shown["allowedValues"] = f.meta(c, p, f)
	}

	return shown
}

// screenMeta is a whole screen, by field id.
func (c *call) screenMeta(p *project, screen []screenField) object {
	fields := object{}

	for _, on := range screen {
		if f, ok := c.store.field(on.id); ok {
			fields[f.id] = c.fieldMeta(p, f, on.required)
		}
	}

	return fields
}

// createFields are a type's create screen with the two fields that say what is made.
func (c *call) createFields(p *project, t *issueType) object {
	fields := c.screenMeta(p, c.store.createScreen(p, t))

	projectField, _ := c.store.field("project")
	typeField, _ := c.store.field("issuetype")

	fields["project"] = c.fieldMeta(p, projectField, true)
	fields["issuetype"] = c.fieldMeta(p, typeField, true)

	return fields
}

func createMetaTypes(c *call) answer {
	p, no, found := c.pathProject()
	if !found {
		return no
	}

	start, limit := c.page(50, 200)
	page := each(cut(p.types, start, limit), c.issueType)
	shown := object{"startAt": start, "maxResults": limit, "total": len(p.types)}

	if c.store.cloud() {
		shown["issueTypes"] = page
	} else {
		shown["values"], shown["isLast"] = page, start+len(page) >= len(p.types)
	}

	return ok(shown)
}

func createMetaFields(c *call) answer {
	p, no, found := c.pathProject()
	if !found {
		return no
	}

	t, found := find(p.types, func(t *issueType) bool { return t.id == c.r.PathValue("type") })
	if !found {
		return refused(http.StatusNotFound, "No issue type could be found with id '"+c.r.PathValue("type")+"'.")
	}

	all := []object{}
	offered := c.createFields(p, t)

	for _, f := range c.store.fields {
		if meta, ok := offered[f.id].(object); ok {
			meta["fieldId"] = f.id
			all = append(all, meta)
		}
	}

	start, limit := c.page(50, 200)
	page := cut(all, start, limit)
	shown := object{"startAt": start, "maxResults": limit, "total": len(all)}

	if c.store.cloud() {
		shown["fields"] = page
	} else {
		// Data Center's own page leaves the key out.
		for _, meta := range page {
			delete(meta, "key")
		}

		shown["values"], shown["isLast"] = page, start+len(page) >= len(all)
	}

	return ok(shown)
}

// oldCreateMeta is the form with everything in one answer.
func oldCreateMeta(c *call) answer {
	keys, types := c.values("projectKeys"), c.values("issuetypeNames")
	withFields := strings.Contains(c.query("expand"), "projects.issuetypes.fields")
	projects := []any{}

	for _, p := range c.store.projects {
		if len(keys) > 0 && !slices.Contains(keys, p.key) {
			continue
		}

		offered := []any{}

		for _, t := range p.types {
			if len(types) > 0 && !slices.Contains(types, t.name) {
				continue
			}

			shown, _ := c.issueType(t).(object)
			if withFields {
				shown["expand"], shown["fields"] = "fields", c.createFields(p, t)
			}

			offered = append(offered, shown)
		}

		shown := c.projectRef(p)
		shown["issuetypes"] = offered
		projects = append(projects, shown)
	}

	return ok(object{"expand": "projects", "projects": projects})
}

func editMeta(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	return ok(object{"fields": c.screenMeta(i.project, c.store.editScreen(i))})
}
