package trial

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// client is one of the two hundred: it picks one verb after the other, as whoever may call it, and knows which codes
// may come of it. Any other fails the test.
type client struct {
	t     *testing.T
	ctx   context.Context //nolint:containedctx // of the test, for all that the client calls
	table *table
	r     *rand.Rand
	site  *site
	// other is a site that is not the client's.
	other *site
	// atOnce is how many clients the site has.
	atOnce int
}

// verb is a field of Query or Mutation.
type verb struct {
	name, operation string
	// sample are variables for a call that is refused before anybody looks at them.
	sample vars
	// of tells which roles may call it.
	of roles
	// weight is how often it is picked, out of all weights.
	weight int
	do     func(*client)
}

type roles int

const (
	anybody roles = iota
	people
	operators
	agents
)

// verbs are all of the schema; TestTwoHundredClients asks the hub whether they are.
func verbs() []verb {
	ids := vars{"ids": list{nobodys}}
	id := vars{"id": nobodys}
	batch := vars{"input": vars{"commands": list{}}}
	key := vars{"key": "AURORA-1"}
	report := vars{"input": vars{"command": nobodys, "outcome": "DONE"}}
	jira := vars{"input": vars{"baseUrl": "https://jira.example.com", "deployment": "Server", "version": "9.12.0"}}

	return []verb{
		{"createBatch", createBatch, batch, operators, 14, (*client).createBatch},
		{"cancelCommands", cancelCommands, ids, operators, 6, (*client).cancelCommands},
		{"cancelBatch", cancelBatch, id, operators, 4, (*client).cancelBatch},
		{"holdBatch", holdBatch, id, operators, 4, (*client).holdBatch},
		{"releaseBatch", releaseBatch, id, operators, 6, (*client).releaseBatch},
		{"retryCommands", retryCommands, ids, operators, 6, (*client).retryCommands},
		{"setNote", setNote, vars{"key": "AURORA-1", "text": ""}, operators, 6, (*client).setNote},
		{"setPace", setPace, vars{"input": vars{"minPauseSeconds": 0, "maxPauseSeconds": 0}}, operators, 3, (*client).setPace},
		{"pauseQueue", pauseQueue, nil, operators, 1, (*client).pauseQueue},
		{"resumeQueue", resumeQueue, nil, operators, 3, (*client).resumeQueue},

		{"claim", claimNext, nil, agents, 24, (*client).work},
		{"heartbeat", heartbeat, vars{"instance": otherInstance}, agents, 3, (*client).heartbeat},
		{"report", reportOutcome, report, agents, 4, (*client).meddle},
		{"pushJira", pushJira, jira, agents, 1, (*client).pushJira},
		{"pushIssues", pushIssues, vars{"issues": list{}}, agents, 6, (*client).pushIssues},

		{"viewer", queryViewer, nil, anybody, 2, (*client).viewer},
		{"queue", queryQueue, nil, people, 3, (*client).queue},
		{"command", queryCommand, id, people, 4, (*client).command},
		{"commands", queryCommands, nil, people, 3, (*client).commands},
		{"batch", queryBatch, id, people, 4, (*client).batch},
		{"batches", queryBatches, nil, people, 3, (*client).batches},
		{"previewBatch", previewBatch, batch, people, 3, (*client).previewBatch},
		{"jira", queryJira, nil, people, 1, (*client).jira},
		{"issue", queryIssue, key, people, 3, (*client).issue},
		{"issues", queryList, nil, people, 2, (*client).issues},
		{"note", queryNote, key, people, 2, (*client).note},
		{"notes", queryNotes, nil, people, 2, (*client).notes},
		{"log", queryLog, nil, people, 3, (*client).log},
	}
}

// run calls verbs until the table has that many operations, of all clients together. It begins with the verb of the
// client's number, as someone who may not call it, so that each verb is tried so.
func (c *client) run(number, operations int) {
	all := verbs()

	c.trespass(all[number%len(all)])

	picks := make([]int, 0, len(all))

	for i, v := range all {
		picks = append(picks, slices.Repeat([]int{i}, v.weight)...)
	}

	for c.table.size() < operations && c.ctx.Err() == nil && !c.t.Failed() {
		switch pick := all[picks[c.r.IntN(len(picks))]]; c.r.IntN(60) {
		case 0:
			c.trespass(pick)
		case 1:
			c.beStranger(pick)
		default:
			pick.do(c)
		}
	}
}

// call makes one operation and enters what came of it into the table.
func (c *client) call(by *caller, verb, operation string, variables vars, into any, may ...string) string {
	code := c.try(by, verb, operation, variables, into, may...)
	c.table.add(verb, code)

	return code
}

// try is call for a verb whose outcome is more than a code.
func (c *client) try(by *caller, verb, operation string, variables vars, into any, may ...string) string {
	err := by.ask(c.ctx, operation, variables, into)
	code := codeOf(err)

	// Where two hundred wait for one site on a slow machine, the last may have waited too long.
	if !slices.Contains(append(may, codeOK, codeUnavailable), code) {
		c.t.Errorf("%s by %s with %.300v: %v; besides OK it may be: %s", verb, by.name, variables, err, strings.Join(may, ", "))
	}

	return code
}

// must is call for an operation that has to be refused.
func (c *client) must(code string, by *caller, verb, operation string, variables vars) {
	if got := c.call(by, verb, operation, variables, nil, code); got == codeOK {
		c.t.Errorf("%s by %s with %.300v was answered; it had to be %s", verb, by.name, variables, code)
	}
}

// trespass calls a verb as someone who may not.
func (c *client) trespass(v verb) {
	switch v.of {
	case anybody:
		v.do(c)
	case people:
		c.must(codeForbidden, c.site.agent, v.name, v.operation, v.sample)
	case operators:
		by := c.site.agent
		if c.site.viewer != c.site.operator && c.r.IntN(2) == 0 {
			by = c.site.viewer
		}

		c.must(codeForbidden, by, v.name, v.operation, v.sample)
	case agents:
		c.must(codeForbidden, c.site.operator, v.name, v.operation, v.sample)
	}
}

// beStranger calls a verb with no token at all.
func (c *client) beStranger(v verb) {
	c.must(codeUnauthenticated, c.site.operator.as(""), v.name, v.operation, v.sample)
}
