package group_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/live/group"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

const site queue.SiteID = 7

// world is the resolvers and the groups over a log in memory.
type world struct {
	t      *testing.T
	log    *memory
	schema graphql.ExecutableSchema
	exec   *executor.Executor
	groups *group.Groups
	ctx    context.Context //nolint:containedctx // what all audiences have in common
	// executed counts the answers that were made.
	executed *counter
}

func newWorld(t *testing.T) *world {
	t.Helper()

	log := &memory{woken: make(chan struct{}), batches: make(map[queue.BatchID]int)}
	resolver := resolvers.New(resolvers.Config{Reader: log, Live: live.NewTail(log, log, live.Timing{})})
	presenter := resolvers.NewPresenter(slog.New(slog.DiscardHandler))
	executed := &counter{}

	schema := resolvers.NewExecutableSchema(resolver)
	exec := executor.New(schema)
	exec.SetErrorPresenter(presenter.Present)
	exec.SetRecoverFunc(presenter.Recover)
	exec.Use(executed)

	ctx, stop := context.WithCancel(context.Background())
	groups := group.New(group.Config{Exec: exec, Present: presenter.Present, Recover: presenter.Recover})

	t.Cleanup(func() {
		stop()
		groups.Wait()
		resolver.Wait()
	})

	return &world{t: t, log: log, schema: schema, exec: exec, groups: groups, ctx: ctx, executed: executed}
}

// counter counts answers.
type counter struct {
	mu sync.Mutex
	n  int
}

var _ interface {
	graphql.HandlerExtension
	graphql.ResponseInterceptor
} = (*counter)(nil)

func (*counter) ExtensionName() string { return "counter" }

func (*counter) Validate(graphql.ExecutableSchema) error { return nil }

func (c *counter) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	answer := next(ctx)
	if answer != nil {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
	}

	return answer
}

func (c *counter) take() int {
	c.mu.Lock()
	defer c.mu.Unlock()

	n := c.n
	c.n = 0

	return n
}

func (w *world) audience(role access.Role) group.Audience {
	return group.Audience{
		Key:     role.String(),
		Context: access.With(w.ctx, access.Caller{Role: role, SiteID: int64(site)}),
	}
}

func (w *world) operation(text string, variables map[string]any) *graphql.OperationContext {
	ctx := graphql.StartOperationTrace(w.ctx)

	operation, errs := w.exec.CreateOperationContext(ctx, &graphql.RawParams{Query: text, Variables: variables})
	if errs != nil {
		panic(errs)
	}

	return operation
}

// subscribe begins a subscription of a viewer's that has room for so many answers until it reads.
func (w *world) subscribe(text string, variables map[string]any, room int) *reader {
	return w.subscribeAs(access.Viewer, text, variables, room)
}

func (w *world) subscribeAs(role access.Role, text string, variables map[string]any, room int) *reader {
	made := newReader(w.t, room)
	made.member = w.groups.Subscribe(w.operation(text, variables), w.audience(role), made)

	return made
}

// alone gives the first n answers of a subscription to changes that is executed by itself.
func (w *world) alone(variables map[string]any, n int) []string {
	w.t.Helper()

	ctx, cancel := context.WithCancel(w.audience(access.Viewer).Context)
	defer cancel()

	next, ctx := w.exec.DispatchOperation(ctx, w.operation(changes, variables))

	var answers []string

	for range n {
		answer := next(ctx)
		if answer == nil {
			w.t.Fatalf("it ended after %d answers", len(answers))
		}

		encoded, err := group.Encode(answer)
		if err != nil {
			w.t.Fatal(err)
		}

		answers = append(answers, string(encoded))
	}

	return answers
}

// memory is the log, and all else that the subscriptions read.
type memory struct {
	queue.Reader

	mu      sync.Mutex
	events  []*queue.Event
	agents  []*queue.Agent
	batches map[queue.BatchID]int // how often each changed
	// refused is what commands and states are read with, if not nil.
	refused error
	woken   chan struct{}
}

func cursorAt(seq int64) queue.Cursor { return queue.Cursor{Seq: seq, Mark: 99} }

func (m *memory) write(events ...*queue.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()

	for _, event := range events {
		event.Cursor = cursorAt(int64(len(m.events)) + 1)
		event.At = time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
		event.State.Status = queue.Claimed
		m.events = append(m.events, event)
		m.batches[event.Batch]++
	}

	m.wake()
}

func (m *memory) wake() {
	close(m.woken)
	m.woken = make(chan struct{})
}

func (m *memory) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()

	change()
}

func changed(batch queue.BatchID) *queue.Event {
	return &queue.Event{Kind: queue.EventCommand, Batch: batch, Command: queue.CommandID(batch), Cause: queue.CauseClaimed}
}

func (m *memory) Woken(queue.SiteID) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()

	return m.woken
}

func (m *memory) Head(context.Context, queue.SiteID) (queue.Cursor, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	return cursorAt(int64(len(m.events))), nil
}

func (m *memory) Log(_ context.Context, _ queue.SiteID, asked queue.LogQuery) (*queue.LogPage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	if asked.NewestFirst {
		newest := slices.Clone(m.events[max(0, len(m.events)-1):])

		return &queue.LogPage{Events: newest, End: cursorAt(int64(len(m.events)))}, nil
	}

	page := &queue.LogPage{End: *asked.After}

	for _, event := range m.events[asked.After.Seq:] {
		if len(page.Events) == asked.First {
			page.HasNext = true

			break
		}

		page.End = event.Cursor

		if asked.Batch == 0 || asked.Batch == event.Batch {
			page.Events = append(page.Events, event)
		}
	}

	return page, nil
}

func (m *memory) CommandsByID(
	_ context.Context, _ queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID]*queue.Command, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	found := make(map[queue.CommandID]*queue.Command)

	for _, id := range ids {
		found[id] = &queue.Command{ID: id, Batch: queue.BatchID(id), Kind: queue.KindComment, State: queue.State{Status: queue.Claimed}}
	}

	return found, m.refused
}

func (m *memory) BatchesByID(_ context.Context, _ queue.SiteID, ids []queue.BatchID) (map[queue.BatchID]*queue.Batch, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	found := make(map[queue.BatchID]*queue.Batch)

	for _, id := range ids {
		found[id] = &queue.Batch{ID: id, Author: "anna", Counts: queue.Counts{Queued: m.batches[id]}}
	}

	return found, m.refused
}

func (m *memory) Queue(context.Context, queue.SiteID) (*queue.Overview, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	return &queue.Overview{Pace: queue.DefaultPace(), Cursor: cursorAt(int64(len(m.events)))}, m.refused
}

func (m *memory) Agents(context.Context, queue.SiteID) ([]*queue.Agent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	return slices.Clone(m.agents), nil
}

var errGone = errors.New("gone")
