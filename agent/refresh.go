package agent

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// pageSize is how many issues of a search are read at once.
	pageSize = 100
	// groupSize is how many keys are read at once: few, since one that Jira does not give at once is asked for by itself,
	// and a group is read again as a whole.
	groupSize = 20
)

// refresh reads the issues page by page, and sends each page to the hub before the next is read.
func (a *Agent) refresh(ctx context.Context, t *task, p queue.Refresh) (*result, error) {
	var total *int

	if p.JQL == nil {
		count := len(p.Keys)
		total = &count
	}

	for group := range slices.Chunk(p.Keys, groupSize) {
		found, missing, err := a.readGroup(ctx, group)
		if err != nil {
			return nil, err
		}

		if err := a.push(ctx, client.Push{Issues: found, Missing: missing, Refresh: t.id, Total: total}); err != nil {
			return nil, err
		}
	}

	if p.JQL == nil {
		return &result{}, nil
	}

	err := a.pages(ctx, ordered(*p.JQL), []string{navigable}, func(page jira.Page) error {
		// Keys and a search may name the same issue, so that the two together have no sum.
		push := client.Push{Issues: shown(page.Issues...).issues, Refresh: t.id}
		if len(p.Keys) == 0 {
			push.Total = page.Total
		}

		return a.push(ctx, push)
	})
	if err != nil {
		return nil, err
	}

	return &result{}, nil
}

// readGroup reads issues by key, and tells which of them are not there.
func (a *Agent) readGroup(ctx context.Context, keys []queue.Key) (found []client.IssueSnapshot, missing []string, err error) {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = string(key)
	}

	err = a.patient.read(ctx, func() error {
		issues, gone, err := a.jira.Issues(ctx, texts, navigable)
		found, missing = shown(issues...).issues, gone

		return err
	})

	switch {
	case err == nil || jira.KindOf(err) != jira.Refused:
		return found, missing, err
	case len(keys) == 1:
		// To this login it is not there.
		a.log.Info("an issue cannot be read", "key", keys[0], "error", err)

		return nil, texts, nil
	}

	// One of them spoils the others: each by itself.
	found, missing = nil, nil

	for i := range keys {
		issues, gone, err := a.readGroup(ctx, keys[i:i+1])
		if err != nil {
			return nil, nil, err
		}

		found, missing = append(found, issues...), append(missing, gone...)
	}

	return found, missing, nil
}

// pages reads what a query finds, a page at a time.
func (a *Agent) pages(ctx context.Context, jql string, fields []string, take func(jira.Page) error) error {
	tried := a.patient.trying(a.times.Tries)

	var unanswered error

	for page, err := range a.jira.Search(ctx, jql, pageSize, fields...) {
		unanswered = err

		if err != nil {
			// To go on asks for the same page again.
			if err := tried.again(ctx, err); err != nil {
				return err
			}

			continue
		}

		tried.well()

		if err := take(page); err != nil {
			return err
		}
	}

	return unanswered
}

var orderBy = regexp.MustCompile(`(?i)\border\s+by\b`)

// ordered gives a query an order where it has none, so that no page misses what moved to an earlier one.
func ordered(jql string) string {
	if orderBy.MatchString(jql) {
		return jql
	}

	return fmt.Sprintf("%s ORDER BY key ASC", jql)
}
