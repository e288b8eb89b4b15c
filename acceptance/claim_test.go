package acceptance

import (
	"regexp"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestTheQueuesOrderIsByIDAcrossBatches(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := site.Submit(t, hubtest.Comment("AURORA-1", "1"), hubtest.Comment("AURORA-1", "2"))
	second := site.Submit(t, hubtest.Comment("AURORA-1", "3"))
	for _, id := range []string{first.CommandID(0), first.CommandID(1), second.CommandID(0)} {
		site.ClaimOf(t, id)
		site.Done(t, id)
	}
	same(t, "idle", site.Idle(t), "EMPTY")
}

func TestACommandThatWaitsForItsIssueLetsLaterOnesPass(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
	second := site.Submit(t, hubtest.Comment("AURORA-1", "b"))
	site.ClaimOf(t, first.CommandID(0))
	site.Created(t, first.CommandID(0), "AURORA-5")
	site.ClaimOf(t, first.CommandID(1))
	site.Done(t, first.CommandID(1))
	site.ClaimOf(t, second.CommandID(0))
	site.Done(t, second.CommandID(0))

	third := site.Submit(t, hubtest.Comment("new:1", "a"), hubtest.Comment("AURORA-1", "b"), hubtest.Creation("new:1"))
	site.ClaimOf(t, third.CommandID(1))
}

func TestADependentOfASmallerIDGoesOutNextOnceItsCreationIsDone(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t,
		hubtest.LinkTo("new:1", "AURORA-1"),
		hubtest.Comment("AURORA-1", "a"),
		hubtest.Creation("new:1"),
		hubtest.Comment("AURORA-1", "b"),
		hubtest.Comment("AURORA-1", "c"),
	)
	later := site.Submit(t, hubtest.Comment("AURORA-2", "d"))
	for _, position := range []int{1, 2} {
		site.ClaimOf(t, batch.CommandID(position))
		if position == 2 {
			site.Created(t, batch.CommandID(2), "AURORA-9")
			continue
		}
		site.Done(t, batch.CommandID(position))
	}
	for _, id := range []string{batch.CommandID(0), batch.CommandID(3), batch.CommandID(4), later.CommandID(0)} {
		site.ClaimOf(t, id)
		site.Done(t, id)
	}
}

func TestADependentOfTwoIssuesWaitsForBoth(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.LinkTo("new:1", "new:2"), hubtest.Creation("new:1"), hubtest.Creation("new:2"))
	site.ClaimOf(t, batch.CommandID(1))
	site.Created(t, batch.CommandID(1), "AURORA-1")
	site.ClaimOf(t, batch.CommandID(2))
	site.Created(t, batch.CommandID(2), "AURORA-2")
	claim := site.ClaimOf(t, batch.CommandID(0))
	same(t, "source", claim.Params.Source, "AURORA-1")
	same(t, "target", claim.Params.Target, "AURORA-2")
	same(t, "depends on", ids(site.Command(t, batch.CommandID(0)).DependsOn), sorted(batch.CommandID(1), batch.CommandID(2)))
	same(t, "dependents", ids(site.Command(t, batch.CommandID(1)).Dependents.Nodes), []string{batch.CommandID(0)})
}

func TestAtMostOneCommandOfASiteIsClaimedAtATime(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	for range 3 {
		site.ClaimOf(t, batch.CommandID(0))
	}
	same(t, "counts", site.Queue(t).Counts, hubtest.Counts{Queued: 1, Claimed: 1, Total: 2})
}

func TestSitesDoNotShareAQueue(t *testing.T) {
	t.Parallel()
	site, other := hub.NewSite(t), hub.NewSite(t)
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	same(t, "idle in the other site", other.Idle(t), "EMPTY")
	site.ClaimOf(t, id)
}

func TestPauseSecondsIsDrawnWithinThePaceAtEveryDelivery(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.SetPace(t, 2, 3600)
	drawn := map[int]bool{}
	for range 6 {
		id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
		for range 3 {
			pause := site.ClaimOf(t, id).PauseSeconds
			if pause < 2 || pause > 3600 {
				t.Errorf("a pause of %d seconds", pause)
			}
			drawn[pause] = true
		}
		site.Done(t, id)
	}
	if len(drawn) < 3 {
		t.Errorf("18 draws between 2 and 3600 gave only %v", drawn)
	}
	site.SetPace(t, 0, 0)
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	same(t, "pause", site.Claim(t).PauseSeconds, 0)
}

func TestADedupeKeyIsAUUIDThatStaysOverRedeliveriesAndRetries(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Creation("new:2"))
	first := site.ClaimOf(t, batch.CommandID(0)).DedupeKey
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`).MatchString(first) {
		t.Errorf("the dedupe key is %q", first)
	}
	same(t, "after a redelivery", site.ClaimOf(t, batch.CommandID(0)).DedupeKey, first)
	site.Fail(t, batch.CommandID(0))
	other := site.ClaimOf(t, batch.CommandID(1)).DedupeKey
	if other == first {
		t.Error("another command has the same dedupe key")
	}
	site.Created(t, batch.CommandID(1), "AURORA-2")

	retry := site.Retry(t, batch.CommandID(0)).CommandID(0)
	same(t, "after a retry", site.ClaimOf(t, retry).DedupeKey, first)
	site.Fail(t, retry)
	second := site.Retry(t, retry).CommandID(0)
	same(t, "after a retry of the retry", site.ClaimOf(t, second).DedupeKey, first)
}

func TestWhatTheAgentIsHandedHasNoTemporaryKeyButItsOwn(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Creation("new:2", "parent", "new:1", "epic", "new:1"))
	same(t, "its own", site.ClaimOf(t, batch.CommandID(0)).Params.TempKey, "new:1")
	site.Created(t, batch.CommandID(0), "AURORA-1")
	params := site.ClaimOf(t, batch.CommandID(1)).Params
	same(t, "its own", params.TempKey, "new:2")
	same(t, "parent", said(params.Parent), "AURORA-1")
	same(t, "epic", said(params.Epic), "AURORA-1")
}
