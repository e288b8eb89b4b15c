package sim

// field is one of Jira's fields: what it is called, how a value comes in and how it is shown.
type field struct {
	id     string
	name   string
	kind   string // the schema's type
	items  string // of an array
	system string
	custom string // the schema's custom type, in full
	number int    // of a custom field
	// options are the values that may be chosen.
	options []*named
	// clauses are further names in JQL.
	clauses []string
	// set puts what was sent into the draft; nil: it cannot be set. It answers with what Jira says against the value.
	set func(d *draft, f *field, sent any) (problem string)
	// show is the value as the API gives it.
	show func(c *call, i *issue, f *field) any
	// meta is the field's allowedValues on a screen, if it has such.
	meta func(c *call, p *project, f *field) []any
}

func (f *field) list() bool { return f.kind == "array" }

// schema is what GET field says of the value's form.
func (f *field) schema() object {
	o := object{"type": f.kind}
	if f.items != "" {
		o["items"] = f.items
	}

	if f.system != "" {
		o["system"] = f.system
	}

	if f.custom != "" {
		o["custom"], o["customId"] = f.custom, f.number
	}

	return o
}

func (f *field) operations() []string {
	switch {
	case f.id == "comment":
		return []string{"add"}
	case f.list() && f.custom != schemaSprint:
		return []string{"add", "set", "remove"}
	default:
		return []string{"set"}
	}
}

// The types of Jira's own custom fields.
const (
	schemaSprint   = "com.pyxis.greenhopper.jira:gh-sprint"
	schemaEpicLink = "com.pyxis.greenhopper.jira:gh-epic-link"
	schemaEpicName = "com.pyxis.greenhopper.jira:gh-epic-label"

	platform = "com.atlassian.jira.plugin.system.customfieldtypes:"
)
