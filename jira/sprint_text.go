package jira

import (
	"regexp"
	"strconv"
	"strings"
)

// Data Center prints a sprint as Java does an object: Sprint@1f[id=5,rapidViewId=2,state=ACTIVE,name=...,...]. Nothing
// in it is quoted, so a name or goal may hold commas, brackets and even what looks like the next part. Which parts
// there are and in what order depends on the version; each known order is matched as a whole, so that name and goal are
// what the others leave.
var (
	sprintByName = regexp.MustCompile(sprintOrder("activatedDate? autoStartStop? completeDate? endDate? goal? id " +
		"incompleteIssuesDestinationId? name rapidViewId sequence? startDate? state synced?"))
	sprintIDFirst = regexp.MustCompile(sprintOrder("id rapidViewId? state? name goal? startDate endDate completeDate? " +
		"activatedDate? sequence? goal? autoStartStop? synced? incompleteIssuesDestinationId?"))
	sprintIDLast = regexp.MustCompile(sprintOrder("rapidViewId? state? name closed? goal? startDate endDate completeDate? " +
		"activatedDate? sequence? goal? id"))
)

// sprintOrder is the pattern of parts in that order, each after a comma; those with a ? may be missing.
func sprintOrder(order string) string {
	pattern := "(?s)^"

	var patternSb26 strings.Builder
	for part := range strings.FieldsSeq(order) {
		name, optional := strings.CutSuffix(part, "?")

		one := "," + name + "=" + sprintPartValue(name)
		if optional {
			one = "(?:" + one + ")?"
		}

		patternSb26.WriteString(one)
	}
	pattern += patternSb26.String()

	return pattern + "$"
}

func sprintPartValue(name string) string {
	switch name {
	case "id":
		return `(?P<id>\d+)`
	case "state":
		return `(?P<state>\w+)`
	case "name":
		return `(?P<name>.*?)`
	case "closed":
		return `(?P<closed>true|false)`
	case "rapidViewId":
		return `(?P<rapidViewId>-?\d+|<null>)`
	case "sequence", "incompleteIssuesDestinationId":
		return `(?:-?\d+|<null>)`
	case "autoStartStop", "synced":
		return `(?:true|false|<null>)`
	case "goal":
		return `.*?`
	default: // a date
		return `(?:<null>|\d{4}-[^,]*|)`
	}
}

// sprintPart finds the parts where the order is none of the known ones.
var sprintPart = regexp.MustCompile(`,(id|rapidViewId|state|name|goal|closed|startDate|endDate|completeDate|activatedDate|sequence|` +
	`autoStartStop|synced|incompleteIssuesDestinationId)=`)

// ParseSprint reads a sprint as Data Center prints it; false where the text is none.
func ParseSprint(printed string) (Sprint, bool) {
	_, parts, ok := strings.Cut(printed, "[")
	if !ok || !strings.HasSuffix(parts, "]") {
		return Sprint{}, false
	}

	found := sprintParts("," + strings.TrimSuffix(parts, "]"))

	id, err := strconv.ParseInt(found["id"], 10, 64)
	if err != nil {
		return Sprint{}, false
	}

	name, ok := found["name"]
	if !ok {
		return Sprint{}, false
	}

	sprint := Sprint{ID: id, Name: name, State: strings.ToLower(found["state"])}

	// <null> is no number: unknown.
	if board, err := strconv.ParseInt(found["rapidViewId"], 10, 64); err == nil {
		sprint.Board = board
	}

	if sprint.State == "" && found["closed"] == "true" {
		sprint.State = "closed"
	}

	return sprint, true
}

func sprintParts(parts string) map[string]string {
	found := map[string]string{}

	for _, order := range []*regexp.Regexp{sprintByName, sprintIDFirst, sprintIDLast} {
		values := order.FindStringSubmatch(parts)
		if values == nil {
			continue
		}

		for i, name := range order.SubexpNames() {
			if name != "" {
				found[name] = values[i]
			}
		}

		return found
	}

	starts := sprintPart.FindAllStringSubmatchIndex(parts, -1)
	for i, start := range starts {
		end := len(parts)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}

		name := parts[start[2]:start[3]]
		if _, taken := found[name]; !taken {
			found[name] = parts[start[1]:end]
		}
	}

	return found
}
