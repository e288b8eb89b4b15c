package agent

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
	"github.com/sdlc-hub/sdlc-hub/jira/sim/contract"
)

// trial is a site of the hub, a Jira, and the folder of an agent between them.
type trial struct {
	site *hubtest.Site
	sim  *sim.Sim
	dir  string

	jiraURL, hubURL string
	times           Times
	// network is the way to Jira.
	network *network
	log     *logged
}

// testTimes make short work of what takes minutes in service.
func testTimes() Times {
	return Times{
		ClaimWait: 2 * time.Second, Heartbeat: 100 * time.Millisecond,
		SettleServer: 150 * time.Millisecond, SettleCloud: 150 * time.Millisecond, SettleLook: 20 * time.Millisecond,
		FirstPause: 10 * time.Millisecond, LongestPause: 100 * time.Millisecond, Tries: 3, Learn: time.Hour, Grace: 5 * time.Second,
	}
}

// documents are Atlassian's, read once: they are large. All that the agent says on Cloud is held against them.
var documents = sync.OnceValues(contract.New) //nolint:gochecknoglobals // read only

func newTrial(t *testing.T, dialect sim.Dialect) *trial {
	t.Helper()

	simulated, err := sim.New(sim.Config{Dialect: dialect})
	if err != nil {
		t.Fatal(err)
	}

	tr := &trial{sim: simulated, dir: t.TempDir(), times: testTimes(), network: &network{}, log: &logged{}}

	held, err := documents()
	if err != nil {
		t.Fatal(err)
	}

	server := httptest.NewServer(held.Handler(simulated, func(problem string) {
		t.Error("against Atlassian's document:", problem)
	}))
	t.Cleanup(server.Close)

	tr.site = hub.NewSite(t)
	tr.site.SetPace(t, 0, 0)
	tr.jiraURL, tr.hubURL = server.URL, tr.site.Hub.URL

	t.Cleanup(func() {
		if t.Failed() {
			t.Log(tr.log.String())
		}
	})

	return tr
}

// both runs a test on each kind of Jira.
func both(t *testing.T, test func(t *testing.T, tr *trial)) {
	t.Helper()

	for _, dialect := range []sim.Dialect{sim.DataCenter, sim.Cloud} {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			test(t, newTrial(t, dialect))
		})
	}
}

// running is an agent that runs.
type running struct {
	journal *Journal
	stop    context.CancelFunc
	ended   chan struct{}
	err     error
}

// start runs an agent on the trial's folder; prepare may set a fault in its journal.
func (tr *trial) start(t *testing.T, prepare ...func(*Journal)) *running {
	t.Helper()

	journal, err := OpenJournal(tr.dir)
	if err != nil {
		t.Fatal(err)
	}

	for _, p := range prepare {
		p(journal)
	}

	calls, err := client.New(client.Config{URL: tr.hubURL, Token: tr.site.Agent.Token, UserAgent: "agent-test"})
	if err != nil {
		t.Fatal(err)
	}

	user, token := tr.sim.Login()
	working := New(Config{
		Hub: calls, Journal: journal, JiraURL: tr.jiraURL, Version: "test", Times: tr.times, Log: slog.New(tr.log),
		Connect: func(ctx context.Context) (Jira, error) {
			return jira.Connect(ctx, jira.Config{URL: tr.jiraURL, User: user, Token: token, Timeout: 5 * time.Second, Transport: tr.network})
		},
	})

	ctx, stop := context.WithCancel(t.Context())
	r := &running{journal: journal, stop: stop, ended: make(chan struct{})}

	go func() {
		defer close(r.ended)

		r.err = working.Run(ctx)
		r.err = errors.Join(r.err, journal.Close())
		calls.Close()
	}()

	t.Cleanup(func() { _ = r.end(t) })

	return r
}

// end stops the agent and gives what it ended with.
func (r *running) end(t *testing.T) error {
	t.Helper()
	r.stop()

	return r.wait(t)
}

// wait waits for an agent that ends by itself.
func (r *running) wait(t *testing.T) error {
	t.Helper()

	select {
	case <-r.ended:
		return r.err
	case <-time.After(time.Minute):
		t.Fatal("the agent does not end")

		return nil
	}
}

// do has the agent bring a batch of these entries to its end.
func (tr *trial) do(t *testing.T, entries ...hubtest.Vars) hubtest.Batch {
	t.Helper()

	batch := tr.site.Submit(t, entries...)
	agent := tr.start(t)
	tr.finished(t, batch)

	if err := agent.end(t); err != nil {
		t.Fatal(err)
	}

	return tr.site.Batch(t, batch.ID)
}

// finished waits until every command of the batch has ended.
func (tr *trial) finished(t *testing.T, batch hubtest.Batch) {
	t.Helper()
	hubtest.Await(t, "the batch has ended", func() bool { return tr.site.Batch(t, batch.ID).Status == "FINISHED" })
}

// succeeds checks that every command of the batch reached what it asked for.
func succeeds(t *testing.T, batch hubtest.Batch) {
	t.Helper()

	for _, command := range batch.Commands.Nodes {
		if command.Status != "DONE" && command.Status != "CONFIRMED_BY_STATE" {
			t.Errorf("%s is %s: %s", command.Kind, command.Status, textOf(command.Error))
		}
	}
}

// did counts what Jira did, such as "issue created".
func (tr *trial) did(what string) int {
	count := 0

	for _, write := range tr.sim.Writes() {
		if strings.HasPrefix(write.Did, what) {
			count++
		}
	}

	return count
}

// writes are all that reached Jira and could have changed something.
func (tr *trial) writes() []string {
	var writes []string
	for _, write := range tr.sim.Writes() {
		writes = append(writes, write.Method+" "+write.Path+": "+write.Did)
	}

	return writes
}

func (tr *trial) issue(t *testing.T, key string) sim.Issue {
	t.Helper()

	issue, ok := tr.sim.Issue(key)
	if !ok {
		t.Fatalf("Jira has no %s", key)
	}

	return issue
}

// logged keeps what the agent logs.
type logged struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *logged) Enabled(context.Context, slog.Level) bool { return true }
func (l *logged) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logged) WithGroup(string) slog.Handler            { return l }

func (l *logged) Handle(ctx context.Context, record slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()

	return slog.NewTextHandler(&l.lines, &slog.HandlerOptions{Level: slog.LevelDebug}).Handle(ctx, record)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.lines.String()
}

// forget loses all that the agent remembers but its name, which lets it keep the seat that a new one would wait for.
func (tr *trial) forget(t *testing.T) {
	t.Helper()

	journal, err := OpenJournal(tr.dir)
	if err != nil {
		t.Fatal(err)
	}

	err = journal.save(kept{Format: journalFormat, Instance: journal.Instance()})
	if err := errors.Join(err, journal.Close()); err != nil {
		t.Fatal(err)
	}
}

// network is the way to Jira; while it is down nobody can be reached.
type network struct {
	down  atomic.Bool
	asked atomic.Int64
}

// RoundTrip sends a request.
func (n *network) RoundTrip(request *http.Request) (*http.Response, error) {
	n.asked.Add(1)

	if n.down.Load() {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}

	return http.DefaultTransport.RoundTrip(request)
}
