package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// listed is a list, or what has one of commands.
type listed struct {
	Nodes      []struct{} `json:"nodes"`
	TotalCount *int       `json:"totalCount"`
	Commands   *listed    `json:"commands"`
}

// TestAnEmptyListOfAFilterMatchesNothing asks every list of every filter: with it empty, and with null, which is as if
// it were left out.
func TestAnEmptyListOfAFilterMatchesNothing(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	site.Push(t, hubtest.Snapshot("AURORA-1"))

	for name, operation := range map[string]string{
		"commands by status": `query ($list: [CommandStatus!]) { answer: commands(filter: {statuses: $list}) { nodes { id } totalCount } }`,
		"commands by kind":   `query ($list: [CommandKind!]) { answer: commands(filter: {kinds: $list}) { nodes { id } totalCount } }`,
		"batches by status":  `query ($list: [BatchStatus!]) { answer: batches(filter: {statuses: $list}) { nodes { id } totalCount } }`,
		"issues by key":      `query ($list: [IssueKey!]) { answer: issues(filter: {keys: $list}) { nodes { key } totalCount } }`,
		"issues by status":   `query ($list: [String!]) { answer: issues(filter: {statuses: $list}) { nodes { key } totalCount } }`,
		"a batch's commands": `query ($list: [CommandStatus!]) { answer: batch(id: ` + batch.ID +
			`) { commands(statuses: $list) { nodes { id } totalCount } } }`,
		"an issue's commands": `query ($list: [CommandStatus!]) { answer: issue(key: "AURORA-1") {
			commands(statuses: $list) { nodes { id } totalCount } } }`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, row := range []struct {
				list any
				want int
			}{{[]string{}, 0}, {nil, 1}} {
				found := hubtest.Ask[listed](t, site.Operator, operation, vars{"list": row.list})
				if found.Commands != nil {
					found = *found.Commands
				}

				same(t, "found", len(found.Nodes), row.want)
				if row.list != nil {
					same(t, "total", *found.TotalCount, 0)
				}
			}
		})
	}

	for _, newestFirst := range []bool{false, true} {
		page := hubtest.Ask[hubtest.LogPage](t, site.Operator, hubtest.QueryLog, vars{"kinds": []string{}, "newestFirst": newestFirst})
		same(t, "events", len(page.Nodes), 0)
		same(t, "more events", page.PageInfo.HasNextPage, false)
	}

	at := site.Queue(t).Cursor
	page := hubtest.Ask[hubtest.LogPage](t, site.Operator, hubtest.QueryLog, vars{"kinds": []string{}, "after": at})
	same(t, "end of an empty page", page.PageInfo.EndCursor, at)
}

func TestFollowingAnEmptyListIsRefused(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)

	for _, operation := range []string{
		`subscription { commandChanged(statuses: []) { cursor } }`,
		`subscription { logAppended(kinds: []) { __typename } }`,
		`subscription { issueChanged(keys: []) { cursor } }`,
		`subscription { noteChanged(keys: []) { cursor } }`,
	} {
		site.Operator.Subscribe(t, operation, nil).Refused(t, "UNPROCESSABLE")
	}
}
