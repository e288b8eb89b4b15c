package resolvers

import (
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// commandFilter gives the filter; possible is false where it names what cannot exist, so that nothing matches.
func commandFilter(input *graph.CommandFilter) (filter queue.CommandFilter, possible bool, err error) {
	if input == nil {
		return queue.CommandFilter{}, true, nil
	}

	filter = queue.CommandFilter{Statuses: input.Statuses, Kinds: input.Kinds}
	possible = !matchesNothing(input.Statuses) && !matchesNothing(input.Kinds)

	if input.Batch != nil {
		if filter.Batch, err = queue.ParseBatchID(*input.Batch); err != nil {
			possible = false
		}
	}

	if input.Key != nil {
		var ok bool
		if filter.Key, ok = queue.ParseKey(string(*input.Key)); !ok {
			possible = false
		}
	}

	filter.Search, err = searchable("filter.search", input.Search)

	return filter, possible, err
}

// batchFilter gives the filter; possible is false where nothing matches it.
func batchFilter(input *graph.BatchFilter) (filter queue.BatchFilter, possible bool, err error) {
	if input == nil {
		return queue.BatchFilter{}, true, nil
	}

	filter = queue.BatchFilter{Statuses: input.Statuses}

	if filter.Author, err = searchable("filter.author", input.Author); err != nil {
		return queue.BatchFilter{}, false, err
	}

	filter.Search, err = searchable("filter.search", input.Search)

	return filter, !matchesNothing(input.Statuses), err
}

// issueFilter gives the filter; possible is false where nothing matches it.
func issueFilter(input *graph.IssueFilter) (filter queue.IssueFilter, possible bool, err error) {
	if input == nil {
		return queue.IssueFilter{}, true, nil
	}

	if err := checkListed("filter.keys", len(input.Keys)); err != nil {
		return queue.IssueFilter{}, false, err
	}

	filter = queue.IssueFilter{
		Keys: knownKeys(input.Keys), Statuses: input.Statuses,
		Backlog: input.Backlog != nil && *input.Backlog, HasNote: input.HasNote,
	}

	for i := range input.Statuses {
		if _, err := searchable("filter.statuses", &input.Statuses[i]); err != nil {
			return queue.IssueFilter{}, false, err
		}
	}

	for _, text := range []struct {
		name  string
		given *string
		into  *string
	}{
		{"filter.project", input.Project, &filter.Project},
		{"filter.sprint", input.Sprint, &filter.Sprint},
		{"filter.search", input.Search, &filter.Search},
	} {
		if *text.into, err = searchable(text.name, text.given); err != nil {
			return queue.IssueFilter{}, false, err
		}
	}

	return filter, !matchesNothing(filter.Keys) && !matchesNothing(input.Statuses), nil
}

// knownKeys are the keys in their one spelling without those that are none, which no issue has. Nil stays nil.
func knownKeys(keys []queue.Key) []queue.Key {
	if keys == nil {
		return nil
	}

	known := make([]queue.Key, 0, len(keys))

	for _, key := range keys {
		if parsed, ok := queue.ParseKey(string(key)); ok {
			known = append(known, parsed)
		}
	}

	return known
}
