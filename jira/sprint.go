package jira

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Sprint is one sprint.
type Sprint struct {
	ID   int64
	Name string
	// State is active, future or closed.
	State string
	// Board is the board it belongs to; 0 where unknown.
	Board int64
}

// sprintsOf reads the value of a sprint field: objects on Cloud, texts on Server and Data Center.
func sprintsOf(value any) ([]Sprint, error) {
	var entries []any

	switch value := value.(type) {
	case nil:
		return nil, nil
	case []any:
		entries = value
	default:
		entries = []any{value}
	}

	sprints := make([]Sprint, 0, len(entries))

	for _, entry := range entries {
		switch entry := entry.(type) {
		case nil:
		case string:
			sprint, ok := ParseSprint(entry)
			if !ok {
				return nil, fmt.Errorf("no sprint can be read from %q", shorten(entry))
			}

			sprints = append(sprints, sprint)
		case map[string]any:
			sprints = append(sprints, Sprint{
				ID: integer(entry["id"]), Name: text(entry, "name"),
				State: strings.ToLower(text(entry, "state")), Board: max(integer(entry["boardId"]), integer(entry["originBoardId"])),
			})
		default:
			return nil, errors.New("a sprint is neither a text nor an object")
		}
	}

	return sprints, nil
}

// current is the name of the sprint an issue is in now: the active one before a future one, never a closed one.
func current(sprints []Sprint) *string {
	var now *string

	for _, sprint := range sprints {
		switch {
		case sprint.State == "active":
			return &sprint.Name
		case sprint.State != "closed" && now == nil:
			now = &sprint.Name
		}
	}

	return now
}

// sprintValues are sprints as Cloud shows them, as far as both dialects tell.
func sprintValues(sprints []Sprint) []any {
	values := make([]any, len(sprints))
	for i, sprint := range sprints {
		values[i] = map[string]any{
			"id": json.Number(strconv.FormatInt(sprint.ID, 10)), "name": sprint.Name, "state": sprint.State,
		}
	}

	return values
}

func integer(value any) int64 {
	number, ok := value.(json.Number)
	if !ok {
		return 0
	}

	parsed, err := number.Int64()
	if err != nil {
		return 0
	}

	return parsed
}
