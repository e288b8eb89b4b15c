package queue

// Differing gives those of the wanted fields that do not have the wanted value, or were never read. The agent sends what
// this gives, and the hub confirms where it gives nothing, so that the two never disagree.
func Differing(issue *Issue, wanted Fields, jira *Jira) Fields {
	return differing(issue, wanted, jira, sameKey)
}

// differing knows of issues that moved: present gives the key that each has now.
func differing(issue *Issue, wanted Fields, jira *Jira, present func(Key) Key) Fields {
	compare := newComparison(present)
	found := Fields{}

	for name, value := range wanted {
		current, known := fieldOf(issue, name, jira)
		if !known || !compare.field(name, value, current) {
			found[name] = value
		}
	}

	return found
}

// fieldOf gives what the mirror has of a field, by its id or its exact name; false where it was never read, or where
// the name is unknown or belongs to several.
func fieldOf(issue *Issue, name string, jira *Jira) (any, bool) {
	if value, known := ownField(issue, name); known {
		return value, true
	}

	if jira == nil {
		return nil, false
	}

	var ids []string

	for _, field := range jira.Fields {
		if field.ID == name {
			return nil, false
		}

		if field.Name == name {
			ids = append(ids, field.ID)
		}
	}

	if len(ids) != 1 {
		return nil, false
	}

	return ownField(issue, ids[0])
}

// ownField finds a field by its id: in the mirror's own columns or among the others that were read.
func ownField(issue *Issue, id string) (any, bool) {
	switch id {
	case "summary":
		return issue.Summary, true
	case "description":
		return textOf(issue.Description), true
	case "status":
		return issue.Status, true
	case "sprint":
		return textOf(issue.Sprint), true
	case "parent":
		if issue.Parent == nil {
			return nil, true
		}

		return string(*issue.Parent), true
	}

	value, known := issue.Fields[id]

	return value, known
}

// keysToCompare lists the keys in the wanted fields and, where there are any, in what the mirror has of those fields:
// they may be old ones of the same issues.
func keysToCompare(issue *Issue, wanted Fields, jira *Jira) []Key {
	keys := wanted.keys()
	if len(keys) == 0 {
		return nil
	}

	current := Fields{}

	for name := range wanted {
		if value, known := fieldOf(issue, name, jira); known {
			current[name] = value
		}
	}

	return append(keys, current.keys()...)
}
