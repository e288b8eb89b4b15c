package resolvers

import (
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// batchSpec leaves keys and texts as they are written: the domain judges them, all at once.
func batchSpec(input graph.BatchInput) (queue.BatchSpec, error) {
	spec := queue.BatchSpec{
		Title: input.Title, ClientKey: input.ClientKey, Held: input.Held,
		Commands: make([]queue.CommandSpec, len(input.Commands)),
	}

	for i, command := range input.Commands {
		var ok bool
		if spec.Commands[i], ok = commandSpec(command); !ok {
			return queue.BatchSpec{}, queue.Refusef(queue.Unprocessable, "commands[%d] is empty; give exactly one kind of command", i)
		}
	}

	return spec, nil
}

// commandSpec gives the one command that is given; false where none is.
func commandSpec(input *graph.CommandInput) (queue.CommandSpec, bool) {
	switch {
	case input.EnsureIssue != nil:
		return queue.CommandSpec{Params: ensureIssue(input.EnsureIssue)}, true
	case input.EnsureFields != nil:
		return queue.CommandSpec{Params: queue.EnsureFields{
			Key: input.EnsureFields.Key, Fields: input.EnsureFields.Fields,
		}}, true
	case input.EnsureStatus != nil:
		return queue.CommandSpec{Params: queue.EnsureStatus{
			Key: input.EnsureStatus.Key, Path: input.EnsureStatus.Path,
		}}, true
	case input.EnsureLink != nil:
		return queue.CommandSpec{Params: queue.EnsureLink{
			Source: input.EnsureLink.Source, Target: input.EnsureLink.Target,
			Type: input.EnsureLink.Type, Exclusive: input.EnsureLink.Exclusive,
		}}, true
	case input.EnsureSprint != nil:
		sprint, given := input.EnsureSprint.Sprint.ValueOK()

		return queue.CommandSpec{
			Params: queue.EnsureSprint{Key: input.EnsureSprint.Key, Sprint: sprint}, SprintOmitted: !given,
		}, true
	case input.EnsureComment != nil:
		return queue.CommandSpec{Params: queue.EnsureComment{
			Key: input.EnsureComment.Key, Body: input.EnsureComment.Body,
		}}, true
	case input.Refresh != nil:
		return queue.CommandSpec{Params: queue.Refresh{Keys: input.Refresh.Keys, JQL: input.Refresh.Jql}}, true
	default:
		return queue.CommandSpec{}, false
	}
}

func ensureIssue(input *graph.EnsureIssueInput) queue.EnsureIssue {
	return queue.EnsureIssue{
		TempKey: input.TempKey, Project: input.Project, IssueType: input.IssueType, Summary: input.Summary,
		Description: input.Description, Parent: input.Parent, Epic: input.Epic, Fields: input.Fields,
	}
}

func commandIDs(ids []string) ([]queue.CommandID, error) {
	if err := checkListed("ids", len(ids)); err != nil {
		return nil, err
	}

	named := make([]queue.CommandID, len(ids))

	for i, id := range ids {
		var err error
		if named[i], err = queue.ParseCommandID(id); err != nil {
			return nil, err
		}
	}

	return named, nil
}

func shownPreview(preview *queue.Preview) *graph.BatchPreview {
	shown := &graph.BatchPreview{
		Problems: make([]*graph.Problem, len(preview.Problems)), Steps: make([]*queue.PreviewStep, len(preview.Steps)),
	}

	for i, problem := range preview.Problems {
		shown.Problems[i] = &graph.Problem{
			Code: string(problem.Code), Message: problem.Message, Position: problem.Position, Field: orNull(problem.Field),
		}

		if problem.Command != nil {
			shown.Problems[i].Command = new(problem.Command.String())
		}
	}

	for i := range preview.Steps {
		shown.Steps[i] = &preview.Steps[i]
	}

	return shown
}
