package queue

// Params are what a command was asked to ensure: one of the seven structs below. They never change once stored.
type Params interface {
	Kind() Kind
	// mapKeys gives a copy in which each key has gone through f, in the schema's order of fields. Of an
	// EnsureIssue's own temporary key f never hears; of the values inside Fields it hears those that are
	// temporary keys, under the name "fields".
	mapKeys(f keyMap) Params
}

type keyMap func(field string, key Key) Key

// EnsureIssue asks that the issue exists.
type EnsureIssue struct {
	TempKey     Key     `json:"tempKey"`
	Project     string  `json:"project"`
	IssueType   string  `json:"issueType"`
	Summary     string  `json:"summary"`
	Description *string `json:"description,omitempty"`
	Parent      *Key    `json:"parent,omitempty"`
	Epic        *Key    `json:"epic,omitempty"`
	Fields      Fields  `json:"fields"`
}

// EnsureFields asks that the issue's fields have these values; null clears one.
type EnsureFields struct {
	Key    Key    `json:"key"`
	Fields Fields `json:"fields"`
}

// EnsureStatus asks that the issue's status is the last of Path, reached through the others in order.
type EnsureStatus struct {
	Key  Key      `json:"key"`
	Path []string `json:"path"`
}

// EnsureLink asks for an outward link of Type from Source to Target, and no conflicting one.
type EnsureLink struct {
	Source    Key    `json:"source"`
	Target    Key    `json:"target"`
	Type      string `json:"type"`
	Exclusive bool   `json:"exclusive"`
}

// EnsureSprint asks that the issue is in this sprint; nil or "" means the backlog.
type EnsureSprint struct {
	Key    Key     `json:"key"`
	Sprint *string `json:"sprint"`
}

// EnsureComment asks that the issue has this comment, once.
type EnsureComment struct {
	Key  Key    `json:"key"`
	Body string `json:"body"`
}

// Refresh asks that the mirror shows these issues as Jira has them now: those named, those JQL finds, or both.
type Refresh struct {
	Keys []Key   `json:"keys"`
	JQL  *string `json:"jql,omitempty"`
}

// Kind is KindIssue.
func (EnsureIssue) Kind() Kind { return KindIssue }

// Kind is KindFields.
func (EnsureFields) Kind() Kind { return KindFields }

// Kind is KindStatus.
func (EnsureStatus) Kind() Kind { return KindStatus }

// Kind is KindLink.
func (EnsureLink) Kind() Kind { return KindLink }

// Kind is KindSprint.
func (EnsureSprint) Kind() Kind { return KindSprint }

// Kind is KindComment.
func (EnsureComment) Kind() Kind { return KindComment }

// Kind is KindRefresh.
func (Refresh) Kind() Kind { return KindRefresh }

func (p EnsureIssue) mapKeys(f keyMap) Params {
	p.Parent = f.optional("parent", p.Parent)
	p.Epic = f.optional("epic", p.Epic)
	p.Fields = p.Fields.mapKeys(f)

	return p
}

func (p EnsureFields) mapKeys(f keyMap) Params {
	p.Key = f("key", p.Key)
	p.Fields = p.Fields.mapKeys(f)

	return p
}

func (p EnsureStatus) mapKeys(f keyMap) Params {
	p.Key = f("key", p.Key)

	return p
}

func (p EnsureLink) mapKeys(f keyMap) Params {
	p.Source = f("source", p.Source)
	p.Target = f("target", p.Target)

	return p
}

func (p EnsureSprint) mapKeys(f keyMap) Params {
	p.Key = f("key", p.Key)

	return p
}

func (p EnsureComment) mapKeys(f keyMap) Params {
	p.Key = f("key", p.Key)

	return p
}

func (p Refresh) mapKeys(f keyMap) Params {
	keys := make([]Key, len(p.Keys))
	for i, key := range p.Keys {
		keys[i] = f("keys", key)
	}

	p.Keys = keys

	return p
}

func (f keyMap) optional(field string, key *Key) *Key {
	if key == nil {
		return nil
	}

	mapped := f(field, *key)

	return &mapped
}

// KeysOf lists the distinct keys a command is about, temporary ones included, in the schema's order; of an
// EnsureIssue its own temporary key stands first.
func KeysOf(p Params) []Key {
	var keys []Key

	seen := map[Key]bool{}
	add := func(_ string, key Key) Key {
		if !seen[key] {
			seen[key] = true

			keys = append(keys, key)
		}

		return key
	}

	if issue, ok := p.(EnsureIssue); ok {
		add("tempKey", issue.TempKey)
	}

	p.mapKeys(add)

	return keys
}

// WaitsFor lists the distinct temporary keys that a command cannot be handed out without.
func WaitsFor(p Params) []Key {
	var keys []Key

	seen := map[Key]bool{}

	p.mapKeys(func(_ string, key Key) Key {
		if key.Temp() && !seen[key] {
			seen[key] = true

			keys = append(keys, key)
		}

		return key
	})

	return keys
}

// Substitute gives the parameters with real keys put in for the temporary ones that real knows.
func Substitute(p Params, real map[Key]Key) Params {
	return p.mapKeys(func(_ string, key Key) Key {
		if known, ok := real[key]; ok {
			return known
		}

		return key
	})
}
