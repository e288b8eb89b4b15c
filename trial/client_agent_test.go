package trial

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// The verbs of the agent, as a client calls them.

// work is the agent's loop for a while: claim, do, report. Where another client is at it, this one looks on, or comes in
// between.
func (c *client) work() {
	if !c.site.turn.TryLock() {
		if c.r.IntN(4) > 0 {
			c.command()
		} else {
			c.intrude()
		}

		return
	}
	defer c.site.turn.Unlock()

	if c.r.IntN(6) == 0 {
		c.lose()
	}

	for range 1 + c.r.IntN(8) {
		out := c.claim(vars{"instance": agentInstance, "waitSeconds": c.r.IntN(2)})
		if out == nil {
			return
		}

		c.finish(out)
	}
}

// lose is an agent whose reports do not come through until the hub gives up: then the last of them does, too late.
func (c *client) lose() {
	var lost *handout

	for range 3 * mostDeliveries {
		out := c.claim(vars{"instance": agentInstance})

		switch {
		case out == nil:
			c.resumeQueue()
			c.call(c.site.operator, "setPace", setPace, atOnce(), nil)

			continue
		case lost != nil && lost.Command.ID != out.Command.ID:
			c.report(lost, "DONE")
			c.finish(out)

			return
		}

		lost = out
	}
}

// intrude claims while another client is the agent: mostly as another instance, which the seat keeps out, and now and
// then as the same one, as a restarted agent would. Then the other client's command is handed out once more, and both
// report it, or this one is never heard of again.
func (c *client) intrude() {
	if c.r.IntN(c.atOnce) >= 3 {
		var instance any
		if c.r.IntN(2) == 0 {
			instance = otherInstance
		}

		if out := c.claim(vars{"instance": instance}); out != nil {
			c.t.Errorf("command %s was handed to instance %v while %s has the seat", out.Command.ID, instance, agentInstance)
		}

		return
	}

	if out := c.claim(vars{"instance": agentInstance}); out != nil && c.r.IntN(2) == 0 {
		c.finish(out)
	}
}

// claim asks for a command; nil where there is none now.
func (c *client) claim(variables vars) *handout {
	var answer claimAnswer

	code := c.try(c.site.agent, "claim", claimNext, variables, &answer)
	if answer.IdleReason != nil {
		code = *answer.IdleReason
	}

	if (answer.Claim == nil) == (code == codeOK) {
		c.t.Errorf("a claim was answered with a command (%t) and %s", answer.Claim != nil, code)
	}

	c.table.add("claim", code)

	if answer.Claim == nil {
		return nil
	}

	c.site.record.handedOut(answer.Claim)
	c.site.learnHand(answer.Claim.Command.ID)

	if answer.Claim.Delivery > 1 {
		c.table.saw("a command was delivered again")
	}

	return answer.Claim
}

// finish does what an agent does with a command: mostly it reports success, and else a failure, at times to find the
// issue made all the same, or it shows the wanted state and leaves the confirming to the hub.
func (c *client) finish(out *handout) {
	switch pick := c.r.IntN(8); {
	case out.Command.Kind == "REFRESH" && pick < 6:
		c.show(out)
	case pick == 0:
		c.report(out, "FAILED")

		if out.Command.Kind == "ENSURE_ISSUE" && c.r.IntN(2) == 0 {
			c.report(out, "DONE")
		}
	case pick < 3:
		c.show(out)
	default:
		c.report(out, "DONE")
	}
}

// report reports what became of a command, a DONE creation with a key that every delivery of it finds again.
func (c *client) report(out *handout, outcome string) {
	input := vars{"command": out.Command.ID, "outcome": outcome, "instance": agentInstance}
	report := acceptedReport{command: out.Command.ID}

	switch {
	case outcome == "FAILED":
		input["error"] = vars{"httpStatus": 400, "message": "no such thing as " + out.Command.ID}
		report.status, report.err = failed, "HTTP 400: no such thing as "+out.Command.ID
	case out.Command.Kind == "ENSURE_ISSUE":
		report.status, report.key = done, createdKey(out.Command.ID)
		input["key"] = report.key
	default:
		report.status = done
	}

	if c.r.IntN(4) == 0 {
		input["issues"] = list{someSnapshot(c.r, someKey(c.r))}
	}

	c.sendReport(input, report)
}

// createdKey is the key of the issue that the agent made for a command: the same each time it looks.
func createdKey(command string) string { return "MADE-" + command }

func (c *client) sendReport(input vars, report acceptedReport, may ...string) {
	var answer reportAnswer
	if c.call(c.site.agent, "report", reportOutcome, vars{"input": input}, &answer, may...) != codeOK {
		return
	}

	if !answer.Accepted {
		c.table.saw("a report came too late")

		return
	}

	if answer.Command.Status != enumOf(report.status) {
		c.t.Errorf("a report of %s was accepted, and the command is %s", report.status, answer.Command.Status)
	}

	c.site.record.reported(report)
}

// show pushes a page of a refresh, or else the issue as the command wants it, which confirms some kinds; after that it
// reports it all the same, as an agent would.
func (c *client) show(out *handout) {
	if out.Command.Kind == "REFRESH" {
		page := vars{"issues": list{someSnapshot(c.r, someKey(c.r))}, "command": out.Command.ID, "total": 2, "instance": agentInstance}
		c.push(page)
	}

	var params struct {
		Key    string         `json:"key"`
		Path   []string       `json:"path"`
		Sprint *string        `json:"sprint"`
		Fields map[string]any `json:"fields"`
	}

	if err := json.Unmarshal(out.Params, &params); err != nil {
		c.t.Errorf("read what was handed out: %v", err)
	}

	if params.Key == "" {
		c.report(out, "DONE")

		return
	}

	snapshot := someSnapshot(c.r, params.Key)
	snapshot["sprint"] = params.Sprint

	if len(params.Path) > 0 {
		snapshot["status"] = params.Path[len(params.Path)-1]
	}

	if params.Fields != nil {
		snapshot["fields"] = params.Fields
		snapshot["summary"] = params.Fields["summary"]
	}

	c.push(vars{"issues": list{snapshot}, "instance": agentInstance})
	c.report(out, "DONE")
}

func (c *client) push(variables vars, may ...string) {
	var answer pushAnswer
	if c.call(c.site.agent, "pushIssues", pushIssues, variables, &answer, may...) != codeOK {
		return
	}

	c.site.record.confirmed(&answer)

	if len(answer.Confirmed) > 0 {
		c.table.saw("a push confirmed the claimed command")
	}
}

// meddle reports on a command that this client was not given: one that was never handed out, that has ended, that
// another one is just working on, or that is not there at all.
func (c *client) meddle() {
	if c.r.IntN(6) == 0 {
		input := vars{"command": c.other.someCommand(c.r), "outcome": "DONE"}
		c.must(codeNotFound, c.site.agent, "report", reportOutcome, vars{"input": input})

		return
	}

	id := c.site.someCommand(c.r)
	input := vars{"command": id, "outcome": "DONE"}
	report := acceptedReport{command: id, status: done}

	if c.r.IntN(2) == 0 {
		// With a key it is either a creation, open or ended, or the key is wrong.
		report.key = createdKey(id)
		input["key"] = report.key
	}

	// Without one it must not be an open creation, with one it must be a creation.
	c.sendReport(input, report, codeConflict, codeUnprocessable, c.early(list{id}))
}

func (c *client) heartbeat() {
	instance := []string{agentInstance, otherInstance}[c.r.IntN(2)]
	c.call(c.site.agent, "heartbeat", heartbeat, vars{"instance": instance, "version": "1.0"}, nil)
}

func (c *client) pushJira() {
	input := vars{
		"baseUrl": "https://jira.example.com", "deployment": "Server", "version": "9.12.0",
		"fields": list{vars{"id": "customfield_10014", "name": "Epic Link"}}, "statuses": list{"Review", "Done"},
	}
	c.call(c.site.agent, "pushJira", pushJira, vars{"input": input}, nil)
}

// pushIssues tells of issues on the agent's own account: some gone, some with an id of Jira's, which moves an issue
// that had another key before; and a page too large now and then.
func (c *client) pushIssues() {
	if c.r.IntN(12) == 0 {
		missing := make(list, 1001)
		for i := range missing {
			missing[i] = fmt.Sprintf("AURORA-%d", 1+i)
		}

		c.must(codeTooLarge, c.site.agent, "pushIssues", pushIssues, vars{"issues": list{}, "missing": missing})

		return
	}

	var snapshots list

	for range 1 + c.r.IntN(4) {
		snapshot := someSnapshot(c.r, someKey(c.r))
		if c.r.IntN(6) == 0 {
			snapshot["id"] = strconv.Itoa(10_000 + c.r.IntN(5))
		}

		snapshots = append(snapshots, snapshot)
	}

	c.push(vars{"issues": snapshots, "missing": list{someKey(c.r)}, "instance": agentInstance})
}

// atOnce is a pace that lets the agent work without a pause and around the clock.
func atOnce() vars {
	return vars{"input": vars{"minPauseSeconds": 0, "maxPauseSeconds": 0, "workingHours": nil, "pauseAfterFailures": nil}}
}

// neverHours are working hours on one day, three days from now.
func neverHours() vars {
	day := (int(time.Now().UTC().Weekday())+2)%7 + 1

	return vars{"timeZone": "UTC", "days": list{day}, "from": "09:00", "to": "18:00"}
}

// newRand is a source of its own for one of the trial's actors.
func newRand(actor int) *rand.Rand { return rand.New(rand.NewPCG(*seed, uint64(actor))) } //nolint:gosec // it is to be repeatable
