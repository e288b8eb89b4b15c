package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Issue finds an issue of the mirror, under an old key too; null for what is not there.
func (q query) Issue(ctx context.Context, key queue.Key) (*queue.Issue, error) {
	known, ok := queue.ParseKey(string(key))
	if !ok {
		return nil, nil
	}

	return one(ctx, load(ctx).issues, known)
}

// Issues lists the mirror by project and number.
func (q query) Issues(
	ctx context.Context, filter *graph.IssueFilter, first int, after *string,
) (*graph.IssueConnection, error) {
	page, err := pageOf(first, after)
	if err != nil {
		return nil, err
	}

	wanted, possible, err := issueFilter(filter)
	if err != nil {
		return nil, err
	}

	if !possible {
		return issueConnection(none[*queue.Issue]()), nil
	}

	list, err := q.reader.IssueList(ctx, site(ctx), wanted, page)
	if err != nil {
		return nil, err
	}

	return issueConnection(list), nil
}

// Note is what people wrote beside it.
func (issue) Note(ctx context.Context, of *queue.Issue) (*queue.Note, error) {
	return one(ctx, load(ctx).notes, of.Key)
}

// Commands are those about it, newest first.
func (i issue) Commands(
	ctx context.Context, of *queue.Issue, first int, after *string, statuses []queue.Status,
) (*graph.CommandConnection, error) {
	page, err := pageOf(first, after)
	if err != nil {
		return nil, err
	}

	if matchesNothing(statuses) {
		return commandConnection(none[*queue.Command]()), nil
	}

	list, err := i.reader.CommandList(ctx, site(ctx), queue.CommandFilter{Key: of.Key, Statuses: statuses}, page)
	if err != nil {
		return nil, err
	}

	return commandConnection(list), nil
}

// Issue is the issue as it is now, under whatever key it has.
func (issueChange) Issue(ctx context.Context, of *graph.IssueChange) (*queue.Issue, error) {
	return one(ctx, load(ctx).issues, of.Key)
}
