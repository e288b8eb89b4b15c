package trial

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// faultsOfAPI reads the whole site over the API, while nothing changes it, and says where it differs from the tables.
func (t *tables) faultsOfAPI(ctx context.Context, viewer *caller) ([]string, error) {
	a := &apiAudit{tables: t, viewer: viewer}

	for _, part := range []func(context.Context) error{a.queue, a.batches, a.commands, a.log} {
		if err := part(ctx); err != nil {
			return nil, fmt.Errorf("audit %s over the API: %w", t.site, err)
		}
	}

	return a.faults, nil
}

type apiAudit struct {
	*tables

	viewer *caller
	faults []string
}

func (a *apiAudit) faultf(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf("%s over the API: ", a.site)+fmt.Sprintf(format, args...))
}

func (a *apiAudit) queue(ctx context.Context) error {
	var answer queueAnswer
	if err := a.viewer.ask(ctx, queryQueue, nil, &answer); err != nil {
		return err
	}

	if answer.Counts.inOrder() != a.counts || answer.Counts.Total != len(a.tables.commands) {
		a.faultf("the queue's counts are %+v, the tables have %v", answer.Counts, a.counts)
	}

	return nil
}

const largestPage = 1000

func (a *apiAudit) batches(ctx context.Context) error {
	seen := 0

	err := pages(ctx, a.viewer, queryBatches, func(batch *batchAnswer) {
		seen++

		id, _ := strconv.ParseInt(batch.ID, 10, 64) // what is no number is found nowhere
		row := a.tables.batches[id]

		if row == nil || batch.Counts.inOrder() != row.counts || strings.ToLower(batch.Status) != row.status || batch.Held != row.held {
			a.faultf("batch %+v, in the tables %+v", batch, row)
		}
	})

	if seen != len(a.tables.batches) {
		a.faultf("%d batches, the tables have %d", seen, len(a.tables.batches))
	}

	return err
}

func (a *apiAudit) commands(ctx context.Context) error {
	seen := 0

	err := pages(ctx, a.viewer, queryCommands, func(command *commandAnswer) {
		seen++

		row := a.byID(command.ID)
		if row == nil || command.differs(&row.state) || command.Batch.ID != strconv.FormatInt(row.batch, 10) {
			a.faultf("command %+v, in the tables %+v", command, row)
		}
	})

	if seen != len(a.tables.commands) {
		a.faultf("%d commands, the tables have %d", seen, len(a.tables.commands))
	}

	return err
}

// differs tells whether the API shows another state than the tables have.
func (c *commandAnswer) differs(row *state) bool {
	return strings.ToLower(c.Status) != row.status || text(c.Error) != text(row.err) || text(c.ResultKey) != text(row.resultKey) ||
		c.Deliveries != row.deliveries || !sameTime(c.ClaimedAt, row.claimedAt) || !sameTime(c.FinishedAt, row.finishedAt)
}

// log reads the log from its beginning: every event that is to be seen, once and in order.
func (a *apiAudit) log(ctx context.Context) error {
	var shown []*event

	for i := range a.events {
		if e := &a.events[i]; e.kind != "batch" && e.kind != "agent" {
			shown = append(shown, e)
		}
	}

	next := 0
	cursors := map[string]bool{}

	err := pages(ctx, a.viewer, queryLog, func(got *eventAnswer) {
		switch {
		case next >= len(shown):
			a.faultf("the log goes on after its end, with %+v", got)
		case got.differs(shown[next]):
			a.faultf("the log has %+v where the tables have %+v", got, shown[next])
		case cursors[got.Cursor]:
			a.faultf("two events have the cursor %s", got.Cursor)
		}

		cursors[got.Cursor] = true
		next++
	})

	if next < len(shown) {
		a.faultf("the log has %d events, the tables %d", next, len(shown))
	}

	return err
}

// differs tells whether the API shows another event than the tables have. Of an issue only the key is compared: it
// stands there as it is now.
func (e *eventAnswer) differs(row *event) bool {
	if !e.At.Equal(row.at) {
		return true
	}

	switch row.kind {
	case "command":
		return e.Typename != "CommandChange" || e.Command.ID != strconv.FormatInt(row.command, 10) || !sameStatus(e.From, row.from) ||
			strings.ToLower(e.Cause) != row.cause || text(e.Actor) != text(row.actor) ||
			strings.ToLower(e.To) != row.state.status || e.Command.differs(&row.state)
	case "note":
		return e.Typename != "NoteChange" || e.Key != row.key || row.previous != "" && text(e.MovedFrom) != row.previous
	case "issue":
		return e.Typename != "IssueChange"
	case "pace":
		return e.Typename != "PaceChange"
	default:
		return true
	}
}

func sameStatus(shown, row *string) bool {
	return (shown == nil) == (row == nil) && (shown == nil || strings.ToLower(*shown) == *row)
}

// pages reads a list to its end.
func pages[T any](ctx context.Context, viewer *caller, operation string, read func(*T)) error {
	var after *string

	for {
		var answer page[T]
		if err := viewer.ask(ctx, operation, vars{"first": largestPage, "after": after}, &answer); err != nil {
			return err
		}

		for i := range answer.Nodes {
			read(&answer.Nodes[i])
		}

		if !answer.PageInfo.HasNextPage {
			return nil
		}

		after = answer.PageInfo.EndCursor
	}
}
