package queue

import (
	"context"
	"slices"
)

// Preview says what a batch would do.
type Preview struct {
	Problems []Problem
	// Steps are one a command, none for a batch that is empty or too large; of one with a problem the effect is unknown.
	Steps []PreviewStep
}

// PreviewStep is what one command would do, judged from the mirror.
type PreviewStep struct {
	Position int
	Kind     Kind
	Effect   Effect
	Diffs    []FieldDiff
	// WaitsFor are the positions of the creations it names.
	WaitsFor []int
}

// FieldDiff is one field that would change.
type FieldDiff struct {
	Field            string
	Current, Desired any
}

// PreviewBatch says what CreateBatch would find wrong and what each command would change. It writes nothing.
func (q *Queue) PreviewBatch(ctx context.Context, by Actor, spec BatchSpec) (*Preview, error) {
	params, _ := checkBatch(spec, sameKey)
	keys := map[Key]bool{}

	for _, p := range params {
		for _, key := range subjectsOf(p) {
			if !key.Temp() {
				keys[key] = true
			}
		}
	}

	issues, err := q.reader.IssuesByKey(ctx, by.Site, keysOf(keys))
	if err != nil {
		return nil, err
	}

	jira, err := q.reader.Jira(ctx, by.Site)
	if err != nil {
		return nil, err
	}

	moved, err := q.reader.PresentKeys(ctx, by.Site, comparedKeys(params, issues, jira))
	if err != nil {
		return nil, err
	}

	mirror := previewMirror{issues: issues, jira: jira, present: presentBy(moved)}
	_, problems := checkBatch(spec, mirror.present)
	preview := &Preview{Problems: problems}
	wrong := map[int]bool{}

	for _, problem := range problems {
		if problem.Position != nil {
			wrong[*problem.Position] = true
		}
	}

	creations := map[Key]int{}

	for position, p := range slices.Backward(params) {
		if issue, ok := p.(EnsureIssue); ok {
			creations[issue.TempKey] = position
		}
	}

	for position, p := range params {
		step := PreviewStep{Position: position, Kind: p.Kind(), Effect: EffectUnknown}
		if !wrong[position] {
			step.Effect, step.Diffs = mirror.effectOf(p)
		}

		for _, key := range WaitsFor(p) {
			if creation, ok := creations[key]; ok {
				step.WaitsFor = append(step.WaitsFor, creation)
			}
		}

		slices.Sort(step.WaitsFor)
		preview.Steps = append(preview.Steps, step)
	}

	return preview, nil
}

// previewMirror is what a preview judges from.
type previewMirror struct {
	// issues by the keys that the batch has for them.
	issues  map[Key]*Issue
	jira    *Jira
	present func(Key) Key
}

// comparedKeys lists the keys that are held against others, which may be old ones of the same issues: the ends of
// links, what the mirror shows linked to them, and keys in fields.
func comparedKeys(params []Params, issues map[Key]*Issue, jira *Jira) []Key {
	keys := map[Key]bool{}

	for _, p := range params {
		switch p := p.(type) {
		case EnsureLink:
			keys[p.Source], keys[p.Target] = true, true

			for _, link := range (linkSides{source: issues[p.Source], target: issues[p.Target]}).of(p.Type) {
				keys[link.Key] = true
			}
		case EnsureFields:
			if issue := issues[p.Key]; issue != nil {
				for _, key := range keysToCompare(issue, p.Fields, jira) {
					keys[key] = true
				}
			}
		}
	}

	return keysOf(keys)
}

func keysOf(set map[Key]bool) []Key {
	keys := make([]Key, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}

	return keys
}

// effectOf judges one command. The mirror knows no comments, and nothing of an issue that it never saw.
func (m *previewMirror) effectOf(p Params) (Effect, []FieldDiff) {
	switch p := p.(type) {
	case EnsureIssue:
		return EffectCreate, nil
	case Refresh:
		return EffectNoChange, nil
	case EnsureFields:
		return seenIssue(m.issues[p.Key], func(issue *Issue) ([]FieldDiff, bool) { return m.fieldDiffs(issue, p.Fields) })
	case EnsureStatus:
		return seenIssue(m.issues[p.Key], func(issue *Issue) ([]FieldDiff, bool) {
			if statusReached(issue, p) {
				return nil, true
			}

			return []FieldDiff{{Field: "status", Current: issue.Status, Desired: p.Path[len(p.Path)-1]}}, true
		})
	case EnsureSprint:
		return seenIssue(m.issues[p.Key], func(issue *Issue) ([]FieldDiff, bool) {
			if sprintReached(issue, p) {
				return nil, true
			}

			return []FieldDiff{{Field: "sprint", Current: optionalValue(issue.Sprint), Desired: optionalValue(p.Sprint)}}, true
		})
	case EnsureLink:
		return m.linkEffect(p)
	default:
		return EffectUnknown, nil
	}
}

// seenIssue judges a command about one issue; compare also says whether everything it needs was read.
func seenIssue(issue *Issue, compare func(*Issue) ([]FieldDiff, bool)) (Effect, []FieldDiff) {
	if issue == nil || issue.Missing {
		return EffectUnknown, nil
	}

	switch diffs, read := compare(issue); {
	case len(diffs) > 0:
		return EffectChange, diffs
	case !read:
		return EffectUnknown, nil
	default:
		return EffectNoChange, nil
	}
}

// fieldDiffs lists the fields that differ, and tells whether all of them were read.
func (m *previewMirror) fieldDiffs(issue *Issue, wanted Fields) ([]FieldDiff, bool) {
	var diffs []FieldDiff

	read := true
	compare := newComparison(m.present)

	for _, name := range wanted.Names() {
		current, known := fieldOf(issue, name, m.jira)

		switch {
		case !known:
			read = false
		case !compare.field(name, wanted[name], current):
			diffs = append(diffs, FieldDiff{Field: name, Current: current, Desired: wanted[name]})
		}
	}

	return diffs, read
}

func (m *previewMirror) linkEffect(p EnsureLink) (Effect, []FieldDiff) {
	sides := linkSides{source: m.issues[p.Source], target: m.issues[p.Target]}
	if !linksRead(sides.source) && !linksRead(sides.target) {
		return EffectUnknown, nil
	}

	if sides.reached(p, m.jira, m.present) {
		return EffectNoChange, nil
	}

	return EffectChange, []FieldDiff{{Field: "links", Desired: p.Type + " " + string(p.Target)}}
}

func optionalValue(s *string) any {
	if s == nil {
		return nil
	}

	return *s
}
