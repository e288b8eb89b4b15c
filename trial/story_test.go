package trial

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// story is a site whose log is written by hand: a creation, a comment that waits for it and stands before it, and the
// sprint of another issue.
type story struct {
	tables *tables
	record *record
}

const (
	comment  = 10
	creation = 11
	sprint   = 12
	batchID  = 1
)

func begin() *story {
	s := &story{record: newRecord(), tables: &tables{
		site: "story", commands: map[int64]*commandRow{}, batches: map[int64]*batchRow{batchID: {id: batchID, author: "operator"}},
		needs: map[need]bool{{comment, creation}: true}, notes: map[string]noteRow{}, issues: map[string]bool{},
	}}

	temporary := "new:1"
	for _, row := range []*commandRow{
		{id: comment, kind: "ensure_comment", params: json.RawMessage(`{"key": "new:1", "body": "new:2"}`)},
		{id: creation, kind: "ensure_issue", params: json.RawMessage(`{"tempKey": "new:1", "fields": {}}`), tempKey: &temporary},
		{id: sprint, kind: "ensure_sprint", params: json.RawMessage(`{"key": "AURORA-1", "sprint": null}`)},
	} {
		row.batch, row.position, row.dedupeKey = batchID, len(s.tables.order), fmt.Sprint("mark of ", row.id)
		row.state = state{status: queued}
		s.tables.commands[row.id] = row
		s.tables.order = append(s.tables.order, row.id)
	}

	s.tables.commands[comment].state.waiting = 1

	for _, id := range s.tables.order {
		s.log(id, "submitted", nil)
	}

	s.record.made("", s.answer(s.tables.order...))

	return s
}

// answer is the batch as createBatch answered it.
func (s *story) answer(ids ...int64) *batchAnswer {
	answer := &batchAnswer{ID: strconv.Itoa(batchID), Author: "operator"}
	for _, id := range ids {
		answer.Commands.Nodes = append(answer.Commands.Nodes, commandAnswer{ID: strconv.FormatInt(id, 10)})
	}

	return answer
}

// log appends what a change left of a command.
func (s *story) log(id int64, cause string, from *string) {
	row := s.tables.commands[id]
	e := event{
		seq: int64(len(s.tables.events) + 1), kind: "command", command: id, batch: row.batch, cause: cause, from: from, state: row.state,
	}

	if !steps()[cause].byHub {
		actor := "somebody"
		e.actor = &actor
	}

	s.tables.events = append(s.tables.events, e)
	s.tables.head = e.seq
}

// change takes a command to another status.
func (s *story) change(id int64, status, cause string, more func(*state)) {
	row := s.tables.commands[id]
	from := row.state.status
	row.state.status = status
	now := time.Now()

	switch {
	case status == claimed:
		row.state.deliveries++
		row.state.claimedAt = &now
		s.tables.inHand = id
	case final(status) && !final(from):
		row.state.finishedAt = &now
		s.tables.inHand = 0
	}

	if more != nil {
		more(&row.state)
	}

	s.log(id, cause, &from)
}

// handOut is a claim with its answer.
func (s *story) handOut(id int64, cause, params string) {
	s.change(id, claimed, cause, nil)

	row := s.tables.commands[id]
	s.record.handedOut(&handout{
		Command: commandAnswer{ID: strconv.FormatInt(id, 10), Params: row.params}, Params: json.RawMessage(params),
		Delivery: row.state.deliveries, DedupeKey: row.dedupeKey,
	})
}

func (s *story) create(key string) {
	s.change(creation, done, "reported", func(after *state) { after.resultKey = &key })
	s.tables.commands[comment].state.waiting = 0
	s.record.reported(acceptedReport{command: strconv.Itoa(creation), status: done, key: key})
}

const (
	givenCreation = `{"tempKey": "new:1", "fields": {}}`
	givenComment  = `{"key": "AURORA-7", "body": "new:2"}`
	givenSprint   = `{"key": "AURORA-1", "sprint": null}`
)

// wellTold is the story as it should go.
func wellTold() *story {
	s := begin()
	s.handOut(creation, "claimed", givenCreation)
	s.handOut(creation, "redelivered", givenCreation)
	s.create("AURORA-7")
	s.handOut(comment, "claimed", givenComment)
	s.change(comment, done, "reported", nil)
	s.handOut(sprint, "claimed", givenSprint)

	return s
}

// faults counts what the story comes to, as the hub would have, and audits it.
func (s *story) faults() []string {
	batch := s.tables.batches[batchID]
	batch.counts = counts{}

	for _, row := range s.tables.commands {
		for i, status := range statuses() {
			if row.state.status == status {
				batch.counts[i]++
			}
		}
	}

	s.tables.counts = batch.counts
	batch.status = batch.counts.batchStatus()

	return append(s.tables.faultsOfLog(), s.record.faultsIn(s.tables, 0)...)
}
