package trial

import (
	"fmt"
	"strings"
)

// The verbs of people, as a client calls them.

// createBatch creates one, a third of the time with a client key that others use at the same moment, some of them for
// the same content and some for another.
func (c *client) createBatch() {
	input := vars{"title": "Trial", "commands": someCommands(c.r), "held": c.r.IntN(10) == 0}
	// The two ends of a link may have become one issue, which others' pushes move.
	may := codeUnprocessable
	clientKey := ""

	switch c.r.IntN(12) {
	case 0, 1, 2, 3:
		which, content := c.r.IntN(30), c.r.IntN(4)
		clientKey, may = fmt.Sprintf("shared-%d", which), codeConflict
		input = vars{"clientKey": clientKey, "commands": list{vars{"ensureComment": vars{
			"key": "AURORA-7", "body": fmt.Sprintf("%d, %t", which, content == 0),
		}}}}
	case 4:
		// A temporary key that nothing of the batch creates.
		input["commands"] = list{vars{"ensureSprint": vars{"key": "new:9", "sprint": "Спринт 1"}}}
		c.must(codeUnprocessable, c.operator(), "createBatch", createBatch, vars{"input": input})

		return
	}

	var made madeAnswer
	if c.call(c.operator(), "createBatch", createBatch, vars{"input": input}, &made, may) == codeOK {
		c.site.record.made(clientKey, &made.Batch)
		c.site.learn(&made.Batch)
	}
}

// operator is one of those who may change the queue. A client key is of the token's name, so it tells them apart.
func (c *client) operator() *caller {
	if c.r.IntN(4) == 0 {
		return c.site.admin
	}

	return c.site.operator
}

func (c *client) cancelCommands() {
	if c.r.IntN(12) == 0 {
		// One of another site's: none of them is cancelled.
		ids := list{c.site.someCommand(c.r), c.other.someCommand(c.r)}
		c.must(codeNotFound, c.operator(), "cancelCommands", cancelCommands, vars{"ids": ids, "force": true})

		return
	}

	ids := list{c.site.someCommand(c.r), c.site.someCommand(c.r)}
	if c.r.IntN(8) == 0 {
		ids[0] = c.site.lastHandedOut()
	}

	var answer cancelAnswer
	if c.call(c.operator(), "cancelCommands", cancelCommands, vars{"ids": ids, "force": c.r.IntN(3) == 0}, &answer, c.early(ids)) == codeOK {
		c.cancelled(&answer)
	}
}

// early is NOT_FOUND as long as the site has nothing that these ids could be of.
func (c *client) early(ids list) string {
	for _, id := range ids {
		if id == nobodys {
			return codeNotFound
		}
	}

	return ""
}

func (c *client) cancelBatch() {
	id := c.site.someBatch(c.r)

	var answer cancelAnswer
	if c.call(c.operator(), "cancelBatch", cancelBatch, vars{"id": id, "force": c.r.IntN(3) == 0}, &answer, c.early(list{id})) == codeOK {
		c.cancelled(&answer)
	}
}

func (c *client) cancelled(answer *cancelAnswer) {
	c.site.record.calledOff(answer)

	for what, some := range map[string]bool{
		"a cancel found the command ended already": len(answer.AlreadyEnded) > 0,
		"a cancel left a claimed command alone":    len(answer.StillClaimed) > 0,
		"a cancel skipped what waited":             len(answer.Skipped) > 0,
	} {
		if some {
			c.table.saw(what)
		}
	}
}

func (c *client) holdBatch() {
	if c.r.IntN(12) == 0 {
		c.must(codeNotFound, c.operator(), "holdBatch", holdBatch, vars{"id": c.other.someBatch(c.r)})

		return
	}

	id := c.site.someBatch(c.r)
	c.call(c.operator(), "holdBatch", holdBatch, vars{"id": id}, nil, c.early(list{id}))
}

func (c *client) releaseBatch() {
	id := c.site.someBatch(c.r)
	c.call(c.operator(), "releaseBatch", releaseBatch, vars{"id": id}, nil, c.early(list{id}))
}

// retryCommands retries one of the newest that ended without success, which others may be doing at the same moment.
func (c *client) retryCommands() {
	var unsuccessful page[commandAnswer]

	filter := vars{"statuses": list{"FAILED", "CANCELLED", "SKIPPED"}}
	if c.call(c.operator(), "commands", queryCommands, vars{"filter": filter, "first": 8}, &unsuccessful) != codeOK ||
		len(unsuccessful.Nodes) == 0 {
		return
	}

	by, clientKey := c.operator(), ""
	ids := list{unsuccessful.Nodes[c.r.IntN(len(unsuccessful.Nodes))].ID}
	variables := vars{"ids": ids, "withRelated": c.r.IntN(3) > 0}

	if c.r.IntN(2) == 0 {
		clientKey = fmt.Sprintf("retry-%s", ids[0])
		variables["clientKey"] = clientKey
	}

	var made madeAnswer
	if c.call(by, "retryCommands", retryCommands, variables, &made, codeConflict, codeUnprocessable) == codeOK {
		c.site.record.made(clientKey, &made.Batch)
		c.site.learn(&made.Batch)
	}
}

// setNote writes a note that it has just read, and may come too late with it.
func (c *client) setNote() {
	key := fmt.Sprintf("AURORA-%d", 1+c.r.IntN(4))
	if c.r.IntN(4) == 0 {
		key = fmt.Sprintf("new:%d", 1+c.r.IntN(2))
	}

	var before *noteAnswer
	if c.call(c.site.viewer, "note", queryNote, vars{"key": key}, &before) != codeOK {
		return
	}

	variables := vars{"key": key, "text": someSummary(c.r)}
	if c.r.IntN(8) == 0 {
		variables["text"] = ""
	}

	if before != nil && c.r.IntN(2) == 0 {
		variables["ifUpdatedAt"] = before.UpdatedAt
	}

	c.call(c.operator(), "setNote", setNote, variables, nil, codeConflict)
}

// setPace mostly lets the agent work at once and around the clock. The hours that it sets else never come: the only day
// is neither today nor next to it.
func (c *client) setPace() {
	input := vars{"minPauseSeconds": 0, "maxPauseSeconds": c.r.IntN(3), "workingHours": nil, "pauseAfterFailures": nil}

	switch c.r.IntN(8) {
	case 0:
		input["workingHours"] = neverHours()
	case 1:
		input["pauseAfterFailures"] = 3
	case 2:
		input["maxPauseSeconds"] = -1
		c.must(codeUnprocessable, c.operator(), "setPace", setPace, vars{"input": input})

		return
	}

	c.call(c.operator(), "setPace", setPace, vars{"input": input}, nil)
}

func (c *client) pauseQueue() {
	c.call(c.operator(), "pauseQueue", pauseQueue, vars{"reason": "Trial"}, nil)
}

func (c *client) resumeQueue() { c.call(c.operator(), "resumeQueue", resumeQueue, nil, nil) }

func (c *client) viewer() {
	if c.r.IntN(10) == 0 {
		c.must(codeBadRequest, c.site.viewer, "viewer", queryNonsense, nil)

		return
	}

	var answer struct {
		Site string `json:"site"`
	}

	if c.call(c.site.agent, "viewer", queryViewer, nil, &answer) == codeOK && answer.Site != c.site.name {
		c.t.Errorf("the token of %s is of site %s", c.site.name, answer.Site)
	}
}

func (c *client) queue() {
	var answer queueAnswer
	if c.call(c.site.viewer, "queue", queryQueue, nil, &answer) == codeOK {
		c.site.learnCursor(answer.Cursor)

		if n := answer.Counts; n.Claimed > 1 || n.Total < n.Queued+n.Claimed {
			c.t.Errorf("the queue of %s counts %+v", c.site.name, n)
		}
	}
}

// command asks for one, at times for another site's, which does not exist.
func (c *client) command() {
	c.lookUp("command", queryCommand, c.site.someCommand(c.r), c.other.someCommand(c.r))
}

func (c *client) batch() {
	c.lookUp("batch", queryBatch, c.site.someBatch(c.r), c.other.someBatch(c.r))
}

func (c *client) lookUp(verb, operation, own, others string) {
	id := own
	if c.r.IntN(10) == 0 {
		id = others
	}

	var answer *ref
	if c.call(c.site.viewer, verb, operation, vars{"id": id}, &answer) == codeOK && (answer != nil) != (id == own && own != nobodys) {
		c.t.Errorf("%s %s of %s: %v", verb, id, c.site.name, answer)
	}
}

func (c *client) commands() {
	filter := []vars{
		nil,
		{"statuses": list{"QUEUED", "CLAIMED"}},
		{"kinds": list{"ENSURE_ISSUE"}},
		{"key": someKey(c.r)},
		{"search": "отчёт"},
		{"batch": c.site.someBatch(c.r)},
	}[c.r.IntN(6)]
	c.call(c.site.viewer, "commands", queryCommands, vars{"filter": filter, "first": 1 + c.r.IntN(30)}, nil)
}

func (c *client) batches() {
	if c.r.IntN(8) == 0 {
		c.must(codeTooComplex, c.site.viewer, "batches", queryTooMuch, nil)

		return
	}

	filter := []vars{nil, {"statuses": list{"RUNNING"}}, {"author": c.site.operator.name}, {"search": "trial"}}[c.r.IntN(4)]
	c.call(c.site.viewer, "batches", queryBatches, vars{"filter": filter, "first": 1 + c.r.IntN(30)}, nil)
}

func (c *client) previewBatch() {
	c.call(c.site.viewer, "previewBatch", previewBatch, vars{"input": vars{"commands": someCommands(c.r)}}, nil)
}

func (c *client) jira() { c.call(c.site.viewer, "jira", queryJira, nil, nil) }

func (c *client) issue() {
	c.call(c.site.viewer, "issue", queryIssue, vars{"key": someKey(c.r)}, nil)
}

func (c *client) issues() {
	filter := []vars{nil, {"backlog": true}, {"statuses": list{"Done"}}, {"hasNote": true}, {"search": "summary"}}[c.r.IntN(5)]
	c.call(c.site.viewer, "issues", queryList, vars{"filter": filter, "first": 1 + c.r.IntN(30)}, nil)
}

func (c *client) note() {
	c.call(c.site.viewer, "note", queryNote, vars{"key": fmt.Sprintf("AURORA-%d", 1+c.r.IntN(4))}, nil)
}

func (c *client) notes() {
	c.call(c.site.viewer, "notes", queryNotes, vars{"first": 1 + c.r.IntN(30)}, nil)
}

// log reads from a position of the site, at times from one of another site's log, which is not kept here, and at times
// from something that is no position.
func (c *client) log() {
	cursor, others := c.site.someCursor(), c.other.someCursor()

	switch c.r.IntN(8) {
	case 0:
		if others != "" {
			c.must(codeCursorExpired, c.site.viewer, "log", queryLog, vars{"after": others})
		}
	case 1:
		c.must(codeUnprocessable, c.site.viewer, "log", queryLog, vars{"after": "no cursor"})
	case 2:
		c.call(c.site.viewer, "log", queryLog, vars{"newestFirst": true, "kinds": list{"COMMAND"}, "first": 20}, nil)
	default:
		var after any
		if cursor != "" {
			after = cursor
		}

		c.call(c.site.viewer, "log", queryLog, vars{"after": after, "first": 30}, nil)
	}
}

// enumOf is a status of the tables as the API writes it.
func enumOf(status string) string { return strings.ToUpper(status) }
