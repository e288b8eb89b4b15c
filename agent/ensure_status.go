package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ensureStatus walks the path from where the issue is.
func (a *Agent) ensureStatus(ctx context.Context, p queue.EnsureStatus) (*result, error) {
	issue, err := a.readIssue(ctx, string(p.Key))
	if err != nil {
		return nil, err
	}

	steps := stepsFrom(issue.Status, p.Path)
	if len(steps) == 0 {
		return shown(issue), nil
	}

	for _, status := range steps {
		if err := a.step(ctx, issue, status); err != nil {
			return &result{wrote: []string{issue.Key}}, err
		}

		if issue, err = a.readIssue(ctx, issue.Key); err != nil {
			return &result{wrote: []string{issue.Key}}, err
		}

		if issue.Status != status {
			return shown(issue), fmt.Errorf("the transition to %q led to %q", status, issue.Status)
		}
	}

	return shown(issue), nil
}

// stepsFrom gives what is left of the path from where the issue is, be that before it, on it or at its end.
func stepsFrom(status string, path []string) []string {
	for at, on := range slices.Backward(path) {
		if on == status {
			return path[at+1:]
		}
	}

	return path
}

// step takes the transition that leads to the status; its own name does not matter.
func (a *Agent) step(ctx context.Context, issue jira.Issue, status string) error {
	transitions, err := asked(ctx, a.patient, func() ([]jira.Transition, error) { return a.jira.Transitions(ctx, issue.Key) })
	if err != nil {
		return err
	}

	chosen, ok := lightest(transitions, status)
	if !ok {
		return fmt.Errorf("no transition leads from %q to %q; there are: %s", issue.Status, status, named(transitions))
	}

	return a.patient.write(ctx, func() error { return a.jira.DoTransition(ctx, issue.Key, chosen.ID, answers(chosen)) })
}

// lightest gives the transition to the status that asks for the least.
func lightest(transitions []jira.Transition, status string) (jira.Transition, bool) {
	var leading []jira.Transition

	for _, transition := range transitions {
		if transition.To == status {
			leading = append(leading, transition)
		}
	}

	if len(leading) == 0 {
		return jira.Transition{}, false
	}

	// Of equals the first in Jira's order.
	return slices.MinFunc(leading, func(a, b jira.Transition) int { return cmp.Compare(demands(a), demands(b)) }), true
}

// demands counts what must be given besides a resolution, which the agent chooses itself.
func demands(t jira.Transition) int {
	count := 0

	for id, field := range t.Fields {
		if field.Required && !field.HasDefault && id != resolutionField {
			count++
		}
	}

	return count
}

const resolutionField = "resolution"

// answers fills in a resolution where the transition's screen offers one: that of the
// status' own name, Done, or else the first.
func answers(t jira.Transition) map[string]any {
	offered, ok := t.Fields[resolutionField]
	if !ok || len(offered.Allowed) == 0 {
		return nil
	}

	chosen := offered.Allowed[0]

	for _, preferred := range []string{"Done", t.To} {
		for _, allowed := range offered.Allowed {
			if allowed["name"] == preferred {
				chosen = allowed
			}
		}
	}

	if id, ok := chosen["id"]; ok {
		return map[string]any{resolutionField: map[string]any{"id": id}}
	}

	return map[string]any{resolutionField: map[string]any{"name": chosen["name"]}}
}

func named(transitions []jira.Transition) string {
	if len(transitions) == 0 {
		return "none"
	}

	names := make([]string, len(transitions))
	for i, t := range transitions {
		names[i] = fmt.Sprintf("%q to %q", t.Name, t.To)
	}

	return strings.Join(names, ", ")
}
