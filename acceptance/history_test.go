package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// A step of a command's history: status before, status after and cause.
type step struct{ From, To, Cause string }

func steps(t testing.TB, site *hubtest.Site, id string) []step {
	t.Helper()
	return each(site.Command(t, id).History, func(change hubtest.Change) step {
		return step{said(change.From), change.To, change.Cause}
	})
}

func TestEveryChangeOfACommandIsInItsHistoryWithItsCause(t *testing.T) {
	t.Parallel()
	submitted := step{"<null>", "QUEUED", "SUBMITTED"}
	handed := step{"QUEUED", "CLAIMED", "CLAIMED"}
	again := step{"CLAIMED", "CLAIMED", "REDELIVERED"}
	play(t, []scenario{
		{"done after a redelivery", func(t *testing.T, site *hubtest.Site) {
			id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
			site.ClaimOf(t, id)
			site.Done(t, id)
			same(t, "history", steps(t, site, id), []step{submitted, handed, again, {"CLAIMED", "DONE", "REPORTED"}})
		}},
		{"failed", func(t *testing.T, site *hubtest.Site) {
			id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
			site.Fail(t, id)
			same(t, "history", steps(t, site, id), []step{submitted, handed, {"CLAIMED", "FAILED", "REPORTED"}})
		}},
		{"failed by the limit, with a late key", func(t *testing.T, site *hubtest.Site) {
			batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
			site.Lose(t, batch.CommandID(0))
			site.Report(t, batch.CommandID(0), "DONE", "key", "AURORA-1")
			same(t, "history", steps(t, site, batch.CommandID(0)), []step{
				submitted, handed, again, again,
				{"CLAIMED", "FAILED", "DELIVERY_LIMIT"},
				{"FAILED", "FAILED", "LATE_REPORT"},
			})
			same(t, "history of the dependent", steps(t, site, batch.CommandID(1)), []step{
				submitted, {"QUEUED", "SKIPPED", "DEPENDENCY_FAILED"},
			})
		}},
		{"cancelled", func(t *testing.T, site *hubtest.Site) {
			queued := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
			site.ClaimOf(t, queued.CommandID(0))
			site.Cancel(t, true, queued.CommandID(0), queued.CommandID(1))
			same(t, "by force", steps(t, site, queued.CommandID(0)), []step{submitted, handed, {"CLAIMED", "CANCELLED", "CANCELLED"}})
			same(t, "queued", steps(t, site, queued.CommandID(1)), []step{submitted, {"QUEUED", "CANCELLED", "CANCELLED"}})
		}},
		{"confirmed", func(t *testing.T, site *hubtest.Site) {
			id := claimed(t, site, hubtest.Sprint("AURORA-1", "S"))
			confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "sprint", "S"))
			same(t, "history", steps(t, site, id), []step{submitted, handed, {"CLAIMED", "CONFIRMED_BY_STATE", "CONFIRMED_BY_STATE"}})
		}},
	})
}

func TestAChangeNamesTheTokenThatCausedIt(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	site.Done(t, id)
	actors := each(site.Command(t, id).History, func(change hubtest.Change) string { return said(change.Actor) })
	same(t, "actors", actors, []string{site.Operator.Name, site.Agent.Name, site.Agent.Name})
}

func TestAnEventHasTheCommandsFieldsAsThatChangeLeftThem(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	cursor := site.Queue(t).Cursor
	id := claimed(t, site, hubtest.Creation("new:1"))
	site.ClaimOf(t, id)
	site.Created(t, id, "AURORA-1")

	type fields struct {
		Status     string
		Deliveries int
		Key        string
		Ended      bool
	}
	seen := each(site.EventsAfter(t, cursor, "COMMAND"), func(event hubtest.Event) fields {
		command := event.Command
		return fields{command.Status, command.Deliveries, said(command.ResultKey), command.FinishedAt != nil}
	})
	same(t, "events", seen, []fields{
		{"QUEUED", 0, "<null>", false},
		{"CLAIMED", 1, "<null>", false},
		{"CLAIMED", 2, "<null>", false},
		{"DONE", 2, "AURORA-1", true},
	})
}

func TestTimesOfACommandAreInItsOrder(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	open := site.Command(t, id)
	same(t, "end of an open command", open.FinishedAt, nil)
	site.Done(t, id)
	done := site.Command(t, id)
	if done.ClaimedAt == nil || done.FinishedAt == nil ||
		done.ClaimedAt.Before(done.CreatedAt) || done.FinishedAt.Before(*done.ClaimedAt) {
		t.Errorf("created %s, claimed %s, finished %s", done.CreatedAt, done.ClaimedAt, done.FinishedAt)
	}
}
