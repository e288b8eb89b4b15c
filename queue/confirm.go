package queue

import "context"

// confirm holds the command in hand against the mirror, where the push showed one of its issues. It returns the
// commands it confirmed.
func (m *mirror) confirm(ctx context.Context, tx Tx) ([]CommandID, error) {
	cmd := m.view.InHand
	if cmd == nil || m.site.InHand != cmd.ID {
		return nil, nil
	}

	subjects := subjectsOf(cmd.Params)
	if len(subjects) == 0 {
		return nil, nil
	}

	if err := m.loadIssues(ctx, tx, subjects); err != nil {
		return nil, err
	}

	if !m.shows(subjects) {
		return nil, nil
	}

	shown, err := m.reached(ctx, tx, cmd.Params)
	if err != nil || !shown {
		return nil, err
	}

	m.site.FailuresInRow = 0
	m.transition(cmd, Confirmed, CauseConfirmed)

	return []CommandID{cmd.ID}, nil
}

// subjectsOf lists the issues whose state says whether a command is fulfilled; none for kinds that no state tells.
func subjectsOf(p Params) []Key {
	switch p := p.(type) {
	case EnsureFields:
		return []Key{p.Key}
	case EnsureStatus:
		return []Key{p.Key}
	case EnsureSprint:
		return []Key{p.Key}
	case EnsureLink:
		return []Key{p.Source, p.Target}
	default:
		return nil
	}
}

// shows tells whether the push showed one of these issues.
func (m *mirror) shows(keys []Key) bool {
	for _, key := range keys {
		if m.touched[m.present(key)] {
			return true
		}
	}

	return false
}

// loadIssues reads rows and old keys that the push itself did not bring; what it brought stands.
func (m *mirror) loadIssues(ctx context.Context, tx Tx, keys []Key) error {
	if len(keys) == 0 {
		return nil
	}

	view, err := tx.Issues(ctx, keys)
	if err != nil {
		return err
	}

	for key, now := range view.Present {
		if _, known := m.view.Present[key]; !known && m.view.Issues[key] == nil {
			m.view.Present[key] = m.after(now)
		}
	}

	for key, issue := range view.Issues {
		if _, moved := m.view.Present[key]; !moved && m.view.Issues[key] == nil {
			m.view.Issues[key] = issue
		}
	}

	return nil
}

// issue gives the issue as the mirror shows it; nil where it never saw it or last saw it missing.
func (m *mirror) issue(key Key) *Issue {
	issue := m.view.Issues[m.present(key)]
	if issue == nil || issue.Missing {
		return nil
	}

	return issue
}

// reached tells whether the mirror shows what the parameters ask for.
func (m *mirror) reached(ctx context.Context, tx Tx, p Params) (bool, error) {
	switch p := p.(type) {
	case EnsureStatus:
		issue := m.issue(p.Key)

		return issue != nil && statusReached(issue, p), nil
	case EnsureSprint:
		issue := m.issue(p.Key)

		return issue != nil && sprintReached(issue, p), nil
	case EnsureFields:
		issue := m.issue(p.Key)
		if issue == nil {
			return false, nil
		}

		jira, err := tx.Jira(ctx)
		if err != nil {
			return false, err
		}

		if err := m.loadIssues(ctx, tx, keysToCompare(issue, p.Fields, jira)); err != nil {
			return false, err
		}

		return len(differing(issue, p.Fields, jira, m.present)) == 0, nil
	case EnsureLink:
		return m.linkReached(ctx, tx, p)
	default:
		return false, nil
	}
}

func (m *mirror) linkReached(ctx context.Context, tx Tx, p EnsureLink) (bool, error) {
	sides := linkSides{source: m.view.Issues[m.present(p.Source)], target: m.view.Issues[m.present(p.Target)]}

	links := sides.of(p.Type)
	linked := make([]Key, len(links))

	for i, link := range links {
		linked[i] = link.Key
	}

	if err := m.loadIssues(ctx, tx, linked); err != nil {
		return false, err
	}

	jira, err := tx.Jira(ctx)
	if err != nil {
		return false, err
	}

	return sides.reached(p, jira, m.present), nil
}

func statusReached(issue *Issue, p EnsureStatus) bool { return issue.Status == p.Path[len(p.Path)-1] }

func sprintReached(issue *Issue, p EnsureSprint) bool {
	return textOf(issue.Sprint) == textOf(p.Sprint)
}

// textOf reads an optional text; none and an empty one are the same.
func textOf(s *string) string {
	if s == nil {
		return ""
	}

	return *s
}
