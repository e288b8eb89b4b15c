package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Command finds a command; null for what names none.
func (q query) Command(ctx context.Context, id string) (*queue.Command, error) {
	known, err := queue.ParseCommandID(id)
	if err != nil {
		return nil, nil //nolint:nilerr // an unknown id is null in a query
	}

	return one(ctx, load(ctx).commands, known)
}

// Commands lists commands, newest first.
func (q query) Commands(
	ctx context.Context, filter *graph.CommandFilter, first int, after *string,
) (*graph.CommandConnection, error) {
	page, err := pageOf(first, after)
	if err != nil {
		return nil, err
	}

	wanted, possible, err := commandFilter(filter)
	if err != nil {
		return nil, err
	}

	if !possible {
		return commandConnection(none[*queue.Command]()), nil
	}

	list, err := q.reader.CommandList(ctx, site(ctx), wanted, page)
	if err != nil {
		return nil, err
	}

	return commandConnection(list), nil
}

// Batch is the batch it came in with.
func (command) Batch(ctx context.Context, of *queue.Command) (*queue.Batch, error) {
	if onlyID(ctx, "Batch") {
		return &queue.Batch{ID: of.Batch}, nil
	}

	return one(ctx, load(ctx).batches, of.Batch)
}

// DependsOn are the creations whose temporary keys it names.
func (command) DependsOn(ctx context.Context, of *queue.Command) ([]*queue.Command, error) {
	return one(ctx, load(ctx).dependsOn, of.ID)
}

// Dependents are the commands that name its temporary key; only a creation has one.
func (c command) Dependents(
	ctx context.Context, of *queue.Command, first int, after *string,
) (*graph.CommandConnection, error) {
	page, err := pageOf(first, after)
	if err != nil {
		return nil, err
	}

	if of.Kind != queue.KindIssue {
		return commandConnection(none[*queue.Command]()), nil
	}

	list, err := c.reader.Dependents(ctx, site(ctx), of.ID, page)
	if err != nil {
		return nil, err
	}

	return commandConnection(list), nil
}

// RootCause is the command whose end began the cascade that skipped it.
func (command) RootCause(ctx context.Context, of *queue.Command) (*queue.Command, error) {
	return loadCommand(ctx, of.RootCause)
}

// RetryOf is the command that it repeats.
func (command) RetryOf(ctx context.Context, of *queue.Command) (*queue.Command, error) {
	return loadCommand(ctx, of.RetryOf)
}

// Retries are the commands that repeat it.
func (command) Retries(ctx context.Context, of *queue.Command) ([]*queue.Command, error) {
	return one(ctx, load(ctx).retries, of.ID)
}

// History are its changes, oldest first.
func (command) History(ctx context.Context, of *queue.Command) ([]*graph.CommandChange, error) {
	events, err := one(ctx, load(ctx).history, of.ID)
	if err != nil {
		return nil, err
	}

	changes := make([]*graph.CommandChange, len(events))
	for i, event := range events {
		changes[i] = changeOfCommand(event)
	}

	return changes, nil
}

// Command is the command as the change left it. What the event says of it is not read again.
func (c commandChange) Command(ctx context.Context, of *graph.CommandChange) (*queue.Command, error) {
	event := of.Event
	if asksOnly(ctx, "Command", ofEvent) {
		return &queue.Command{ID: event.Command, Batch: event.Batch, State: event.State}, nil
	}

	read := loadCommand
	if isSubscription(ctx) {
		read = c.asked.command
	}

	loaded, err := read(ctx, event.Command)
	if err != nil || loaded == nil {
		return nil, err
	}

	then := *loaded
	then.State = event.State

	return &then, nil
}

// ofEvent tells which fields of a command need no more than an event has: its own, and what hangs on ids in it.
func ofEvent(field string) bool {
	switch field {
	case "id", "batch", "status", "error", "resultKey", "deliveries", "progress", "claimedAt", "finishedAt", "rootCause",
		"dependsOn", "retries", "history", "__typename":
		return true
	}

	return false
}

// loadCommand loads the command of that id; nil for 0.
func loadCommand(ctx context.Context, id queue.CommandID) (*queue.Command, error) {
	switch {
	case id == 0:
		return nil, nil
	case onlyID(ctx, "Command"):
		return &queue.Command{ID: id}, nil
	default:
		return one(ctx, load(ctx).commands, id)
	}
}
