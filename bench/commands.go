package main

import (
	"encoding/json"
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const comment = "Reviewed with the team on Thursday: the estimate stands, the rollout waits for the release branch."

// plainCommands are commands as a planner's script would send them, none of which waits for another.
func plainCommands(count int) []queue.CommandSpec {
	commands := make([]queue.CommandSpec, count)
	for i := range commands {
		commands[i].Params = about(queue.Key(fmt.Sprintf("AURORA-%d", 1000+i)), i)
	}

	return commands
}

// about is a command about an issue; the kinds take turns.
func about(key queue.Key, turn int) queue.Params {
	sprint := "Sprint 42"

	switch turn % 5 {
	case 0:
		return queue.EnsureFields{Key: key, Fields: queue.Fields{
			"priority": map[string]any{"name": "High"}, "labels": []any{"backend", "planned"},
			"customfield_10016": json.Number("5"),
		}}
	case 1:
		return queue.EnsureStatus{Key: key, Path: []string{"Selected", "In Progress"}}
	case 2:
		return queue.EnsureComment{Key: key, Body: comment}
	case 3:
		return queue.EnsureLink{Source: key, Target: "AURORA-7", Type: "Blocks"}
	default:
		return queue.EnsureSprint{Key: key, Sprint: &sprint}
	}
}

// issueCommands are creations, each followed by commands about the issue it makes, and then by commands about issues
// that are there: a plan as people send one.
func issueCommands(count, creations, dependents int) []queue.CommandSpec {
	commands := make([]queue.CommandSpec, 0, count)

	for n := 1; n <= creations && len(commands) < count; n++ {
		key := queue.Key(fmt.Sprintf("new:%d", n))
		description := comment

		commands = append(commands, queue.CommandSpec{Params: queue.EnsureIssue{
			TempKey: key, Project: "AURORA", IssueType: "Task", Summary: fmt.Sprintf("Step %d of the migration", n),
			Description: &description, Fields: queue.Fields{"labels": []any{"planned"}},
		}})

		for turn := 0; turn < dependents && len(commands) < count; turn++ {
			commands = append(commands, queue.CommandSpec{Params: about(key, turn)})
		}
	}

	return append(commands, plainCommands(count-len(commands))...)
}
