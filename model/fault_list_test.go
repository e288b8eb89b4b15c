package model

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// fault is a mistake that the hub could have, and that the model has to notice.
type fault struct {
	name  string
	hooks func(m *machine) hooks
}

func faults() []fault {
	return []fault{
		{"a second dependent is overlooked", func(*machine) hooks { return hooks{waiting: overlookSecond} }},
		{"the second ready command goes out first", func(m *machine) hooks { return hooks{claim: m.offerSecond} }},
		{"the event of a skip is lost", func(*machine) hooks { return hooks{apply: loseSkip} }},
		{"a skip leaves the batch's counts alone", func(*machine) hooks { return hooks{apply: countNoSkip} }},
		{"a push about another issue confirms", func(*machine) hooks { return hooks{mirror: mistakeIssue} }},
		{"a command is delivered a fourth time", func(*machine) hooks { return hooks{claim: forgetDelivery} }},
		{"a late key makes a failed command done", func(*machine) hooks { return hooks{apply: resurrect} }},
		{"the note is lost when its issue is made", func(*machine) hooks { return hooks{apply: loseNote} }},
		{"the search for what is ready begins too late", func(*machine) hooks { return hooks{apply: neverBack()} }},
		{"a retry has a dedupe key of its own", func(*machine) hooks { return hooks{apply: newDedupeKey} }},
		{"a batch made on hold is handed out", func(*machine) hooks { return hooks{apply: forgetHold} }},
		{"fields that were not read are forgotten", func(*machine) hooks { return hooks{mirror: forgetFields} }},
		{"a cancelled command is taken for claimed", func(*machine) hooks { return hooks{commands: reopen} }},
	}
}

func overlookSecond(view *queue.WaitingView) {
	for i, need := range view.Needs {
		if need.Command != view.Needs[0].Command {
			view.Needs = view.Needs[:i]

			return
		}
	}
}

func (m *machine) offerSecond(ctx context.Context, view *queue.ClaimView) error {
	var id queue.CommandID

	err := m.pool.QueryRow(ctx, `SELECT id FROM commands WHERE site_id = $1 AND status = 'queued' AND waiting = 0
		ORDER BY id LIMIT 1 OFFSET 1`, m.site).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}

	if err != nil {
		return err
	}

	ids := []queue.CommandID{id}

	found, err := m.db.CommandsByID(ctx, m.site, ids)
	if err != nil {
		return err
	}

	dependsOn, err := m.db.DependsOn(ctx, m.site, ids)
	if err != nil {
		return err
	}

	batches, err := m.db.BatchesByID(ctx, m.site, []queue.BatchID{found[id].Batch})
	if err != nil {
		return err
	}

	view.Ready, view.Real[id] = found[id], map[queue.Key]queue.Key{}
	for _, creation := range dependsOn[id] {
		view.Real[id][creation.TempKey] = *creation.ResultKey
	}

	for id, batch := range batches {
		if view.Batches[id] == nil {
			view.Batches[id] = batch
		}
	}

	return nil
}

func loseSkip(changes *queue.Changes) {
	last := len(changes.Events) - 1
	if last >= 0 && changes.Events[last].Cause == queue.CauseDependencyFailed {
		changes.Events = changes.Events[:last]
		changes.Site.Head--
	}
}

func countNoSkip(changes *queue.Changes) {
	for _, update := range changes.Commands {
		for _, batch := range changes.Batches {
			if update.Command.Status == queue.Skipped && batch.ID == update.Command.Batch {
				batch.Counts.Skipped--
				batch.Counts.Queued++
			}
		}
	}
}

// mistakeIssue takes the first issue of a push for the one that the command in hand is about, where that is not in it.
func mistakeIssue(keys []queue.Key, view *queue.MirrorView) {
	if view.InHand == nil || len(keys) == 0 || slices.ContainsFunc(Subjects(view.InHand.Params), func(key queue.Key) bool {
		return slices.Contains(keys, key)
	}) {
		return
	}

	switch p := view.InHand.Params.(type) {
	case queue.EnsureStatus:
		p.Key = keys[0]
		view.InHand.Params = p
	case queue.EnsureSprint:
		p.Key = keys[0]
		view.InHand.Params = p
	case queue.EnsureFields:
		p.Key = keys[0]
		view.InHand.Params = p
	}
}

func forgetDelivery(_ context.Context, view *queue.ClaimView) error {
	if view.InHand != nil && view.InHand.Deliveries == queue.MaxDeliveries {
		view.InHand.Deliveries--
	}

	return nil
}

func resurrect(changes *queue.Changes) {
	for i, update := range changes.Commands {
		if update.Was == queue.Failed && update.Command.ResultKey != nil {
			done := *update.Command
			done.Status = queue.Done
			changes.Commands[i].Command = &done
		}
	}
}

func loseNote(changes *queue.Changes) {
	if len(changes.RemovedNotes) > 0 {
		changes.Notes = nil
	}
}

// neverBack keeps the search from going back to a command with a smaller id that is ready by now.
func neverBack() func(changes *queue.Changes) {
	var from queue.CommandID

	return func(changes *queue.Changes) {
		from = max(from, changes.Site.ReadyFrom)
		changes.Site.ReadyFrom = from
	}
}

func newDedupeKey(changes *queue.Changes) {
	if changes.New == nil {
		return
	}

	for i, c := range changes.New.Commands {
		if c.RetryOf != 0 {
			c.DedupeKey = "00000000-0000-4000-8000-00000000000" + string(rune('0'+i))
		}
	}
}

func forgetHold(changes *queue.Changes) {
	if changes.New == nil || !changes.New.Batch.Held {
		return
	}

	changes.Site.ReadyFrom = 0

	for _, c := range changes.New.Commands {
		c.Waiting--
	}
}

func forgetFields(_ []queue.Key, view *queue.MirrorView) {
	for _, issue := range view.Issues {
		issue.Fields = queue.Fields{}
	}
}

// reopen shows a verb the status that the command had before; the guard in SQL is what fails then.
func reopen(view *queue.CommandsView) {
	for _, c := range view.Commands {
		if c.Status == queue.Cancelled && c.Deliveries > 0 {
			c.Status = queue.Claimed
		}
	}
}
