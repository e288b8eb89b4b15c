package queue

import (
	"context"
	"slices"
)

// RetrySpec names the commands to be tried again, all of one batch.
type RetrySpec struct {
	IDs []CommandID
	// WithRelated adds the creations that are waited for and not known, and the skipped commands that wait for them.
	WithRelated bool
	ClientKey   *string
}

// RetryCommands makes a new batch of new commands with the same parameters. Only the newest of a retry chain can be
// retried, and only when it ended without success; a temporary key whose real key is known by now is replaced by it.
func (q *Queue) RetryCommands(ctx context.Context, by Actor, spec RetrySpec) (BatchID, error) {
	if err := spec.check(); err != nil {
		return 0, err
	}

	ids := slices.Compact(slices.Sorted(slices.Values(spec.IDs)))
	content := fingerprint("retry", ids, spec.WithRelated)

	var id BatchID

	err := q.change(ctx, by, func(tx Tx) error {
		if spec.ClientKey != nil {
			// A repeated call is answered before anything is judged: by now the commands have newer ones.
			view, err := tx.Create(ctx, by.Name, *spec.ClientKey, 0)
			if err != nil {
				return err
			}

			repeated := creation{clientKey: spec.ClientKey, content: content}
			if id, err = repeated.before(view); err != nil || id != 0 {
				return err
			}
		}

		retry, err := loadRetry(ctx, tx, ids)
		if err != nil {
			return err
		}

		create, err := retry.build(ctx, tx, spec)
		if err != nil {
			return err
		}

		create.clientKey, create.content = spec.ClientKey, content
		id, err = create.run(ctx, tx, by)

		return err
	})

	return id, err
}

func (s *RetrySpec) check() error {
	switch {
	case len(s.IDs) == 0:
		return Refusef(Unprocessable, "ids is empty; name at least one command")
	case s.ClientKey == nil:
		return checkListed("ids", len(s.IDs), MaxIDs)
	case blank(*s.ClientKey):
		return Refusef(Unprocessable, "clientKey is empty; leave it out, or give 1 to %d characters", MaxClientKey)
	}

	if err := checkListed("ids", len(s.IDs), MaxIDs); err != nil {
		return err
	}

	return checkText("clientKey", *s.ClientKey, MaxClientKey)
}

// retry is one call while it is decided.
type retry struct {
	named    []CommandID
	batch    *BatchView
	commands map[CommandID]*Command
	chains   map[CommandID]ChainView
	// needs of each command, and who needs each creation.
	needs, neededBy map[CommandID][]Need
	problems        []Problem
}

// loadRetry reads the batch of the named commands and what became of their retry chains.
func loadRetry(ctx context.Context, tx Tx, ids []CommandID) (*retry, error) {
	view, err := tx.Commands(ctx, ids)
	if err != nil {
		return nil, err
	}

	var batch BatchID

	for _, id := range ids {
		cmd := view.Commands[id]

		switch {
		case cmd == nil:
			return nil, unknownCommand(id)
		case batch != 0 && cmd.Batch != batch:
			return nil, Refusef(Unprocessable, "ids name commands of several batches, %s and %s; retry those of one at a time", batch, cmd.Batch)
		}

		batch = cmd.Batch
	}

	whole, err := tx.Batch(ctx, batch, true)
	if err != nil {
		return nil, err
	}

	r := &retry{
		named: ids, batch: whole, commands: map[CommandID]*Command{},
		needs: map[CommandID][]Need{}, neededBy: map[CommandID][]Need{},
	}

	chains := make([]CommandID, 0, len(whole.Commands))

	for _, cmd := range whole.Commands {
		r.commands[cmd.ID] = cmd
		chains = append(chains, cmd.Chain)
	}

	for _, need := range whole.Needs {
		r.needs[need.Command] = append(r.needs[need.Command], need)
		r.neededBy[need.Creation] = append(r.neededBy[need.Creation], need)
	}

	r.chains, err = tx.Chains(ctx, chains)

	return r, err
}

// build decides what the new batch holds.
func (r *retry) build(ctx context.Context, tx Tx, spec RetrySpec) (*creation, error) {
	chosen := map[CommandID]bool{}

	for _, id := range r.named {
		if why := r.refusal(r.commands[id]); why != "" {
			r.problem(r.commands[id], ProblemCode(Conflict), "", why)
		}

		chosen[id] = true
	}

	if len(r.problems) > 0 {
		return nil, &Error{Code: Conflict, Message: r.problems[0].Message, Problems: r.problems}
	}

	if spec.WithRelated {
		r.addRelated(chosen)
	}

	create := &creation{title: r.batch.Batch.Title}

	for _, cmd := range r.batch.Commands {
		if chosen[cmd.ID] {
			create.commands = append(create.commands, newCommand{
				params: Substitute(cmd.Params, r.known(cmd, chosen)), dedupeKey: cmd.DedupeKey, retryOf: cmd.ID, chain: cmd.Chain,
			})
		}
	}

	if err := r.findLoops(ctx, tx, create.commands); err != nil {
		return nil, err
	}

	if len(r.problems) > 0 {
		return nil, &Error{Code: Unprocessable, Message: r.problems[0].Message, Problems: r.problems}
	}

	return create, nil
}

// findLoops finds the links that by now, with real keys put in, lead from an issue to itself.
func (r *retry) findLoops(ctx context.Context, tx Tx, commands []newCommand) error {
	var ends []Key

	for _, command := range commands {
		if link, ok := command.params.(EnsureLink); ok {
			ends = append(ends, link.Source, link.Target)
		}
	}

	if len(ends) == 0 {
		return nil
	}

	view, err := tx.Issues(ctx, ends)
	if err != nil {
		return err
	}

	for _, command := range commands {
		link, ok := command.params.(EnsureLink)
		if !ok {
			continue
		}

		if loop := loopOf(link, presentBy(view.Present)); loop != "" {
			r.problem(r.commands[command.retryOf], Malformed, "target", loop)
		}
	}

	return nil
}

// refusal says why a command cannot be retried; "" where it can.
func (r *retry) refusal(cmd *Command) string {
	switch newest := r.chains[cmd.Chain].Newest; {
	case newest != cmd.ID:
		return "command " + cmd.ID.String() + " was retried already; the newest try is " + newest.String()
	case cmd.Status.Open():
		return "command " + cmd.ID.String() + " has not ended"
	case cmd.Status.Succeeded():
		return "command " + cmd.ID.String() + " succeeded"
	default:
		return ""
	}
}

// addRelated adds, transitively, the creations that are waited for and not known, and the skipped commands that
// wait for a creation that is tried again. Nothing open or successful is ever copied.
func (r *retry) addRelated(chosen map[CommandID]bool) {
	open := slices.Clone(r.named)

	add := func(cmd *Command) {
		if !chosen[cmd.ID] && r.refusal(cmd) == "" {
			chosen[cmd.ID] = true

			open = append(open, cmd.ID)
		}
	}

	for len(open) > 0 {
		id := open[0]
		open = open[1:]

		for _, need := range r.needs[id] {
			if creation := r.commands[need.Creation]; r.chains[creation.Chain].Real == "" {
				add(creation)
			}
		}

		for _, need := range r.neededBy[id] {
			if waiter := r.commands[need.Command]; waiter.Status == Skipped {
				add(waiter)
			}
		}
	}
}

// known gives the real keys that a command's temporary ones have by now, and finds those that will never have one.
func (r *retry) known(cmd *Command, chosen map[CommandID]bool) map[Key]Key {
	real := map[Key]Key{}

	for _, need := range r.needs[cmd.ID] {
		made := r.chains[r.commands[need.Creation].Chain].Real

		switch {
		case made != "":
			real[need.TempKey] = made
		case !chosen[need.Creation]:
			r.problem(cmd, TempKeyUnknown, "", string(need.TempKey)+" was not created; retry its ensureIssue too")
		}
	}

	return real
}

func (r *retry) problem(cmd *Command, code ProblemCode, field, message string) {
	id, position := cmd.ID, cmd.Position
	r.problems = append(r.problems, Problem{Command: &id, Code: code, Message: message, Position: &position, Field: field})
}
