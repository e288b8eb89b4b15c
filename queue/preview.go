package queue

import (
	"context"
	"maps"
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
	params, problems := checkBatch(spec)
	preview := &Preview{Problems: problems}

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

	if err := q.followLinks(ctx, by, params, issues); err != nil {
		return nil, err
	}

	jira, err := q.reader.Jira(ctx, by.Site)
	if err != nil {
		return nil, err
	}

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
			step.Effect, step.Diffs = effectOf(p, issues, jira)
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

// followLinks adds the issues that the mirror shows linked, for a link may stand there under a key that was moved.
func (q *Queue) followLinks(ctx context.Context, by Actor, params []Params, issues map[Key]*Issue) error {
	linked := map[Key]bool{}

	for _, p := range params {
		link, ok := p.(EnsureLink)
		if !ok {
			continue
		}

		for _, shown := range (linkSides{source: issues[link.Source], target: issues[link.Target]}).of(link.Type) {
			if issues[shown.Key] == nil {
				linked[shown.Key] = true
			}
		}
	}

	if len(linked) == 0 {
		return nil
	}

	found, err := q.reader.IssuesByKey(ctx, by.Site, keysOf(linked))
	maps.Copy(issues, found)

	return err
}

func keysOf(set map[Key]bool) []Key {
	keys := make([]Key, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}

	return keys
}

// effectOf judges one command. The mirror knows no comments, and nothing of an issue that it never saw.
func effectOf(p Params, issues map[Key]*Issue, jira *Jira) (Effect, []FieldDiff) {
	switch p := p.(type) {
	case EnsureIssue:
		return EffectCreate, nil
	case Refresh:
		return EffectNoChange, nil
	case EnsureFields:
		return seenIssue(issues[p.Key], func(issue *Issue) ([]FieldDiff, bool) { return fieldDiffs(issue, p.Fields, jira) })
	case EnsureStatus:
		return seenIssue(issues[p.Key], func(issue *Issue) ([]FieldDiff, bool) {
			if statusReached(issue, p) {
				return nil, true
			}

			return []FieldDiff{{Field: "status", Current: issue.Status, Desired: p.Path[len(p.Path)-1]}}, true
		})
	case EnsureSprint:
		return seenIssue(issues[p.Key], func(issue *Issue) ([]FieldDiff, bool) {
			if sprintReached(issue, p) {
				return nil, true
			}

			return []FieldDiff{{Field: "sprint", Current: optionalValue(issue.Sprint), Desired: optionalValue(p.Sprint)}}, true
		})
	case EnsureLink:
		return linkEffect(p, issues, jira)
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
func fieldDiffs(issue *Issue, wanted Fields, jira *Jira) ([]FieldDiff, bool) {
	var diffs []FieldDiff

	read := true
	compare := newComparison()

	for _, name := range wanted.Names() {
		current, known := fieldOf(issue, name, jira)

		switch {
		case !known:
			read = false
		case !compare.equal(wanted[name], current):
			diffs = append(diffs, FieldDiff{Field: name, Current: current, Desired: wanted[name]})
		}
	}

	return diffs, read
}

func linkEffect(p EnsureLink, issues map[Key]*Issue, jira *Jira) (Effect, []FieldDiff) {
	sides := linkSides{source: issues[p.Source], target: issues[p.Target]}
	if !linksRead(sides.source) && !linksRead(sides.target) {
		return EffectUnknown, nil
	}

	present := func(key Key) Key {
		if issue := issues[key]; issue != nil {
			return issue.Key
		}

		return key
	}

	if sides.reached(p, jira, present) {
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
