package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/db"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// world is one database in which every run has a site of its own.
type world struct {
	db    *db.DB
	pool  *pgxpool.Pool
	sites atomic.Int64
	// alien and alienBatch are of another site: here they do not exist.
	alien      queue.CommandID
	alienBatch queue.BatchID

	mu sync.Mutex
	// happened counts what the runs came upon.
	happened map[string]int
}

func newWorld(t *testing.T) *world {
	t.Helper()

	url := pgtest.New(t)

	store, err := db.Open(t.Context(), url, db.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(store.Close)

	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}

	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(pool.Close)

	w := &world{db: store, pool: pool, happened: map[string]int{}}

	site, err := store.CreateSite(t.Context(), "elsewhere")
	if err != nil {
		t.Fatal(err)
	}

	w.alienBatch, err = queue.New(store, store, store, queue.Timing{}, nil).CreateBatch(t.Context(),
		queue.Actor{Site: site, Name: "ann"}, queue.BatchSpec{Commands: []queue.CommandSpec{{Params: queue.Refresh{Keys: []queue.Key{"AUR-1"}}}}})
	if err != nil {
		t.Fatal(err)
	}

	commands, err := store.CommandList(t.Context(), site, queue.CommandFilter{}, queue.Page{First: 1})
	if err != nil {
		t.Fatal(err)
	}

	w.alien = commands.Nodes[0].ID

	return w
}

// machine does everything twice, on the hub and in the model, and compares.
type machine struct {
	*world

	t     *rapid.T
	hub   *queue.Queue
	site  queue.SiteID
	model *Site
	// fatal ends the run: the two differ.
	fatal func(format string, args ...any)
	steps int
	verb  string
	// afterHours tells that the working hours do not contain this week's day.
	afterHours bool
	// mirrored tells that this step may have changed the mirror or a note.
	mirrored bool

	// asked and retried are the last calls that had a client key.
	asked              *queue.BatchSpec
	retried            *queue.RetrySpec
	askedBy, retriedBy queue.Actor

	seen seen
}

// shards run beside each other, -rapid.checks runs (100) in each: a run mostly waits for Postgres.
const shards = 4

func TestTheHubDoesWhatTheModelSays(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	t.Cleanup(func() { w.mustHaveHappened(t) })

	for shard := range shards {
		t.Run(strconv.Itoa(shard), func(t *testing.T) {
			t.Parallel()

			steps := 0

			rapid.Check(t, func(t *rapid.T) {
				m := w.begin(t, w.db)
				m.run()

				steps += m.steps
			})

			t.Logf("%d steps", steps)
		})
	}
}

// begin makes a fresh site and a machine for it, over a store that may have a fault.
func (w *world) begin(t *rapid.T, store queue.Store) *machine {
	site, err := w.db.CreateSite(t.Context(), fmt.Sprintf("run-%d", w.sites.Add(1)))
	if err != nil {
		t.Fatal(err)
	}

	// No run waits: either no seat lapses in it, or every one does at once.
	longSeats := rapid.Bool().Draw(t, "long seats")
	state, err := w.db.Queue(t.Context(), site)
	if err != nil {
		t.Fatal(err)
	}

	m := &machine{
		world: w, t: t, site: site, model: NewSite(longSeats, state.Pace), fatal: t.Fatalf, seen: newSeen(state.Cursor),
	}
	m.hub = queue.New(store, w.db, w.db, m.timing(), nil)

	return m
}

func (m *machine) timing() queue.Timing {
	if m.model.LongSeats {
		return queue.Timing{Seat: time.Hour}
	}

	return queue.Timing{Seat: time.Nanosecond}
}

// action is one verb with what is drawn for it.
type action struct {
	verb string
	// weight says how often it comes up.
	weight int
	do     func()
}

func (m *machine) actions() []action {
	return []action{
		{"createBatch", 6, m.createBatch},
		{"previewBatch", 2, m.previewBatch},
		{"claim", 14, m.claim},
		{"report", 9, m.report},
		{"pushIssues", 7, m.pushIssues},
		{"pushIssues", 6, m.observe},
		{"cancelCommands", 2, m.cancelCommands},
		{"cancelBatch", 1, m.cancelBatch},
		{"holdBatch", 1, func() { m.setHeld(true) }},
		{"releaseBatch", 2, func() { m.setHeld(false) }},
		{"retryCommands", 4, m.retryCommands},
		{"setNote", 4, m.setNote},
		{"setPace", 2, m.setPace},
		{"pauseQueue", 1, m.pauseQueue},
		{"resumeQueue", 4, m.resumeQueue},
		{"heartbeat", 1, m.heartbeat},
		{"pushJira", 2, m.pushJira},
	}
}

func (m *machine) run() {
	kinds := m.actions()
	actions := make([]action, 0, len(kinds))

	for _, one := range kinds {
		actions = append(actions, slices.Repeat([]action{one}, one.weight)...)
	}

	m.t.Repeat(map[string]func(*rapid.T){
		"": func(*rapid.T) { m.compare() },
		"step": func(t *rapid.T) {
			next := pick(t, "verb", actions...)
			if len(m.model.Commands) == 0 && !chance(t, "on nothing", 10) {
				next = actions[0]
			}

			m.t, m.verb, m.mirrored = t, next.verb, false
			m.steps++
			m.model.Begin()
			next.do()
		},
	})
	m.compareReader()
	m.replay()
}

func (m *machine) ctx() context.Context { return m.t.Context() }

// sayf writes what a step did; it is read where a run fails.
func (m *machine) sayf(format string, args ...any) {
	m.t.Logf("%d: %s", m.steps, fmt.Sprintf(format, args...))
}

// refused tells that the hub refused, and that it was right to.
func (m *machine) refused(err error, want queue.Code) bool {
	var refusal *queue.Error

	m.tally(m.verb + " " + string(want))

	switch {
	case err == nil && want == "":
		return false
	case err == nil:
		m.fatal("nothing was refused where the model says %s", want)
	case !errors.As(err, &refusal):
		m.fatal("an error that is no refusal, where the model says %q: %v", want, err)
	case refusal.Code != want:
		m.fatal("refused with %s where the model says %q: %v", refusal.Code, want, err)
	}

	m.sayf("  refused: %s", want)

	return true
}

// problemsOf lists what an error names.
func problemsOf(err error) []queue.Problem {
	if refusal, ok := errors.AsType[*queue.Error](err); ok {
		return refusal.Problems
	}

	return nil
}

func (w *world) tally(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()

	w.happened[what]++
}

// must ends the run on an error that is none of the rules'.
func (m *machine) must(err error, doing string) {
	if err != nil {
		m.fatal("%s: %v", doing, err)
	}
}

func (m *machine) agent() queue.Actor { return queue.Actor{Site: m.site, Name: Agent} }
