package agent

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

// gate stands before a server and can be shut: then nobody listens there.
type gate struct {
	*httptest.Server

	shut atomic.Bool
	// turned counts the calls that were turned away.
	turned atomic.Int64
}

func newGate(t *testing.T, target string) *gate {
	t.Helper()

	at, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}

	g := &gate{}
	behind := httputil.NewSingleHostReverseProxy(at)
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.shut.Load() {
			g.turned.Add(1)
			panic(http.ErrAbortHandler)
		}

		behind.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)

	return g
}

func TestTheWorkGoesOnByItselfWhenTheHubComesBack(t *testing.T) {
	t.Parallel()

	tr := newTrial(t, sim.DataCenter)
	g := newGate(t, tr.hubURL)
	tr.hubURL = g.URL
	agent := tr.start(t)

	tr.finished(t, tr.site.Submit(t, hubtest.Refresh("AURORA-1501")))

	g.shut.Store(true)

	batch := tr.site.Submit(t, hubtest.Comment("AURORA-1543", "раз"), hubtest.Comment("AURORA-1543", "два"))

	hubtest.Await(t, "the agent has asked in vain for a while", func() bool { return g.turned.Load() > 5 })
	g.shut.Store(false)
	tr.finished(t, batch)

	if err := agent.end(t); err != nil {
		t.Fatal(err)
	}

	succeeds(t, tr.site.Batch(t, batch.ID))

	if said := tr.did("comment added"); said != 2 {
		t.Errorf("%d comments", said)
	}
}

func TestTheWorkGoesOnByItselfWhenJiraComesBack(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		// From the agent's start on, and in the middle of its work.
		tr.network.down.Store(true)

		agent := tr.start(t)

		for _, text := range []string{"раз", "два"} {
			batch := tr.site.Submit(t, hubtest.Comment("AURORA-1543", text))

			tr.awaitProblem(t, "Jira is away")
			tr.network.down.Store(false)
			tr.finished(t, batch)
			tr.awaitProblem(t, "")
			tr.network.down.Store(true)

			done := tr.site.Batch(t, batch.ID)
			succeeds(t, done)

			if deliveries := done.Commands.Nodes[0].Deliveries; deliveries != 1 {
				t.Errorf("%d deliveries", deliveries)
			}
		}

		if err := agent.end(t); err != nil {
			t.Fatal(err)
		}
	})
}

// awaitProblem waits until the hub was told of a problem that begins so, or of none.
func (tr *trial) awaitProblem(t *testing.T, start string) {
	t.Helper()
	hubtest.Await(t, "the hub hears of: "+start, func() bool {
		for _, agent := range tr.site.Queue(t).Agents {
			problem := textOf(agent.Problem)
			if start == "" && problem == "" || start != "" && strings.Contains(problem, start) {
				return true
			}
		}

		return false
	})
}

func TestAWrongTokenOfTheHubEndsTheAgent(t *testing.T) {
	t.Parallel()

	tr := newTrial(t, sim.DataCenter)
	tr.site.Agent.Token = strings.Repeat("x", 43)

	if err := tr.start(t).wait(t); err == nil || !strings.Contains(err.Error(), "the hub does not take the agent's token") {
		t.Errorf("got %v", err)
	}

	// A token of another role is as wrong.
	tr = newTrial(t, sim.DataCenter)
	tr.site.Agent.Token = tr.site.Operator.Token

	if err := tr.start(t).wait(t); err == nil || !strings.Contains(err.Error(), "FORBIDDEN") {
		t.Errorf("got %v", err)
	}
}

func TestARefusedLoginIsTriedNoMoreUntilTheAgentIsStartedAgain(t *testing.T) {
	t.Parallel()

	for name, denial := range map[string]sim.Rule{
		"401": sim.Unauthorized(), "captcha": sim.Captcha(), "login page": sim.LoginPage(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			tr := newTrial(t, sim.DataCenter)
			tr.do(t, hubtest.Refresh("AURORA-1501"))

			agent := tr.start(t)
			tr.finished(t, tr.site.Submit(t, hubtest.Refresh("AURORA-1501")))

			asked := tr.network.asked.Load()
			end := tr.sim.Add(denial)
			batch := tr.site.Submit(t, hubtest.Comment("AURORA-1543", "раз"))

			tr.awaitProblem(t, "Jira does not take the login")

			seen := tr.network.asked.Load()
			if seen != asked+1 {
				t.Errorf("Jira was asked %d times", seen-asked)
			}

			// Several heartbeats later it still is silent.
			awaitBeats(t, tr, 5)

			if more := tr.network.asked.Load() - seen; more != 0 {
				t.Errorf("Jira was asked %d times more", more)
			}

			if err := agent.end(t); err != nil {
				t.Fatal(err)
			}

			end()

			again := tr.start(t)
			tr.finished(t, batch)
			tr.awaitProblem(t, "")

			if err := again.end(t); err != nil {
				t.Fatal(err)
			}

			succeeds(t, tr.site.Batch(t, batch.ID))
		})
	}
}

// awaitBeats waits until the hub has heard so many heartbeats.
func awaitBeats(t *testing.T, tr *trial, beats int) {
	t.Helper()

	var last time.Time

	hubtest.Await(t, "the agent beats", func() bool {
		for _, agent := range tr.site.Queue(t).Agents {
			if agent.LastSeenAt.After(last) {
				last = agent.LastSeenAt
				beats--
			}
		}

		return beats < 0
	})
}

func TestASecondAgentOfASiteWaitsAndSaysWhy(t *testing.T) {
	t.Parallel()

	tr := newTrial(t, sim.DataCenter)
	first := tr.start(t)
	tr.finished(t, tr.site.Submit(t, hubtest.Refresh("AURORA-1501")))

	second := *tr
	second.dir = t.TempDir()
	other := second.start(t)

	tr.awaitProblem(t, "another agent holds this site's seat")

	batch := tr.site.Submit(t, hubtest.Comment("AURORA-1543", "раз"), hubtest.Comment("AURORA-1543", "два"))
	tr.finished(t, batch)

	for _, agent := range []*running{first, other} {
		if err := agent.end(t); err != nil {
			t.Fatal(err)
		}
	}

	if said := tr.did("comment added"); said != 2 {
		t.Errorf("%d comments", said)
	}
}
