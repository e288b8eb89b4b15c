package acceptance

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestListsOfACommandAreBounded(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)

	refusedWith(t, site, []vars{
		hubtest.Refresh(keys(6000)...),
		hubtest.Comment("AURORA-1", ""),
		hubtest.Refresh(append(keys(4000), "no key")...),
		hubtest.Status("AURORA-1", append(make([]string, 100), "Done")...),
		hubtest.Refresh("AURORA-1"),
	}, at("1", "body", "REQUIRED")[0], at("2", "keys", "TOO_LONG")[0], at("3", "path", "TOO_LONG")[0], at("4", "keys", "TOO_LONG")[0])

	path := strings.Split(strings.Repeat("Open,", 99)+"Done", ",")
	site.Submit(t, hubtest.Refresh(keys(6000)...), hubtest.Refresh(keys(4000)...), hubtest.Status("AURORA-1", path...))
}

func TestWhatTheAgentTellsOfJiraIsBounded(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	long := strings.Repeat("a", 256)
	told := func(name string, value any) vars {
		input := vars{"baseUrl": "https://jira", "deployment": "Cloud", "version": "1"}
		input[name] = value

		return vars{"input": input}
	}
	types := func(count int) []string { return strings.Split(strings.Repeat("Task,", count-1)+"Task", ",") }

	for name, row := range map[string]struct {
		input         vars
		code, message string
	}{
		"statuses": {told("statuses", types(10_001)), "TOO_LARGE", "statuses has 10001 items; at most 10000 go into one call"},
		"issue types of two projects": {told("projects", []vars{
			{"key": "A", "name": "A", "issueTypes": types(5000)}, {"key": "B", "name": "B", "issueTypes": types(5001)},
		}), "TOO_LARGE", "issueTypes of all projects together has 10001 items; at most 10000 go into one call"},
		"a field's name": {
			told("fields", []vars{{"id": "1", "name": "a"}, {"id": "2", "name": long}}), "UNPROCESSABLE",
			"fields[1].name has 256 characters; at most 255 are allowed",
		},
		"a status":    {told("statuses", []string{long}), "UNPROCESSABLE", "statuses[0] has 256 characters; at most 255 are allowed"},
		"the version": {told("version", long), "UNPROCESSABLE", "version has 256 characters; at most 255 are allowed"},
		"the address": {
			told("baseUrl", strings.Repeat("a", 2001)), "UNPROCESSABLE", "baseUrl has 2001 characters; at most 2000 are allowed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, "message", refusal(t, site.Agent, row.code, hubtest.PushJira, row.input), row.message)
		})
	}

	hubtest.Ask[hubtest.JiraTold](t, site.Agent, hubtest.PushJira, told("statuses", types(10_000)))
}

func TestAnAgentsProblemIsCutAndItsVersionBounded(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	agent := hubtest.Ask[hubtest.Agent](t, site.Agent, hubtest.Heartbeat,
		vars{"instance": "one", "problem": strings.Repeat("я", 1501)})
	same(t, "problem", said(agent.Problem), strings.Repeat("я", 1500))
	same(t, "message", refusal(t, site.Agent, "UNPROCESSABLE", hubtest.Heartbeat,
		vars{"instance": "one", "version": strings.Repeat("a", 256)}), "version has 256 characters; at most 255 are allowed")
}
