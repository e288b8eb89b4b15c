package group

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Config is what Groups are made of. Each field must be given.
type Config struct {
	Exec graphql.GraphExecutor
	// Present makes each error what the client sees, and Recover an error of a panic.
	Present graphql.ErrorPresenterFunc
	Recover graphql.RecoverFunc
}

// Audience is for whom an operation is executed: whatever its answers depend on besides the operation itself.
type Audience struct {
	// Key is the same for those who are given the same answers, and no secret of theirs.
	Key string
	// Context is what it is executed with. It is nobody's own: it ends when all of them shall end.
	Context context.Context //nolint:containedctx // it outlives the call on purpose
}

const (
	// gather is how long a run that cannot join the others yet waits for more of its kind: those who come back together
	// then read the log together.
	gather = 10 * time.Millisecond
	// near is how many events behind a run may be, at work, for others to join it: they wait until it has caught up.
	near = 64
)

// Groups run subscriptions.
type Groups struct {
	config  Config
	running sync.WaitGroup

	mu   sync.Mutex
	runs map[key][]*run
	// worked is when a step was last begun or ended; inStep how many are being worked on.
	worked time.Time
	inStep int
}

// New makes Groups without a subscription.
func New(config Config) *Groups { return &Groups{config: config, runs: make(map[key][]*run)} }

// Subscribe runs a subscription for that subscriber until it ends, or the member leaves. What is wrong with it the
// subscriber is told.
func (g *Groups) Subscribe(operation *graphql.OperationContext, audience Audience, to Subscriber) *Member {
	member := &Member{groups: g, to: to}

	g.mu.Lock()
	defer g.mu.Unlock()

	g.start(&run{operation: operation, audience: audience, key: keyOf(operation, audience), state: isState(operation)}, member)

	return member
}

// Wait returns when no subscription runs any more. None may begin meanwhile.
func (g *Groups) Wait() { g.running.Wait() }

// Settle waits until what was written to the log has been handed out: until for so long no run had anything to do. It
// returns at once where there is none, and gives up when the context ends.
func (g *Groups) Settle(ctx context.Context, quiet time.Duration) {
	for {
		left := g.unsettled(quiet)
		if left <= 0 {
			return
		}

		timer := time.NewTimer(left)

		select {
		case <-ctx.Done():
			timer.Stop()

			return
		case <-timer.C:
		}
	}
}

// unsettled is how long to wait before it is worth asking again; zero once all is handed out.
func (g *Groups) unsettled(quiet time.Duration) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()

	switch {
	case len(g.runs) == 0:
		return 0
	case g.inStep > 0:
		return quiet
	default:
		return quiet - time.Since(g.worked)
	}
}

// start begins a run with its first member. groups.mu is held.
func (g *Groups) start(r *run, first *Member) {
	r.groups, r.fresh = g, true
	r.ctx, r.cancel = context.WithCancel(r.audience.Context)
	r.add(first)
	g.runs[r.key] = append(g.runs[r.key], r)
	g.worked = time.Now()
	g.running.Go(r.drive)
}

// forget takes a run out of those that can be joined. groups.mu is held.
func (g *Groups) forget(r *run) {
	left := slices.DeleteFunc(g.runs[r.key], func(other *run) bool { return other == r })
	if len(left) == 0 {
		delete(g.runs, r.key)

		return
	}

	g.runs[r.key] = left
}

// meeting finds the run that r, which has everything up to there, can join: the one that is furthest and not ahead.
// groups.mu is held.
func (g *Groups) meeting(r *run, has queue.Cursor) *run {
	var found *run

	for _, other := range g.runs[r.key] {
		if other != r && other.admits(r, has) && (found == nil || other.reached().Seq > found.reached().Seq) {
			found = other
		}
	}

	return found
}
