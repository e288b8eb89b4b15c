package resolvers

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Report records what became of a command.
func (m mutation) Report(ctx context.Context, input graph.ReportInput) (*graph.ReportPayload, error) {
	report, err := reportOf(input)
	if err != nil {
		return nil, err
	}

	accepted, err := m.queue.Report(ctx, actor(ctx), report)
	if err != nil {
		return nil, err
	}

	m.renew(ctx)

	return &graph.ReportPayload{ID: report.Command, Accepted: accepted}, nil
}

// Command is the command as it stands after the report.
func (p reportPayload) Command(ctx context.Context, of *graph.ReportPayload) (*queue.Command, error) {
	return p.readCommand(ctx, of.ID)
}
