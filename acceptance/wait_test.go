package acceptance

import (
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

// wakes is the longest that a claim may take which something woke: far below
// the time that it would have waited.
const wakes = 15 * time.Second

// woken checks that the waiting claim was handed the command, and before its
// time was over.
func woken(t testing.TB, waiting *hubtest.Waiting, id string) {
	t.Helper()
	answer := waiting.Answer(t)
	if answer.Payload.Claim == nil {
		t.Fatalf("the waiting claim was answered %s", said(answer.Payload.IdleReason))
	}
	same(t, "command", answer.Payload.Claim.Command.ID, id)
	same(t, "delivery", answer.Payload.Claim.Delivery, 1)
	if answer.Took > wakes {
		t.Errorf("the claim waited %s", answer.Took)
	}
}

func TestAWaitingClaimIsWokenByABatch(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	waiting := site.ClaimWaiting(t, 55, "one")
	woken(t, waiting, site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0))
}

func TestAWaitingClaimIsWokenByResume(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	site.Pause(t)
	waiting := site.ClaimWaiting(t, 55, "one")
	site.Resume(t)
	woken(t, waiting, id)
}

func TestAWaitingClaimIsWokenByRelease(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.SubmitHeld(t, hubtest.Comment("AURORA-1", "a"))
	waiting := site.ClaimWaiting(t, 55, "one")
	hubtest.Ask[hubtest.Batch](t, site.Operator, hubtest.ReleaseBatch, vars{"id": batch.ID})
	woken(t, waiting, batch.CommandID(0))
}

func TestAWaitingClaimIsWokenByANewPace(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.SetPace(t, 0, 0, "workingHours", outside())
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	waiting := site.ClaimWaiting(t, 55, "one")
	site.SetPace(t, 0, 0, "workingHours", nil)
	woken(t, waiting, id)
}

func TestEveryIdleAnswerIsHeldBackUntilTheTimeIsOver(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, row := range []struct {
		reason string
		before func()
	}{
		{"EMPTY", func() {}},
		{"PAUSED", func() { site.Pause(t) }},
		{"OFF_HOURS", func() { site.Resume(t); site.SetPace(t, 0, 0, "workingHours", outside()) }},
		{"SEAT_TAKEN", func() { beat(t, site, "one") }},
	} {
		t.Run(row.reason, func(t *testing.T) {
			row.before()
			began := time.Now()
			payload := hubtest.Ask[hubtest.ClaimPayload](t, site.Agent, hubtest.ClaimNext, vars{"waitSeconds": 1})
			same(t, "idle", said(payload.IdleReason), row.reason)
			if took := time.Since(began); took < time.Second {
				t.Errorf("answered after %s", took)
			}
		})
	}
}

func TestAClaimWaits0To55Seconds(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, seconds := range []int{-1, 56} {
		response, err := site.Agent.Send(t.Context(), hubtest.ClaimNext, vars{"waitSeconds": seconds})
		if err != nil {
			t.Fatal(err)
		}
		if len(response.Errors) != 1 {
			t.Errorf("a wait of %d seconds was taken", seconds)
		}
	}
}

func TestACallerWhoGoesAwayClaimsNothing(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.ClaimWaiting(t, 55, "one").Leave()
	// Some calls, so that the hub has had the time to see the connection end.
	for range 10 {
		site.Queue(t)
	}
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	for range 10 {
		is(t, site, id, "QUEUED")
	}
	same(t, "delivery", site.ClaimAs(t, "one").Delivery, 1)
}

func TestOnlyTheNewestClaimOfAnInstanceIsAnsweredWithACommand(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	older := site.ClaimWaiting(t, 10, "one")
	same(t, "the newer one", site.IdleAs(t, "one"), "EMPTY")
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)

	same(t, "the older one", said(older.Answer(t).Payload.IdleReason), "EMPTY")
	is(t, site, id, "QUEUED")
	same(t, "delivery", site.ClaimAs(t, "one").Delivery, 1)
}

// TestOnAnotherHub has two hubs on one database.
func TestOnAnotherHub(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	first, second := start(t, database), start(t, database)
	t.Run("a waiting claim is woken", func(t *testing.T) {
		site := first.NewSite(t)
		waiting := site.On(second).ClaimWaiting(t, 55, "one")
		woken(t, waiting, site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0))
	})
	t.Run("a newer claim outdates an older one", func(t *testing.T) {
		site := first.NewSite(t)
		older := site.On(second).ClaimWaiting(t, 10, "one")
		same(t, "the newer one", site.IdleAs(t, "one"), "EMPTY")
		id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
		same(t, "the older one", said(older.Answer(t).Payload.IdleReason), "EMPTY")
		is(t, site, id, "QUEUED")
	})
	t.Run("a subscriber sees what happens", func(t *testing.T) {
		site := first.NewSite(t)
		stream := site.On(second).Operator.Subscribe(t, hubtest.CommandChanged, vars{"after": site.Queue(t).Cursor})
		id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
		same(t, "command", hubtest.Next[hubtest.Change](t, stream).Command.ID, id)
	})
}

// start runs a further hub for the test.
func start(t *testing.T, database string) *hubtest.Hub {
	t.Helper()
	further, err := hubtest.Start(t.Context(), program, database, logs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := further.Stop(); err != nil {
			t.Error(err)
		}
	})
	return further
}
