package resolvers

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func paceSpec(input graph.PaceInput) queue.PaceSpec {
	spec := queue.PaceSpec{
		MinPauseSeconds: input.MinPauseSeconds, MaxPauseSeconds: input.MaxPauseSeconds,
		PauseAfterFailures: optional(input.PauseAfterFailures),
	}

	if hours := optional(input.WorkingHours); hours.Given {
		spec.WorkingHours.Given = true

		if hours.Value != nil {
			spec.WorkingHours.Value = new(queue.WorkingHours(*hours.Value))
		}
	}

	return spec
}

// optional keeps apart what was not given and what was given as null.
func optional[T any](input graphql.Omittable[*T]) queue.Optional[T] {
	value, given := input.ValueOK()

	return queue.Optional[T]{Given: given, Value: value}
}

func shownAgent(agent *queue.Agent) *graph.Agent {
	return &graph.Agent{
		Name: agent.Name, Instance: orNull(agent.Instance), Version: agent.Version,
		LastSeenAt: agent.LastSeenAt, Online: agent.Online, Problem: agent.Problem,
	}
}
