package hubtest

// Each of these is one entry of a batch. `more` pairs names of further
// parameters with their values; a value of Absent leaves a parameter out.

// Absent is no value at all, which is not null.
type Absent struct{}

// Creation is an ensure_issue of a plain task.
func Creation(tempKey string, more ...any) Vars {
	return entry("ensureIssue", Vars{
		"tempKey": tempKey, "project": "AURORA", "issueType": "Task", "summary": "Task " + tempKey,
	}, more)
}

// Fields is an ensure_fields.
func Fields(key string, fields Vars) Vars {
	return Vars{"ensureFields": Vars{"key": key, "fields": fields}}
}

// Status is an ensure_status.
func Status(key string, path ...string) Vars {
	if path == nil {
		path = []string{}
	}
	return Vars{"ensureStatus": Vars{"key": key, "path": path}}
}

// LinkTo is an ensure_link of the type Blocks.
func LinkTo(source, target string, more ...any) Vars {
	return entry("ensureLink", Vars{"source": source, "target": target, "type": "Blocks"}, more)
}

// Sprint is an ensure_sprint; sprint is a text, nil or Absent.
func Sprint(key string, sprint any) Vars {
	return entry("ensureSprint", Vars{"key": key}, []any{"sprint", sprint})
}

// Comment is an ensure_comment.
func Comment(key, body string) Vars {
	return Vars{"ensureComment": Vars{"key": key, "body": body}}
}

// Refresh is a refresh of the named issues.
func Refresh(keys ...string) Vars {
	return Vars{"refresh": Vars{"keys": append([]string{}, keys...)}}
}

// Query is a refresh of what a JQL query finds.
func Query(jql string) Vars {
	return Vars{"refresh": Vars{"jql": jql}}
}

// Snapshot is an issue as the agent read it: a plain open task without links,
// sprint or further fields, unless more says otherwise.
func Snapshot(key string, more ...any) Vars {
	return with(Vars{
		"key": key, "project": "AURORA", "issueType": "Task", "summary": "Task", "status": "Open",
	}, more)
}

// Outward is a link of the type Blocks from the snapshot's issue to key.
func Outward(key string, more ...any) Vars { return blocks("OUTWARD", key, more) }

// Inward is a link of the type Blocks from key to the snapshot's issue.
func Inward(key string, more ...any) Vars { return blocks("INWARD", key, more) }

func blocks(direction, key string, more []any) Vars {
	return with(Vars{
		"type": "Blocks", "direction": direction, "key": key,
		"outwardName": "blocks", "inwardName": "is blocked by",
	}, more)
}

func entry(kind string, params Vars, more []any) Vars { return Vars{kind: with(params, more)} }

func with(object Vars, more []any) Vars {
	for i := 0; i < len(more); i += 2 {
		name, _ := more[i].(string)
		if _, absent := more[i+1].(Absent); absent {
			delete(object, name)
			continue
		}
		object[name] = more[i+1]
	}
	return object
}
