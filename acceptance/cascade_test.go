package acceptance

import (
	"fmt"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func notCreated(n int) string { return fmt.Sprintf("задача new:%d не создана", n) }

func calledOff(n int) string {
	return fmt.Sprintf("создание задачи new:%d отменено", n)
}

// A chain: the issue new:1, its child new:2, that one's child new:3, and a
// comment on each.
func chain(t testing.TB, site *hubtest.Site) hubtest.Batch {
	t.Helper()
	return site.Submit(t,
		hubtest.Creation("new:1"),
		hubtest.Creation("new:2", "parent", "new:1"),
		hubtest.Creation("new:3", "epic", "new:2"),
		hubtest.Comment("new:1", "a"),
		hubtest.Comment("new:2", "b"),
		hubtest.Comment("new:3", "c"),
		hubtest.Comment("AURORA-1", "d"),
	)
}

// TestSkippingGoesDownTheChain has the two texts: the one of a cancelled
// creation for what names it, the other for all that is further down.
func TestSkippingGoesDownTheChain(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		end    func(t testing.TB, site *hubtest.Site, id string)
		status string
		text   func(int) string
	}{
		"reported failed": {func(t testing.TB, site *hubtest.Site, id string) {
			site.ClaimOf(t, id)
			site.Fail(t, id)
		}, "FAILED", notCreated},
		"failed by the limit": {func(t testing.TB, site *hubtest.Site, id string) { site.Lose(t, id) }, "FAILED", notCreated},
		"cancelled while queued": {
			func(t testing.TB, site *hubtest.Site, id string) { site.Cancel(t, false, id) },
			"CANCELLED", calledOff,
		},
		"cancelled by force": {func(t testing.TB, site *hubtest.Site, id string) {
			site.ClaimOf(t, id)
			site.Cancel(t, true, id)
		}, "CANCELLED", calledOff},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := hub.NewSite(t)
			batch := chain(t, site)
			root := batch.CommandID(0)

			row.end(t, site, root)

			is(t, site, root, row.status)
			for position, text := range map[int]string{
				1: row.text(1), 3: row.text(1),
				2: notCreated(2), 4: notCreated(2),
				5: notCreated(3),
			} {
				id := batch.CommandID(position)
				stands(t, site, id, "SKIPPED", text)
				command := site.Command(t, id)
				if command.RootCause == nil || command.RootCause.ID != root {
					t.Errorf("the root cause of %d is %v, not %s", position, command.RootCause, root)
				}
				same(t, "deliveries", command.Deliveries, 0)
				same(t, "has ended", command.FinishedAt != nil, true)
			}
			same(t, "root cause of the first", site.Command(t, root).RootCause, nil)
			if free := site.Command(t, batch.CommandID(6)); free.Status != "QUEUED" && free.Status != "CLAIMED" {
				t.Errorf("what does not wait is %s", free.Status)
			}
		})
	}
}

func TestSkippingBeginsInTheMiddleOfAChain(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := chain(t, site)
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), "AURORA-10")
	site.ClaimOf(t, batch.CommandID(1))
	site.Fail(t, batch.CommandID(1))

	stands(t, site, batch.CommandID(2), "SKIPPED", notCreated(2))
	stands(t, site, batch.CommandID(5), "SKIPPED", notCreated(3))
	same(t, "root cause", site.Command(t, batch.CommandID(5)).RootCause, &hubtest.Ref{ID: batch.CommandID(1)})
	same(t, "key of what goes on", site.ClaimOf(t, batch.CommandID(3)).Params.Key, "AURORA-10")
}

func TestADependentOfTwoIssuesIsSkippedAsSoonAsTheFirstFails(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:2"), hubtest.Creation("new:1"), hubtest.LinkTo("new:1", "new:2"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(0))
	stands(t, site, batch.CommandID(2), "SKIPPED", notCreated(2))

	site.ClaimOf(t, batch.CommandID(1))
	site.Cancel(t, true, batch.CommandID(1))
	stands(t, site, batch.CommandID(2), "SKIPPED", notCreated(2))
	same(t, "root cause", site.Command(t, batch.CommandID(2)).RootCause, &hubtest.Ref{ID: batch.CommandID(0)})
}

func TestOfTwoThatFailAtOnceTheOneWithTheSmallerIDGivesTheText(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:2"), hubtest.Creation("new:1"), hubtest.LinkTo("new:1", "new:2"))
	site.Cancel(t, false, batch.CommandID(1), batch.CommandID(0))
	stands(t, site, batch.CommandID(2), "SKIPPED", calledOff(2))
	same(t, "root cause", site.Command(t, batch.CommandID(2)).RootCause, &hubtest.Ref{ID: batch.CommandID(0)})

	common := site.Submit(t, hubtest.Creation("new:9"),
		hubtest.Creation("new:2", "parent", "new:9"), hubtest.Creation("new:1", "parent", "new:9"),
		hubtest.LinkTo("new:1", "new:2"))
	site.ClaimOf(t, common.CommandID(0))
	site.Fail(t, common.CommandID(0))
	stands(t, site, common.CommandID(3), "SKIPPED", notCreated(2))
	same(t, "root cause", site.Command(t, common.CommandID(3)).RootCause, &hubtest.Ref{ID: common.CommandID(0)})
}

func TestAFailureSkipsOnlyInItsBatch(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
	second := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "b"))
	site.ClaimOf(t, first.CommandID(0))
	site.Fail(t, first.CommandID(0))
	is(t, site, first.CommandID(1), "SKIPPED")
	is(t, site, second.CommandID(1), "QUEUED")
}

func TestWhatHangsOnAnotherCommandThanACreationIsNotSkipped(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"), hubtest.Comment("new:1", "b"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), "AURORA-1")
	site.ClaimOf(t, batch.CommandID(1))
	site.Fail(t, batch.CommandID(1))
	site.ClaimOf(t, batch.CommandID(2))
}

// No status leaves a final one, so a key that comes late frees nobody.
func TestALateKeyIsRecordedAndNothingElse(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t testing.TB, site *hubtest.Site, id string){
		"FAILED":    func(t testing.TB, site *hubtest.Site, id string) { site.ClaimOf(t, id); site.Fail(t, id) },
		"CANCELLED": func(t testing.TB, site *hubtest.Site, id string) { site.ClaimOf(t, id); site.Cancel(t, true, id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := hub.NewSite(t)
			batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
			creation, comment := batch.CommandID(0), batch.CommandID(1)
			end(t, site, creation)
			before, skipped := site.Command(t, creation), site.Command(t, comment)

			reported := site.Report(t, creation, "DONE", "key", "AURORA-1")
			same(t, "accepted", reported.Accepted, false)
			same(t, "key answered", said(reported.Command.ResultKey), "AURORA-1")
			same(t, "a second, different key", site.Report(t, creation, "DONE", "key", "AURORA-2").Accepted, false)

			after := site.Command(t, creation)
			same(t, "key", said(after.ResultKey), "AURORA-1")
			same(t, "status", after.Status, name)
			same(t, "error", said(after.Error), said(before.Error))
			same(t, "end", after.FinishedAt, before.FinishedAt)
			same(t, "what was skipped", site.Command(t, comment), skipped)
			last := after.History[len(after.History)-1]
			same(t, "last cause", last.Cause, "LATE_REPORT")
			same(t, "last status", last.To, name)
		})
	}
}
