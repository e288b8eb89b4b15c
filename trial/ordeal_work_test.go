package trial

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
)

// workplace is a site with those who work on it during the ordeal.
type workplace struct {
	*ordeal
	*site

	// The agent's progress lets people go on, so that work comes in about as fast as it is done.
	room, cancels, retries chan struct{}
	// closing is closed when people go home; the agent works off what there is.
	closing chan struct{}
	// lateReports is how many reports came after their command had ended otherwise.
	lateReports int
}

func newWorkplace(o *ordeal, s *site) *workplace {
	const ahead = 4

	w := &workplace{
		ordeal: o, site: s, closing: make(chan struct{}),
		room: make(chan struct{}, ahead), cancels: make(chan struct{}, ahead), retries: make(chan struct{}, ahead),
	}
	w.letGoOn(0)

	return w
}

// letGoOn gives people a turn, of each kind at its own pace: 0 is the pace of a queue with nothing in it.
func (w *workplace) letGoOn(done int) {
	for turns, every := range map[chan struct{}]int{w.room: 4, w.cancels: 3, w.retries: 3} {
		if done%every != 0 {
			continue
		}

		select {
		case turns <- struct{}{}:
		default: // they have more than they can do
		}
	}
}

// turn waits for one; false when it is time to go home.
func (w *workplace) turn(turns <-chan struct{}) bool {
	select {
	case <-turns:
		return true
	case <-w.closing:
		return false
	case <-w.ctx.Done():
		return false
	}
}

// open has everybody work; the first group is over when people have gone home, the second when nothing is left to do.
func (w *workplace) open(number int, people, agent *sync.WaitGroup) {
	const actors = 10

	person := func(i int) *rand.Rand { return newRand(-(number*actors + i + 1)) }

	people.Go(func() { w.order("first", person(0)) })
	people.Go(func() { w.order("second", person(1)) })
	people.Go(func() { w.callOff(person(2)) })
	people.Go(func() { w.tryAgain(person(3)) })
	agent.Go(w.beAgent)
}

// order creates batches, each with a client key of its own, and now and then asks for an answered one once more.
func (w *workplace) order(who string, r *rand.Rand) {
	for n := 0; w.turn(w.room); n++ {
		clientKey := fmt.Sprintf("%s-%d", who, n)
		input := vars{"input": vars{"title": "Ordeal", "clientKey": clientKey, "commands": someCommands(r)}}

		for range 1 + r.IntN(6)/5 {
			var made madeAnswer
			if w.persist(w.operator, "createBatch", createBatch, input, &made, batchMark(w.operator.name, clientKey)) != codeOK {
				return
			}

			w.record.made(clientKey, &made.Batch)
			w.learn(&made.Batch)
		}
	}
}

// callOff cancels two of the newest, at times also the one that the agent has in hand.
func (w *workplace) callOff(r *rand.Rand) {
	for w.turn(w.cancels) {
		ids := list{w.someCommand(r), w.someCommand(r)}
		if ids[0] == nobodys {
			continue
		}

		var answer cancelAnswer
		if w.persist(w.operator, "cancelCommands", cancelCommands, vars{"ids": ids, "force": r.IntN(3) == 0}, &answer,
			eventMark("cancelled", ids)) != codeOK {
			return
		}

		w.record.calledOff(&answer)
	}
}

// tryAgain retries one of the newest that ended without success, with what belongs to it. It may have been retried with
// another by then.
func (w *workplace) tryAgain(r *rand.Rand) {
	filter := vars{"filter": vars{"statuses": list{"FAILED", "CANCELLED", "SKIPPED"}}, "first": 20}

	for n := 0; w.turn(w.retries); n++ {
		var unsuccessful page[commandAnswer]
		if w.persist(w.operator, "commands", queryCommands, filter, &unsuccessful, mark{}) != codeOK {
			return
		}

		if len(unsuccessful.Nodes) == 0 {
			continue
		}

		clientKey := fmt.Sprintf("retry-%d", n)
		input := vars{
			"ids": list{unsuccessful.Nodes[r.IntN(len(unsuccessful.Nodes))].ID}, "withRelated": true, "clientKey": clientKey,
		}

		var made madeAnswer

		switch w.persist(w.operator, "retryCommands", retryCommands, input, &made, batchMark(w.operator.name, clientKey),
			codeConflict, codeUnprocessable) {
		case codeOK:
			w.record.made(clientKey, &made.Batch)
			w.learn(&made.Batch)
		case codeNone:
			return
		}
	}
}

// beAgent claims, does and reports until people have gone home and nothing is left.
func (w *workplace) beAgent() {
	for done := 1; ; {
		var answer claimAnswer
		if w.persist(w.agent, "claim", claimNext, vars{"instance": agentInstance, "waitSeconds": 1}, &answer, handoutMark(w.name)) != codeOK {
			return
		}

		if answer.Claim != nil {
			w.record.handedOut(answer.Claim)

			if !w.do(answer.Claim) {
				return
			}

			done++
			w.letGoOn(done)

			continue
		}

		select {
		case <-w.closing:
			return
		default:
			w.letGoOn(0)
		}
	}
}

// do reports what became of the command: the same, however often it is delivered.
func (w *workplace) do(out *handout) bool {
	id := out.Command.ID
	input := vars{"command": id, "outcome": "DONE", "instance": agentInstance}
	report := acceptedReport{command: id, status: done}

	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		w.t.Errorf("the command %q was handed out: %v", id, err)
	}

	const oneIn = 7

	switch {
	case number%oneIn == 0:
		input["outcome"], input["error"] = "FAILED", vars{"message": "no such thing as " + id}
		report.status, report.err = failed, "no such thing as "+id
	case out.Command.Kind == "ENSURE_ISSUE":
		report.key = createdKey(id)
		input["key"] = report.key
	}

	var answer reportAnswer
	if w.persist(w.agent, "report", reportOutcome, vars{"input": input}, &answer, eventMark("reported", list{id})) != codeOK {
		return false
	}

	if answer.Accepted {
		w.record.reported(report)
	} else {
		w.lateReports++
	}

	return true
}
