package jira

import (
	"regexp"
	"strconv"
	"strings"
)

// Data Center prints a sprint as Java does an object: Sprint@1f[id=5,rapidViewId=2,state=ACTIVE,name=...,...]. Nothing
// in it is quoted, so a name or goal may hold commas, brackets and even what looks like the next part. Which parts
// there are and in what order depends on the version; each known order is matched as a whole, with the free texts
// taking what is left.
const (
	number = `(?:-?\d+|<null>)`
	moment = `(?:<null>|\d{4}-[^,]*|)`
	flag   = `(?:true|false|<null>)`
)

var sprintOrders = []*regexp.Regexp{
	// 9 and newer: by name of the part.
	regexp.MustCompile(`(?s)^(?:activatedDate=` + moment + `,)?(?:autoStartStop=` + flag + `,)?(?:completeDate=` + moment +
		`,)?(?:endDate=` + moment + `,)?(?:goal=.*?,)?id=(?P<id>\d+),(?:incompleteIssuesDestinationId=` + number +
		`,)?name=(?P<name>.*?),rapidViewId=(?P<board>` + number + `)(?:,sequence=` + number + `)?(?:,startDate=` + moment +
		`)?,state=(?P<state>\w+)(?:,synced=` + flag + `)?,?$`),
	// Before: id first.
	regexp.MustCompile(`(?s)^id=(?P<id>\d+)(?:,rapidViewId=(?P<board>` + number + `))?(?:,state=(?P<state>\w+))?,name=(?P<name>.*?)` +
		beforeDates + `(?:,goal=.*|,autoStartStop=` + flag + `.*|,synced=` + flag + `.*|,incompleteIssuesDestinationId=` + number + `.*)?,?$`),
	// Long before: id last.
	regexp.MustCompile(`(?s)^(?:rapidViewId=(?P<board>` + number + `),)?(?:state=(?P<state>\w+),)?name=(?P<name>.*?)(?:,closed=(?P<closed>` +
		flag + `))?` + beforeDates + `(?:,goal=.*)?,id=(?P<id>\d+),?$`),
}

const beforeDates = `(?:,goal=.*?)?,startDate=` + moment + `,endDate=` + moment + `(?:,completeDate=` + moment +
	`)?(?:,activatedDate=` + moment + `)?(?:,sequence=` + number + `)?`

// sprintPart finds the parts where the order is none of the known ones.
var sprintPart = regexp.MustCompile(`(?:^|,)(id|rapidViewId|state|name|goal|closed|startDate|endDate|completeDate|activatedDate|sequence|` +
	`autoStartStop|synced|incompleteIssuesDestinationId)=`)

// ParseSprint reads a sprint as Data Center prints it; false where the text is none.
func ParseSprint(printed string) (Sprint, bool) {
	_, parts, ok := strings.Cut(printed, "[")
	if !ok || !strings.HasSuffix(parts, "]") {
		return Sprint{}, false
	}

	found := sprintParts(strings.TrimSuffix(parts, "]"))

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
	if board, err := strconv.ParseInt(found["board"], 10, 64); err == nil {
		sprint.Board = board
	}

	if sprint.State == "" && found["closed"] == "true" {
		sprint.State = "closed"
	}

	return sprint, true
}

func sprintParts(parts string) map[string]string {
	found := map[string]string{}

	for _, order := range sprintOrders {
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

	found["board"] = found["rapidViewId"]

	return found
}
