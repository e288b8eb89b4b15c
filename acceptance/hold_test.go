package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func hold(t testing.TB, site *hubtest.Site, id string) hubtest.Batch {
	t.Helper()
	return hubtest.Ask[hubtest.Batch](t, site.Operator, hubtest.HoldBatch, vars{"id": id})
}

func release(t testing.TB, site *hubtest.Site, id string) hubtest.Batch {
	t.Helper()
	return hubtest.Ask[hubtest.Batch](t, site.Operator, hubtest.ReleaseBatch, vars{"id": id})
}

func TestTheCommandsOfABatchOnHoldArePassedOver(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	second := site.Submit(t, hubtest.Comment("AURORA-2", "c"))
	same(t, "held", hold(t, site, first.ID).Held, true)
	site.ClaimOf(t, second.CommandID(0))
	site.Done(t, second.CommandID(0))
	same(t, "idle", site.Idle(t), "EMPTY")
	same(t, "held", release(t, site, first.ID).Held, false)
	site.ClaimOf(t, first.CommandID(0))
}

func TestABatchCreatedOnHoldWaitsForItsRelease(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.SubmitHeld(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
	same(t, "held", batch.Held, true)
	same(t, "idle", site.Idle(t), "EMPTY")
	release(t, site, batch.ID)
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), "AURORA-1")
	same(t, "key", site.ClaimOf(t, batch.CommandID(1)).Params.Key, "AURORA-1")
}

func TestWhatIsClaimedOfABatchOnHoldGoesOn(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"), hubtest.Comment("AURORA-5", "b"))
	site.ClaimOf(t, batch.CommandID(0))
	hold(t, site, batch.ID)

	same(t, "delivery", site.ClaimOf(t, batch.CommandID(0)).Delivery, 2)
	site.Created(t, batch.CommandID(0), "AURORA-1")
	same(t, "idle, though its issue is there", site.Idle(t), "EMPTY")
	release(t, site, batch.ID)
	same(t, "key", site.ClaimOf(t, batch.CommandID(1)).Params.Key, "AURORA-1")
}

func TestConfirmationsAndCancelsWorkInABatchOnHold(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Sprint("AURORA-1", "S"), hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
	site.ClaimOf(t, batch.CommandID(0))
	hold(t, site, batch.ID)
	confirms(t, site, batch.CommandID(0), true, hubtest.Snapshot("AURORA-1", "sprint", "S"))
	site.Cancel(t, false, batch.CommandID(1))
	stands(t, site, batch.CommandID(2), "SKIPPED", calledOff(1))
	same(t, "batch", site.Batch(t, batch.ID).Status, "FINISHED")
}

func TestHoldingTwiceIsHoldingOnce(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	hold(t, site, batch.ID)
	same(t, "held", hold(t, site, batch.ID).Held, true)
	release(t, site, batch.ID)
	site.ClaimOf(t, batch.CommandID(0))
	site.Done(t, batch.CommandID(0))
	same(t, "held", release(t, site, batch.ID).Held, false)
	same(t, "idle", site.Idle(t), "EMPTY")
}

func TestHoldingOrReleasingAnUnknownBatchIsNotFound(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Operator.Refused(t, "NOT_FOUND", hubtest.HoldBatch, vars{"id": "999999999"})
	site.Operator.Refused(t, "NOT_FOUND", hubtest.ReleaseBatch, vars{"id": "999999999"})
}

func TestABatchIsPendingThenRunningThenFinished(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	status := func() string { return site.Batch(t, batch.ID).Status }
	same(t, "at first", status(), "PENDING")
	site.ClaimOf(t, batch.CommandID(0))
	same(t, "claimed", status(), "RUNNING")
	site.Fail(t, batch.CommandID(0))
	same(t, "one has ended", status(), "RUNNING")
	same(t, "end", site.Batch(t, batch.ID).FinishedAt, nil)
	site.ClaimOf(t, batch.CommandID(1))
	site.Done(t, batch.CommandID(1))
	same(t, "all have ended", status(), "FINISHED")
	same(t, "has an end", site.Batch(t, batch.ID).FinishedAt != nil, true)
	same(t, "counts", site.Batch(t, batch.ID).Counts, hubtest.Counts{Done: 1, Failed: 1, Total: 2})
}
