package trial

import (
	"fmt"
	"math/rand/v2"
)

const (
	issues  = 60
	project = "AURORA"
)

// someKey is an issue that may or may not be in the mirror.
func someKey(r *rand.Rand) string { return fmt.Sprintf("%s-%d", project, 1+r.IntN(issues)) }

// someCommands are the commands of a batch: up to two creations, the second perhaps under the first, and commands of
// every kind about them and about other issues, in any order, so that a creation may stand after what waits for it.
func someCommands(r *rand.Rand) list {
	var commands list

	creations := r.IntN(3)
	for i := 1; i <= creations; i++ {
		creation := vars{
			"tempKey": fmt.Sprintf("new:%d", i), "project": project, "issueType": "Task", "summary": fmt.Sprintf("Отчёт %d", r.IntN(1000)),
		}
		if i > 1 && r.IntN(2) == 0 {
			creation["parent"] = "new:1"
		}

		commands = append(commands, vars{"ensureIssue": creation})
	}

	key := func() string {
		if creations > 0 && r.IntN(2) == 0 {
			return fmt.Sprintf("new:%d", 1+r.IntN(creations))
		}

		return someKey(r)
	}

	for range 1 + r.IntN(4) {
		commands = append(commands, someCommand(r, key))
	}

	r.Shuffle(len(commands), func(i, j int) { commands[i], commands[j] = commands[j], commands[i] })

	return commands
}

func someCommand(r *rand.Rand, key func() string) vars {
	switch r.IntN(6) {
	case 0:
		return vars{"ensureFields": vars{"key": key(), "fields": vars{"summary": someSummary(r), "customfield_10014": key()}}}
	case 1:
		return vars{"ensureStatus": vars{"key": key(), "path": list{"In Progress", someStatus(r)}}}
	case 2:
		source, target := key(), key()
		for source == target {
			target = someKey(r)
		}

		return vars{"ensureLink": vars{"source": source, "target": target, "type": "Blocks", "exclusive": r.IntN(2) == 0}}
	case 3:
		return vars{"ensureSprint": vars{"key": key(), "sprint": someSprint(r)}}
	case 4:
		return vars{"ensureComment": vars{"key": key(), "body": someSummary(r)}}
	default:
		return vars{"refresh": vars{"keys": list{key(), key()}}}
	}
}

func someSummary(r *rand.Rand) string { return fmt.Sprintf("Summary %d", r.IntN(1000)) }

func someStatus(r *rand.Rand) string { return []string{"In Progress", "Review", "Done"}[r.IntN(3)] }

func someSprint(r *rand.Rand) any {
	return []any{"Спринт 1", "Спринт 2", nil}[r.IntN(3)]
}

// someSnapshot is an issue as the agent may have read it.
func someSnapshot(r *rand.Rand, key string) vars {
	return vars{
		"key": key, "project": project, "issueType": "Task", "summary": someSummary(r), "status": someStatus(r),
		"sprint": someSprint(r), "fields": vars{"labels": list{"trial"}},
		"links": list{vars{"type": "Relates", "direction": "OUTWARD", "key": someKey(r)}},
	}
}
