package agent

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// The mark that every created issue bears: a label, by which it is searched, and a property, which every issue can have
// and nobody sees.
const (
	labelsField  = "labels"
	createdField = "created"
	markProperty = "sdlc-hub"
)

func markLabel(dedupeKey string) string { return "hub-" + dedupeKey }

// search is for the issue that a creation may have made.
type search struct {
	dedupe   string
	creation *queue.EnsureIssue
	// unlabelled tells that the issue may lack the label, for its create screen may lack labels.
	unlabelled bool
	// since is from when on it may have been created, by this machine's clock.
	since time.Time
}

// settled is how long after a create Jira's search index is sure to know the issue.
func (a *Agent) settled() time.Duration {
	if a.jira.Server().Cloud() {
		return a.times.SettleCloud
	}

	return a.times.SettleServer
}

// lookThrough looks for the issue until it is found or the time is over, and at least once; "" where there is none.
func (a *Agent) lookThrough(ctx context.Context, s search, until time.Time) (string, error) {
	for {
		last := !time.Now().Before(until)

		key, err := a.look(ctx, s)
		if err != nil || key != "" || last {
			return key, err
		}

		if err := sleep(ctx, min(a.times.SettleLook, time.Until(until))); err != nil {
			return "", err
		}
	}
}

// look looks once.
func (a *Agent) look(ctx context.Context, s search) (string, error) {
	label := markLabel(s.dedupe)

	marked, err := a.find(ctx, "labels = "+jira.Quote(label))
	if err != nil {
		return "", err
	}

	for _, issue := range marked {
		if labelled(issue, label) {
			return issue.Key, nil
		}
	}

	if !s.unlabelled {
		return "", nil
	}

	return a.lookUnlabelled(ctx, s)
}

// lookUnlabelled looks among what this account created since the command was first begun. JQL finds the candidates; the
// agent compares them itself.
func (a *Agent) lookUnlabelled(ctx context.Context, s search) (string, error) {
	// Jira counts the minutes back from its own clock, so that the two clocks need not agree.
	minutes := int(math.Ceil(time.Since(s.since).Minutes())) + 1

	candidates, err := a.find(ctx, fmt.Sprintf("project = %s AND issuetype = %s AND creator = currentUser() AND created >= -%dm",
		jira.Quote(s.creation.Project), jira.Quote(s.creation.IssueType), minutes))
	if err != nil {
		return "", err
	}

	for _, issue := range candidates {
		if !sameText(issue.Summary, s.creation.Summary) {
			continue
		}

		ours, err := a.bears(ctx, issue.Key, s.dedupe)
		if err != nil || ours {
			return issue.Key, err
		}
	}

	return "", nil
}

// find gives what a query finds, oldest first.
func (a *Agent) find(ctx context.Context, jql string) ([]jira.Issue, error) {
	var found []jira.Issue

	err := a.pages(ctx, jql+" ORDER BY created ASC, key ASC", []string{labelsField, createdField}, func(page jira.Page) error {
		found = append(found, page.Issues...)

		return nil
	})

	return found, err
}

// bears tells whether the issue bears the property with this mark. One without any was created by somebody else: the
// property is set by the very request that creates.
func (a *Agent) bears(ctx context.Context, key, dedupe string) (bool, error) {
	type property struct {
		value any
		there bool
	}

	found, err := asked(ctx, a.patient, func() (property, error) {
		value, there, err := a.jira.Property(ctx, key, markProperty)

		return property{value, there}, err
	})
	if err != nil || !found.there {
		return false, err
	}

	object, ok := found.value.(map[string]any)

	return ok && object["dedupeKey"] == dedupe, nil
}

func labelled(issue jira.Issue, label string) bool {
	labels, _ := issue.Fields[labelsField].([]any)

	return slices.ContainsFunc(labels, func(l any) bool {
		text, ok := l.(string)

		return ok && strings.EqualFold(text, label)
	})
}
