package trial

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// shift is the work that goes on while the crowd reads: somebody orders, somebody writes notes, the agent claims and
// reports and brings in issues, each time at one of the hubs. What a hub that is away did not answer is let be, for only
// the log says what happened.
type shift struct {
	t *testing.T
	// operators and agents are one for each hub.
	operators, agents []*caller
	// rounds are those that are over.
	rounds atomic.Int64
}

func newShift(t *testing.T, s *site, hubs *pair) *shift {
	t.Helper()

	made := &shift{t: t}

	for _, at := range hubs.at {
		made.operators = append(made.operators, s.operator.at("http://"+at.address))
		made.agents = append(made.agents, s.agent.at("http://"+at.address))
	}

	return made
}

// begin has the work done beside the test until stop is called.
func (s *shift) begin(every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(s.t.Context())

	var working sync.WaitGroup

	working.Go(func() { s.run(ctx, every) })

	return func() {
		cancel()
		working.Wait()
	}
}

// newest is the position of the newest event, of which there is one.
func (s *shift) newest() string {
	s.t.Helper()

	var newest page[eventAnswer]

	err := s.operators[0].ask(s.t.Context(), queryLog, vars{"newestFirst": true, "first": 1}, &newest)
	if err != nil || len(newest.Nodes) == 0 {
		s.t.Fatalf("there is no newest event: %v", err)
	}

	return newest.Nodes[0].Cursor
}

// run works until the context ends, a round in each stretch of time.
func (s *shift) run(ctx context.Context, every time.Duration) {
	next := time.NewTicker(every)
	defer next.Stop()

	for {
		s.round(ctx)

		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
	}
}

// await returns after so many more rounds.
func (s *shift) await(rounds int64) {
	s.t.Helper()

	until := s.rounds.Load() + rounds

	await(s.t, "enough was done", func() bool { return s.rounds.Load() >= until })
}

// readARound is how many of the events of a round one of the crowd reads on average, about.
const readARound = 2

func (s *shift) round(ctx context.Context) {
	defer s.rounds.Add(1)

	n := int(s.rounds.Load()) + 1
	hub := n % len(s.operators)
	r := newRand(n)
	key := someKey(r)

	s.call(ctx, s.operators[hub], createBatch, vars{"input": vars{
		"clientKey": fmt.Sprintf("round %d", n), "title": fmt.Sprintf("Обход %d", n),
		"commands": list{vars{"ensureComment": vars{"key": key, "body": someSummary(r)}}},
	}}, nil)

	var claimed claimAnswer

	agent := s.agents[r.IntN(len(s.agents))]
	s.call(ctx, agent, claimNext, vars{"instance": agentInstance}, &claimed)

	if claimed.Claim != nil {
		s.call(ctx, agent, reportOutcome, vars{"input": vars{
			"command": claimed.Claim.Command.ID, "outcome": "DONE", "instance": agentInstance,
		}}, nil)
	}

	if n%2 == 0 {
		s.call(ctx, s.operators[hub], setNote, vars{"key": key, "text": fmt.Sprintf("Заметка %d", n)}, nil)
	} else {
		snapshot := someSnapshot(r, key)
		snapshot["summary"] = fmt.Sprintf("Summary of round %d", n)
		s.call(ctx, agent, pushIssues, vars{"issues": list{snapshot}, "instance": agentInstance}, nil)
	}
}

// call makes a call, whose answer may be lost.
func (s *shift) call(ctx context.Context, by *caller, operation string, variables vars, into any) {
	ctx, stop := context.WithTimeout(ctx, readyWithin)
	defer stop()

	err := by.ask(ctx, operation, variables, into)
	if code := codeOf(err); !slices.Contains([]string{codeOK, codeNone, codeUnavailable}, code) {
		s.t.Errorf("%.40s with %.300v: %v", operation, variables, err)
	}
}
