package trial

// wish is a subscription that some of the crowd have, and which events of the log it has to give them.
type wish struct {
	name, operation string
	wants           func(*eventAnswer) bool
}

// The same fields in the subscriptions and in the log, so that an event is the same text in both.
const (
	changeFields = `
fragment change on CommandChange {
  cursor at from to cause actor command { id kind status deliveries resultKey error params { ...params } batch { id title author } }
}` + paramsFields
	siteEventFields = `
fragment event on SiteEvent {
  __typename
  ... on CommandChange { ...change }
  ... on NoteChange { cursor at key movedFrom }
  ... on IssueChange { cursor at issue { key } }
  ... on PaceChange { cursor at by: actor }
}` + changeFields

	readHistory = `query ($after: Cursor) { answer: log(after: $after, first: 1000) {
  nodes { ...event } pageInfo { hasNextPage endCursor } } }` + siteEventFields
)

func wishes() []*wish {
	const start = `subscription ($after: Cursor) { answer: `

	is := func(typename string) func(*eventAnswer) bool {
		return func(e *eventAnswer) bool { return e.Typename == typename }
	}

	return []*wish{
		{"every event", start + `logAppended(after: $after) { ...event } }` + siteEventFields, func(*eventAnswer) bool { return true }},
		{"commands", start + `commandChanged(after: $after) { __typename ...change } }` + changeFields, is("CommandChange")},
		{
			"commands that were done", start + `commandChanged(after: $after, statuses: [DONE]) { __typename ...change } }` + changeFields,
			func(e *eventAnswer) bool { return e.To == "DONE" },
		},
		{"notes", start + `noteChanged(after: $after) { __typename cursor at key movedFrom } }`, is("NoteChange")},
		{"issues", start + `issueChanged(after: $after) { __typename cursor at issue { key } } }`, is("IssueChange")},
	}
}
