package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestWhatHasEndedOrIsClaimedWithoutForceIsLeftAloneAndNamed(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"), hubtest.Comment("AURORA-1", "c"))
	done, held, queued := batch.CommandID(0), batch.CommandID(1), batch.CommandID(2)
	site.ClaimOf(t, done)
	site.Done(t, done)
	site.ClaimOf(t, held)

	answer := site.Cancel(t, false, done, held, queued)

	same(t, "cancelled", ids(answer.Cancelled), []string{queued})
	same(t, "cancelled count", answer.CancelledCount, 1)
	same(t, "skipped", ids(answer.Skipped), []string{})
	same(t, "skipped count", answer.SkippedCount, 0)
	same(t, "still claimed", ids(answer.StillClaimed), []string{held})
	same(t, "already ended", ids(answer.AlreadyEnded), []string{done})
	is(t, site, done, "DONE")
	is(t, site, held, "CLAIMED")
	is(t, site, queued, "CANCELLED")

	again := site.Cancel(t, true, done, held, queued)
	same(t, "cancelled by force", ids(again.Cancelled), []string{held})
	same(t, "already ended", ids(again.AlreadyEnded), sorted(done, queued))
	is(t, site, held, "CANCELLED")
	same(t, "idle", site.Idle(t), "EMPTY")
}

func TestAnUnknownIDMakesTheWholeCancelFail(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	before := site.Queue(t).Cursor
	site.Operator.Refused(t, "NOT_FOUND", hubtest.CancelCommands, vars{"ids": []string{id, "999999999"}})
	is(t, site, id, "QUEUED")
	same(t, "cursor", site.Queue(t).Cursor, before)
}

func TestWhatAPersonNamesIsCancelledAndWhatOnlyWaitsIsSkipped(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"), hubtest.Comment("new:1", "b"))
	answer := site.Cancel(t, false, batch.CommandID(0), batch.CommandID(1))
	same(t, "cancelled", ids(answer.Cancelled), sorted(batch.CommandID(0), batch.CommandID(1)))
	same(t, "skipped", ids(answer.Skipped), []string{batch.CommandID(2)})
	same(t, "counts", []int{answer.CancelledCount, answer.SkippedCount}, []int{2, 1})
	is(t, site, batch.CommandID(1), "CANCELLED")
	stands(t, site, batch.CommandID(2), "SKIPPED", calledOff(1))
}

func TestCancellingADependentLeavesItsCreationAlone(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
	site.Cancel(t, false, batch.CommandID(1))
	is(t, site, batch.CommandID(1), "CANCELLED")
	site.ClaimOf(t, batch.CommandID(0))
}

func TestACommandNamedTwiceIsCancelledOnce(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	answer := site.Cancel(t, false, id, id)
	same(t, "cancelled", ids(answer.Cancelled), []string{id})
	same(t, "count", answer.CancelledCount, 1)
	same(t, "counts", site.Queue(t).Counts, hubtest.Counts{Cancelled: 1, Total: 1})
}

// The batch of the tests below: a creation that the agent has, what waits for
// it, a queued creation, what waits for that one, and one that waits for none.
func openBatch(t testing.TB, site *hubtest.Site) hubtest.Batch {
	t.Helper()
	batch := site.Submit(t,
		hubtest.Comment("AURORA-1", "ended"),
		hubtest.Creation("new:1"),
		hubtest.Comment("new:1", "waits for the claimed"),
		hubtest.Creation("new:2", "parent", "new:1"),
		hubtest.Comment("new:2", "waits for the queued"),
		hubtest.Comment("AURORA-1", "waits for none"),
	)
	site.ClaimOf(t, batch.CommandID(0))
	site.Done(t, batch.CommandID(0))
	site.ClaimOf(t, batch.CommandID(1))
	return batch
}

func TestCancellingABatchLeavesWhatIsClaimedWithoutForce(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	other := site.Submit(t, hubtest.Comment("AURORA-2", "another batch"))
	site.Cancel(t, false, other.CommandID(0))
	batch := openBatch(t, site)
	further := site.Submit(t, hubtest.Comment("AURORA-2", "another batch"))

	answer := site.CancelBatch(t, false, batch.ID)

	is(t, site, batch.CommandID(0), "DONE")
	is(t, site, batch.CommandID(1), "CLAIMED")
	is(t, site, batch.CommandID(2), "CANCELLED")
	is(t, site, batch.CommandID(3), "CANCELLED")
	stands(t, site, batch.CommandID(4), "SKIPPED", calledOff(2))
	is(t, site, batch.CommandID(5), "CANCELLED")
	is(t, site, further.CommandID(0), "QUEUED")
	same(t, "cancelled", ids(answer.Cancelled), sorted(batch.CommandID(2), batch.CommandID(3), batch.CommandID(5)))
	same(t, "skipped", ids(answer.Skipped), []string{batch.CommandID(4)})
	same(t, "still claimed", ids(answer.StillClaimed), []string{batch.CommandID(1)})
	same(t, "counts", []int{answer.CancelledCount, answer.SkippedCount}, []int{3, 1})

	site.Created(t, batch.CommandID(1), "AURORA-9")
	same(t, "batch", site.Batch(t, batch.ID).Status, "FINISHED")
}

func TestCancellingABatchByForceSkipsWhatWaitsForTheClaimedCreation(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := openBatch(t, site)

	answer := site.CancelBatch(t, true, batch.ID)

	is(t, site, batch.CommandID(0), "DONE")
	is(t, site, batch.CommandID(1), "CANCELLED")
	stands(t, site, batch.CommandID(2), "SKIPPED", calledOff(1))
	stands(t, site, batch.CommandID(3), "SKIPPED", calledOff(1))
	stands(t, site, batch.CommandID(4), "SKIPPED", notCreated(2))
	is(t, site, batch.CommandID(5), "CANCELLED")
	same(t, "cancelled", ids(answer.Cancelled), sorted(batch.CommandID(1), batch.CommandID(5)))
	same(t, "skipped", ids(answer.Skipped), sorted(batch.CommandID(2), batch.CommandID(3), batch.CommandID(4)))
	same(t, "still claimed", ids(answer.StillClaimed), []string{})
	same(t, "batch", site.Batch(t, batch.ID).Status, "FINISHED")
}

func TestCancellingABatchOfQueuedCommands(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("new:1", "a"), hubtest.Creation("new:1"), hubtest.Comment("AURORA-1", "b"))
	site.CancelBatch(t, false, batch.ID)
	stands(t, site, batch.CommandID(0), "SKIPPED", calledOff(1))
	is(t, site, batch.CommandID(1), "CANCELLED")
	is(t, site, batch.CommandID(2), "CANCELLED")

	again := site.CancelBatch(t, true, batch.ID)
	same(t, "cancelled again", again.CancelledCount+again.SkippedCount, 0)
}

func TestCancellingAnUnknownBatchIsNotFound(t *testing.T) {
	t.Parallel()
	hub.NewSite(t).Operator.Refused(t, "NOT_FOUND", hubtest.CancelBatch, vars{"id": "999999999"})
}
