package acceptance

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// TestAProblemSaysWhatToChange holds the messages of problems that have the same field and code apart.
func TestAProblemSaysWhatToChange(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	long := strings.Repeat("n", 32_768)

	for name, row := range map[string]struct {
		entry vars
		want  []string
	}{
		"a field's name": {
			hubtest.Fields("AURORA-1", vars{long: 1}),
			[]string{`the name of the field "` + long[:80] + `" has 32768 characters; at most 32767 are allowed`},
		},
		"a field's value": {
			hubtest.Fields("AURORA-1", vars{"f": long}),
			[]string{`the field "f" has 32768 characters; at most 32767 are allowed`},
		},
		"a text and a member's name within a field": {
			hubtest.Fields("AURORA-1", vars{"f": []any{"\x00", vars{"\x00": 1}}}),
			[]string{
				`a text in the field "f" holds a NUL character; leave it out`,
				`the name of a member in the field "f" holds a NUL character; leave it out`,
			},
		},
		"no field":   {hubtest.Fields("AURORA-1", vars{}), []string{"fields is empty; give at least one field"}},
		"no path":    {hubtest.Status("AURORA-1"), []string{"path is empty; give the wanted status, last of those that lead to it"}},
		"a status":   {hubtest.Status("AURORA-1", "Open", " ", "Done"), []string{"path[1] is empty"}},
		"no sprint":  {hubtest.Sprint("AURORA-1", hubtest.Absent{}), []string{"sprint is missing; give its name, or null for the backlog"}},
		"nothing":    {hubtest.Refresh(), []string{"keys and jql are empty; give keys, a query or both"}},
		"a summary":  {hubtest.Creation("new:1", "summary", "a\nb"), []string{"summary has a line break; Jira takes one line"}},
		"its field":  {hubtest.Fields("AURORA-1", vars{"summary": "a\nb"}), []string{`the field "summary" has a line break; Jira takes one line`}},
		"no tempKey": {hubtest.Creation("new:0"), []string{`tempKey is "new:0"; it must be new:1, new:2 and so on`}},
	} {
		t.Run(name, func(t *testing.T) {
			problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateBatch, vars{"input": hubtest.BatchInput(one(row.entry))})
			same(t, "messages", each(problems, func(p hubtest.Problem) string { return p.Message }), row.want)
		})
	}
}

func TestARefusalSaysWhatToChange(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	handed := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	snapshot := func(more ...any) vars {
		return vars{"issues": []vars{hubtest.Snapshot("A-1"), hubtest.Snapshot("A-2", more...)}}
	}

	for name, row := range map[string]struct {
		caller          *hubtest.Client
		code, operation string
		with            vars
		want            string
	}{
		"too many missing": {
			site.Agent, "TOO_LARGE", hubtest.PushIssues,
			vars{"issues": []vars{}, "missing": keys(1001)},
			"missing has 1001 items; at most 1000 go into one call",
		},
		"a snapshot's key": {
			site.Agent, "UNPROCESSABLE", hubtest.PushIssues, snapshot("key", "new:1"),
			`issues[1].key is "new:1"; it must be an issue's key such as AURORA-1537`,
		},
		"its parent": {
			site.Agent, "UNPROCESSABLE", hubtest.PushIssues, snapshot("parent", "none"),
			`issues[1].parent is "none"; it must be an issue's key such as AURORA-1537`,
		},
		"its link": {
			site.Agent, "UNPROCESSABLE", hubtest.PushIssues, snapshot("links", []vars{hubtest.Outward("A-1"), hubtest.Outward("x")}),
			`issues[1].links[1].key is "x"; it must be an issue's key such as AURORA-1537`,
		},
		"a missing key": {
			site.Agent, "UNPROCESSABLE", hubtest.PushIssues,
			vars{"issues": []vars{}, "missing": []string{"A-1", "x"}},
			`missing[1] is "x"; it must be an issue's key such as AURORA-1537`,
		},
		"the total": {
			site.Agent, "UNPROCESSABLE", hubtest.PushIssues,
			vars{"issues": []vars{}, "total": -5},
			"total is -5; it must be 0 or more, or null while unknown",
		},
		"no refresh": {
			site.Agent, "UNPROCESSABLE", hubtest.PushIssues,
			vars{"issues": []vars{}, "command": handed},
			"command " + handed + " is no refresh; name the refresh that this page belongs to, or none",
		},
		"a reason with a NUL": {
			site.Operator, "UNPROCESSABLE", hubtest.PauseQueue, vars{"reason": "a\x00"}, "reason holds a NUL character; leave it out",
		},
		"a long reason": {
			site.Operator, "UNPROCESSABLE", hubtest.PauseQueue,
			vars{"reason": strings.Repeat("a", 32_768)},
			"reason has 32768 characters; at most 32767 are allowed",
		},
		"an empty client key": {
			site.Operator, "UNPROCESSABLE", hubtest.RetryCommands,
			vars{"ids": []string{handed}, "clientKey": " "},
			"clientKey is empty; leave it out, or give 1 to 200 characters",
		},
		"a long client key": {
			site.Operator, "UNPROCESSABLE", hubtest.RetryCommands,
			vars{"ids": []string{handed}, "clientKey": strings.Repeat("a", 201)},
			"clientKey has 201 characters; at most 200 are allowed",
		},
		"a client key with a NUL": {
			site.Operator, "UNPROCESSABLE", hubtest.RetryCommands,
			vars{"ids": []string{handed}, "clientKey": "a\x00"},
			"clientKey holds a NUL character; leave it out",
		},
		"nothing to retry": {
			site.Operator, "UNPROCESSABLE", hubtest.RetryCommands, vars{"ids": []string{}}, "ids is empty; name at least one command",
		},
		"a note's key": {
			site.Operator, "UNPROCESSABLE", hubtest.SetNote,
			vars{"key": "x", "text": "a"},
			`key is "x"; it must be a Jira key such as AURORA-1537 or a temporary one such as new:1`,
		},
		"the bounds of the pace": {
			site.Operator, "UNPROCESSABLE", hubtest.SetPace,
			vars{"input": vars{"minPauseSeconds": 5, "maxPauseSeconds": 4}},
			"minPauseSeconds is 5 and maxPauseSeconds 4; they must be 0 or more, at most 3600, and the first no more than the second",
		},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, "message", refusal(t, row.caller, row.code, row.operation, row.with), row.want)
		})
	}
}
