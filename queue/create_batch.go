package queue

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
)

// CreateBatch takes in a batch, all or nothing; every problem is reported at once. A repeated call with the same
// client key and content answers with the first call's batch and creates nothing; with other content it is a
// Conflict.
func (q *Queue) CreateBatch(ctx context.Context, by Actor, spec BatchSpec) (BatchID, error) {
	params, wrong := checkBatch(spec, sameKey)

	moved, err := q.presentOfLinks(ctx, by, params)
	if err != nil {
		return 0, err
	}

	problems := wrong
	if len(moved) > 0 {
		_, problems = checkBatch(spec, presentBy(moved))
	}

	if len(wrong) > 0 {
		return 0, refuse(problems)
	}

	create := creation{title: spec.Title, clientKey: spec.ClientKey, held: spec.Held, problems: problems}
	create.content = fingerprint("batch", spec.Title, params)

	for _, p := range params {
		create.commands = append(create.commands, newCommand{params: p})
	}

	var id BatchID

	err = q.change(ctx, by, func(tx Tx) error {
		var err error

		id, err = create.run(ctx, tx, by)

		return err
	})

	return id, err
}

func refuse(problems []Problem) *Error {
	return &Error{Code: Unprocessable, Message: describe(problems), Problems: problems}
}

// describe says in one line what is wrong.
func describe(problems []Problem) string {
	first := problems[0]
	text := first.Message

	if first.Position != nil {
		text = fmt.Sprintf("command %d: %s", *first.Position, text)
	}

	if more := len(problems) - 1; more > 0 {
		text = fmt.Sprintf("%s (and %d more)", text, more)
	}

	return text
}

// creation is a batch that is to be written.
type creation struct {
	title, clientKey *string
	held             bool
	content          []byte
	commands         []newCommand
	// problems came up since an equal batch may have been taken in: a repeated call is answered all the same.
	problems []Problem
}

// newCommand is one command to be written; of a retry it also says what it repeats.
type newCommand struct {
	params    Params
	dedupeKey string
	retryOf   CommandID
	chain     CommandID
}

// before answers a repeated call: with the batch of the first one, 0 where there was none.
func (n *creation) before(view *CreateView) (BatchID, error) {
	if view.Before != 0 && !bytes.Equal(view.Content, n.content) {
		return 0, Refusef(Conflict, "clientKey %q was used for batch %s, which is another; choose a new one", *n.clientKey, view.Before)
	}

	return view.Before, nil
}

// run writes the batch, or finds it made before.
func (n *creation) run(ctx context.Context, tx Tx, by Actor) (BatchID, error) {
	view, err := tx.Create(ctx, by.Name, textOf(n.clientKey), len(n.commands))
	if err != nil {
		return 0, err
	}

	if before, err := n.before(view); err != nil || before != 0 {
		return before, err
	}

	if len(n.problems) > 0 {
		return 0, refuse(n.problems)
	}

	batch := &Batch{ID: view.Batch, Title: n.title, Author: by.Name, CreatedAt: view.Now, Held: n.held}
	c := newChange(&view.Site, map[BatchID]*Batch{batch.ID: batch}, by)
	c.out.New = &NewBatch{Batch: batch, ClientKey: n.clientKey, Content: n.content}
	n.number(c, view)

	return batch.ID, tx.Apply(ctx, c.changes())
}

// number gives each command its id, finds who waits for whom, and counts and logs them.
func (n *creation) number(c *change, view *CreateView) {
	batch := c.out.New.Batch
	creations := map[Key]CommandID{}

	for position, command := range n.commands {
		cmd := &Command{
			ID: view.Commands[position], Batch: batch.ID, Position: position, Kind: command.params.Kind(),
			Params: command.params, DedupeKey: command.dedupeKey, CreatedAt: view.Now,
			Chain: command.chain, RetryOf: command.retryOf, State: State{Status: Queued},
		}

		if cmd.Chain == 0 {
			cmd.Chain = cmd.ID
		}

		if cmd.DedupeKey == "" {
			cmd.DedupeKey = randomUUID()
		}

		if issue, ok := command.params.(EnsureIssue); ok {
			cmd.TempKey = issue.TempKey
			creations[issue.TempKey] = cmd.ID
		}

		c.out.New.Commands = append(c.out.New.Commands, cmd)
	}

	for _, cmd := range c.out.New.Commands {
		for _, key := range WaitsFor(cmd.Params) {
			c.out.New.Needs = append(c.out.New.Needs, Need{Command: cmd.ID, Creation: creations[key], TempKey: key})
			cmd.Waiting++
		}

		if batch.Held {
			cmd.Waiting++
		}

		if cmd.Waiting == 0 {
			c.ready(cmd.ID)
		}

		c.commandEvent(cmd, "", CauseSubmitted)
	}

	batch.Counts.Queued = len(n.commands)
	c.site.Counts.Queued += len(n.commands)
	c.site.Totals.Batches++
}

// fingerprint tells contents apart; equal contents have equal ones.
func fingerprint(kind string, parts ...any) []byte {
	hash := sha256.New()
	encoder := json.NewEncoder(hash)

	for _, part := range slices.Concat([]any{kind}, parts) {
		if err := encoder.Encode(part); err != nil {
			panic(fmt.Sprintf("queue: a checked batch does not encode: %v", err))
		}
	}

	return hash.Sum(nil)
}

// randomUUID makes a version 4 UUID.
func randomUUID() string {
	var raw [16]byte

	_, _ = rand.Read(raw[:]) // never fails: it ends the process instead
	raw[6] = raw[6]&0x0f | 0x40
	raw[8] = raw[8]&0x3f | 0x80

	return fmt.Sprintf("%x-%x-%x-%x-%x", raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:])
}
