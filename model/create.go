package model

import (
	"encoding/json"
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Creation is what has to come of a call that makes a batch.
type Creation struct {
	// Refusal is the code of the error, "" for none; Problems what it names, Faulty the same of a retry.
	Refusal  queue.Code
	Problems []Problem
	Faulty   map[queue.CommandID]queue.ProblemCode
	// Before is the batch that the same call made before; 0 for none.
	Before queue.BatchID
	// Commands are those of the new batch, in order.
	Commands []*Command

	batch     Batch
	clientKey *string
	content   string
}

// client is what a client key was used for.
type client struct {
	content string
	batch   queue.BatchID
}

// Create judges a batch; Made takes it in when the hub has given it its ids.
func (s *Site) Create(by string, spec queue.BatchSpec) Creation {
	problems := s.Problems(spec)
	refused := Creation{Refusal: queue.Unprocessable, Problems: problems}

	// What an equal batch before had not known, a move of one of its issues, does not refuse the repeated call.
	if unmoved := (&Site{}).Problems(spec); len(unmoved) > 0 {
		return refused
	}

	creation := Creation{batch: Batch{Author: by, Held: spec.Held}, clientKey: spec.ClientKey}
	if spec.Title != nil {
		creation.batch.Title = *spec.Title
	}

	for _, command := range spec.Commands {
		creation.Commands = append(creation.Commands, &Command{Params: spelledParams(command.Params)})
	}

	creation.content = "batch " + spelling(spec.Title)
	for _, c := range creation.Commands {
		creation.content += Spelling(c.Params)
	}

	if s.repeated(&creation); creation.Before == 0 && creation.Refusal == "" && len(problems) > 0 {
		return refused
	}

	return creation
}

// repeated answers for a client key that was used before.
func (s *Site) repeated(creation *Creation) {
	if creation.clientKey == nil {
		return
	}

	before, known := s.clients[creation.batch.Author+"/"+*creation.clientKey]

	switch {
	case !known:
	case before.content == creation.content:
		creation.Before = before.batch
	default:
		creation.Refusal = queue.Conflict
	}
}

// Made takes in a new batch under the ids that the hub gave it.
func (s *Site) Made(creation Creation, id queue.BatchID, ids []queue.CommandID) {
	batch := creation.batch
	batch.ID = id
	s.Batches[id] = &batch

	if creation.clientKey != nil {
		s.clients[batch.Author+"/"+*creation.clientKey] = client{creation.content, id}
	}

	bearers := map[queue.Key]*Command{}

	for position, c := range creation.Commands {
		c.ID, c.Batch, c.Position = ids[position], &batch, position
		c.needs, c.counted = map[queue.Key]*Command{}, map[queue.Key]bool{}
		s.Commands[c.ID] = c

		if c.Chain == 0 {
			c.Chain = c.ID
		}

		if issue, ok := c.Params.(queue.EnsureIssue); ok {
			c.TempKey = issue.TempKey
			bearers[c.TempKey] = c
		}
	}

	for _, c := range creation.Commands {
		for _, key := range awaited(c.Params) {
			c.needs[key] = bearers[key]
		}

		s.turn(c, queue.Queued, queue.CauseSubmitted, batch.Author)
	}
}

// Spelling is a text that tells parameters apart.
func Spelling(p queue.Params) string { return fmt.Sprintf("%T%s", p, spelling(p)) }

func spelling(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}

	return string(raw)
}
