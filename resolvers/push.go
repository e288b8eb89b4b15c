package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// PushJira takes in what the agent knows of its Jira.
func (m mutation) PushJira(ctx context.Context, input graph.JiraInput) (*queue.Jira, error) {
	return m.queue.PushJira(ctx, actor(ctx), jiraOf(input))
}

// PushIssues takes snapshots into the mirror.
func (m mutation) PushIssues(
	ctx context.Context, issues []*graph.IssueSnapshot, missing []queue.Key, refresh *string, total *int, instance *string,
) (*graph.PushPayload, error) {
	push := queue.Push{Issues: snapshots(issues), Missing: missing, Total: total, Instance: orEmpty(instance)}

	if refresh != nil {
		var err error
		if push.Refresh, err = queue.ParseCommandID(*refresh); err != nil {
			return nil, err
		}
	}

	pushed, err := m.queue.PushIssues(ctx, actor(ctx), push)
	if err != nil {
		return nil, err
	}

	m.renew(ctx)

	return &graph.PushPayload{Stored: pushed.Stored, IDs: pushed.Confirmed}, nil
}

// Confirmed are the commands that the push confirmed.
func (pushPayload) Confirmed(ctx context.Context, of *graph.PushPayload) ([]*queue.Command, error) {
	return commandsOf(ctx, of.IDs)
}
