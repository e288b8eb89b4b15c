package acceptance

import (
	"fmt"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func beat(t testing.TB, site *hubtest.Site, instance string) hubtest.Agent {
	t.Helper()
	return hubtest.Ask[hubtest.Agent](t, site.Agent, hubtest.Heartbeat,
		vars{"instance": instance, "version": "1.2.0", "problem": "Jira отказала во входе"})
}

func TestWhileOneInstanceHoldsTheSeatAClaimByAnotherOrWithoutOneIsSeatTaken(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	site.ClaimAs(t, "one")
	site.Done(t, batch.CommandID(0))

	same(t, "another instance", site.IdleAs(t, "two"), "SEAT_TAKEN")
	same(t, "without an instance", site.Idle(t), "SEAT_TAKEN")
	second := site.Caller(t, "agent", "second")
	payload := hubtest.Ask[hubtest.ClaimPayload](t, second, hubtest.ClaimNext, vars{"instance": "three"})
	same(t, "with another token", said(payload.IdleReason), "SEAT_TAKEN")
	same(t, "deliveries", site.Command(t, batch.CommandID(1)).Deliveries, 0)
	same(t, "the holder's", site.ClaimAs(t, "one").Command.ID, batch.CommandID(1))
}

func TestAClaimWithNothingToHandOutTakesTheSeatToo(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	same(t, "first", site.IdleAs(t, "one"), "EMPTY")
	same(t, "another", site.IdleAs(t, "two"), "SEAT_TAKEN")
}

func TestAHeartbeatTakesAFreeSeatAndNoOther(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	beat(t, site, "one")
	beat(t, site, "two")
	same(t, "another instance", site.IdleAs(t, "two"), "SEAT_TAKEN")
	site.ClaimAs(t, "one")
}

func TestASeatIsOfOneSite(t *testing.T) {
	t.Parallel()
	site, other := hub.NewSite(t), hub.NewSite(t)
	beat(t, site, "one")
	other.Submit(t, hubtest.Comment("AURORA-1", "a"))
	other.ClaimAs(t, "two")
}

func TestReportsAreTakenFromAnyoneWithAnAgentsTokenOfTheSite(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	site.ClaimAs(t, "one")
	second := site.Caller(t, "agent", "second")
	reported := hubtest.Ask[hubtest.Reported](t, second, hubtest.ReportOutcome,
		vars{"input": hubtest.ReportInput(id, "DONE", "instance", "two")})
	same(t, "accepted", reported.Accepted, true)
	is(t, site, id, "DONE")
}

func TestTheQueueShowsItsAgents(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	agent := beat(t, site, "one")
	same(t, "name", agent.Name, site.Agent.Name)
	same(t, "instance", said(agent.Instance), "one")
	same(t, "version", said(agent.Version), "1.2.0")
	same(t, "problem", said(agent.Problem), "Jira отказала во входе")
	same(t, "online", agent.Online, true)
	agents := site.Queue(t).Agents
	same(t, "agents", len(agents), 1)
	same(t, "problem in the queue", said(agents[0].Problem), "Jira отказала во входе")
}

// TestASeatLapses waits as a second agent does, by long polls, for what takes
// more than a minute on the database's clock.
func TestASeatLapses(t *testing.T) {
	t.Parallel()
	t.Run("60 seconds after the holder's last call", func(t *testing.T) {
		t.Parallel()
		site := hub.NewSite(t)
		site.IdleAs(t, "one")
		began := time.Now()
		site.IdleAs(t, "one")
		id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
		same(t, "delivery", takeOver(t, site, id, began, 60*time.Second).Delivery, 1)
	})
	t.Run("and pauseSeconds later while it holds a command", func(t *testing.T) {
		t.Parallel()
		site := hub.NewSite(t)
		site.SetPace(t, 5, 5)
		id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
		began := time.Now()
		site.ClaimAs(t, "one")
		same(t, "delivery", takeOver(t, site, id, began, 65*time.Second).Delivery, 2)
	})
}

// TestACallOfTheHolderKeepsItsSeat waits by long polls of a second agent: half
// a minute, then the holder's call, then as long that the seat would have lapsed
// without it.
func TestACallOfTheHolderKeepsItsSeat(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(t testing.TB, site *hubtest.Site, id string){
		"heartbeat": func(t testing.TB, site *hubtest.Site, _ string) { beat(t, site, "one") },
		"report": func(t testing.TB, site *hubtest.Site, id string) {
			site.Report(t, id, "DONE", "instance", "one")
		},
		"push": func(t testing.TB, site *hubtest.Site, _ string) {
			hubtest.Ask[hubtest.Pushed](t, site.Agent, hubtest.PushIssues,
				vars{"issues": []vars{hubtest.Snapshot("AURORA-1")}, "instance": "one"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := hub.NewSite(t)
			site.SetPace(t, 0, 0)
			site.Submit(t, hubtest.Comment("AURORA-1", "a"))
			id := site.ClaimAs(t, "one").Command.ID
			for _, seconds := range []int{30, 35} {
				payload := hubtest.Ask[hubtest.ClaimPayload](t, site.Agent, hubtest.ClaimNext,
					vars{"instance": "two", "waitSeconds": seconds})
				same(t, fmt.Sprintf("idle after %d seconds", seconds), said(payload.IdleReason), "SEAT_TAKEN")
				call(t, site, id)
			}
		})
	}
}

// takeOver lets a second instance ask until it is handed the command, which
// must be no earlier than so long after began, and not much later.
func takeOver(t testing.TB, site *hubtest.Site, id string, began time.Time, after time.Duration) hubtest.Claim {
	t.Helper()
	const slack = 20 * time.Second
	for time.Since(began) < after+slack {
		payload := hubtest.Ask[hubtest.ClaimPayload](t, site.Agent, hubtest.ClaimNext,
			vars{"instance": "two", "waitSeconds": 55})
		if payload.Claim == nil {
			same(t, "idle", said(payload.IdleReason), "SEAT_TAKEN")
			continue
		}
		if waited := time.Since(began); waited < after {
			t.Errorf("the seat lapsed after %s, not %s", waited, after)
		}
		same(t, "command", payload.Claim.Command.ID, id)
		return *payload.Claim
	}
	t.Fatalf("the seat did not lapse within %s", after+slack)
	return hubtest.Claim{}
}
