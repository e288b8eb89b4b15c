package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	site   queue.SiteID  = 7
	batch  queue.BatchID = 3
	nobody               = ""
)

// hub is the resolvers over a reader in memory.
type hub struct {
	t        *testing.T
	reader   *reader
	resolver *resolvers.Resolver
	schema   graphql.ExecutableSchema
	exec     *executor.Executor
}

func newHub(t *testing.T, config resolvers.Config) *hub {
	t.Helper()

	read := &reader{calls: map[string]int{}, woken: make(chan struct{})}
	if config.Reader == nil {
		config.Reader = read
	}

	config.Live = live.NewTail(config.Reader, read, live.Timing{})
	made := resolvers.New(config)
	schema := resolvers.NewExecutableSchema(made)
	presenter := resolvers.NewPresenter(slog.New(slog.DiscardHandler))

	exec := executor.New(schema)
	exec.SetErrorPresenter(presenter.Present)
	exec.SetRecoverFunc(presenter.Recover)

	return &hub{t: t, reader: read, resolver: made, schema: schema, exec: exec}
}

// as is the context of a caller of that role, or of nobody.
func as(ctx context.Context, role access.Role) context.Context {
	if role == nobody {
		return ctx
	}

	return access.With(ctx, access.Caller{Token: "anna", Role: role, SiteID: int64(site), Site: "main"})
}

// begin starts an operation and gives what reads its answers, in a context that ends with the test.
func (h *hub) begin(ctx context.Context, text string, variables map[string]any) func() *graphql.Response {
	h.t.Helper()

	ctx = graphql.StartOperationTrace(ctx)

	operation, errs := h.exec.CreateOperationContext(ctx, &graphql.RawParams{Query: text, Variables: variables})
	if errs != nil {
		h.t.Fatalf("%s: %v", text, errs)
	}

	answers, ctx := h.exec.DispatchOperation(ctx, operation)

	return func() *graphql.Response { return answers(ctx) }
}

// ask carries out an operation as an operator.
func (h *hub) ask(text string) *graphql.Response {
	h.t.Helper()

	return h.begin(as(h.t.Context(), access.Operator), text, nil)()
}

// read carries out an operation that has no errors and reads its data.
func read[T any](h *hub, text string) T {
	h.t.Helper()

	return dataOf[T](h.t, h.ask(text))
}

func dataOf[T any](t *testing.T, answer *graphql.Response) T {
	t.Helper()

	var data T

	if answer == nil {
		t.Fatal("no answer")
	}

	if len(answer.Errors) > 0 {
		t.Fatalf("the answer is %s with errors %v", answer.Data, answer.Errors)
	}

	if err := json.Unmarshal(answer.Data, &data); err != nil {
		t.Fatalf("%s: %v", answer.Data, err)
	}

	return data
}

// codeOf is the code of the answer's only error.
func codeOf(t *testing.T, errs gqlerror.List) any {
	t.Helper()

	if len(errs) != 1 {
		t.Fatalf("the errors are %v; want one", errs)
	}

	return errs[0].Extensions["code"]
}

// wantData compares the data with JSON.
func wantData(t *testing.T, answer *graphql.Response, want string) {
	t.Helper()

	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(want)); err != nil {
		t.Fatal(err)
	}

	if answer == nil || len(answer.Errors) > 0 || string(answer.Data) != compact.String() {
		t.Fatalf("the answer is %+v; want %s", answer, &compact)
	}
}

// reader is a queue.Reader of one site in memory: commands 1 to commands, the odd ones creations, all of one batch.
// It counts who asks.
type reader struct {
	queue.Reader

	mu       sync.Mutex
	calls    map[string]int
	order    []string
	commands int
	held     bool
	events   []*queue.Event
	agents   []*queue.Agent
	woken    chan struct{}
	// refusal is what the named method answers with.
	refusal map[string]error
}

func (r *reader) called(method string) error {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.calls[method]++
	r.order = append(r.order, method)

	return r.refusal[method]
}

func (r *reader) refuse(method string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.refusal = map[string]error{method: err}
}

func (r *reader) wantCalls(t *testing.T, want map[string]int) {
	t.Helper()

	r.mu.Lock()
	defer r.mu.Unlock()

	if fmt.Sprint(r.calls) != fmt.Sprint(want) {
		t.Fatalf("the reader was asked %v; want %v", r.calls, want)
	}

	clear(r.calls)
}

func commandOf(id queue.CommandID) *queue.Command {
	made := &queue.Command{
		ID: id, Batch: batch, Position: int(id) - 1, Kind: queue.KindComment,
		Params: queue.EnsureComment{Key: "A-1", Body: "hello"}, RetryOf: 1000 + id,
		State: queue.State{Status: queue.Skipped, RootCause: 2000 + id},
	}

	if id%2 == 1 {
		made.Kind, made.Params = queue.KindIssue, queue.EnsureIssue{TempKey: "new:1", Fields: queue.Fields{}}
	}

	return made
}

func (r *reader) CommandList(
	_ context.Context, _ queue.SiteID, _ queue.CommandFilter, page queue.Page,
) (*queue.List[*queue.Command], error) {
	list := &queue.List[*queue.Command]{End: "end", HasNext: true}
	for id := range min(page.First, r.commands) {
		list.Nodes = append(list.Nodes, commandOf(queue.CommandID(id+1)))
	}

	return list, r.called("CommandList")
}

func each[K comparable, V any](ids []K, of func(K) V) map[K]V {
	found := make(map[K]V, len(ids))
	for _, id := range ids {
		found[id] = of(id)
	}

	return found
}

func (r *reader) CommandsByID(
	_ context.Context, of queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID]*queue.Command, error) {
	known := slices.DeleteFunc(slices.Clone(ids), func(id queue.CommandID) bool { return id > 9000 || of != site })

	return each(known, commandOf), r.called("CommandsByID")
}

func (r *reader) DependsOn(
	_ context.Context, _ queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID][]*queue.Command, error) {
	return each(ids, func(id queue.CommandID) []*queue.Command {
		return []*queue.Command{commandOf(id + 3000), commandOf(id + 4000)}
	}), r.called("DependsOn")
}

func (r *reader) Retries(
	_ context.Context, _ queue.SiteID, _ []queue.CommandID,
) (map[queue.CommandID][]*queue.Command, error) {
	return nil, r.called("Retries")
}

func (r *reader) History(
	_ context.Context, _ queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID][]*queue.Event, error) {
	return each(ids, func(id queue.CommandID) []*queue.Event {
		return []*queue.Event{commandEvent(id, queue.Queued), commandEvent(id, queue.Claimed)}
	}), r.called("History")
}

func (r *reader) Dependents(
	context.Context, queue.SiteID, queue.CommandID, queue.Page,
) (*queue.List[*queue.Command], error) {
	return &queue.List[*queue.Command]{}, r.called("Dependents")
}

func (r *reader) BatchCommands(
	context.Context, queue.SiteID, queue.BatchID, queue.CommandFilter, queue.Page,
) (*queue.List[*queue.Command], error) {
	return &queue.List[*queue.Command]{}, r.called("BatchCommands")
}

func (r *reader) BatchesByID(
	_ context.Context, of queue.SiteID, ids []queue.BatchID,
) (map[queue.BatchID]*queue.Batch, error) {
	r.mu.Lock()
	held := r.held
	r.mu.Unlock()

	known := slices.DeleteFunc(slices.Clone(ids), func(id queue.BatchID) bool { return id != batch || of != site })

	return each(known, func(id queue.BatchID) *queue.Batch {
		return &queue.Batch{ID: id, Author: "anna", Held: held}
	}), r.called("BatchesByID")
}

func (r *reader) BatchList(
	context.Context, queue.SiteID, queue.BatchFilter, queue.Page,
) (*queue.List[*queue.Batch], error) {
	return &queue.List[*queue.Batch]{Nodes: []*queue.Batch{{ID: batch}}}, r.called("BatchList")
}

func (r *reader) IssueList(
	context.Context, queue.SiteID, queue.IssueFilter, queue.Page,
) (*queue.List[*queue.Issue], error) {
	return &queue.List[*queue.Issue]{Nodes: []*queue.Issue{{Key: "A-1"}}}, r.called("IssueList")
}

func (r *reader) IssuesByKey(
	_ context.Context, _ queue.SiteID, keys []queue.Key,
) (map[queue.Key]*queue.Issue, error) {
	// A-9 was moved away.
	return each(keys, func(key queue.Key) *queue.Issue {
		if key == "A-9" {
			key = "B-1"
		}

		return &queue.Issue{Key: key}
	}), r.called("IssuesByKey")
}

func (r *reader) PresentKeys(_ context.Context, _ queue.SiteID, _ []queue.Key) (map[queue.Key]queue.Key, error) {
	return map[queue.Key]queue.Key{"A-9": "B-1"}, r.called("PresentKeys")
}

func (r *reader) NoteList(context.Context, queue.SiteID, queue.Page) (*queue.List[*queue.Note], error) {
	return &queue.List[*queue.Note]{}, r.called("NoteList")
}

func (r *reader) NotesByKey(_ context.Context, _ queue.SiteID, keys []queue.Key) (map[queue.Key]*queue.Note, error) {
	return each(keys, func(key queue.Key) *queue.Note { return &queue.Note{Key: key, Text: "of " + string(key)} }),
		r.called("NotesByKey")
}

func (r *reader) Jira(context.Context, queue.SiteID) (*queue.Jira, error) {
	return nil, r.called("Jira")
}

func (r *reader) Queue(context.Context, queue.SiteID) (*queue.Overview, error) {
	r.mu.Lock()
	state := &queue.Overview{Counts: queue.Counts{Queued: 2, Confirmed: 1}, Pace: queue.DefaultPace(), Cursor: r.head()}
	r.mu.Unlock()

	return state, r.called("Queue")
}

func (r *reader) Agents(context.Context, queue.SiteID) ([]*queue.Agent, error) {
	r.mu.Lock()
	agents := slices.Clone(r.agents)
	r.mu.Unlock()

	return agents, r.called("Agents")
}

func (r *reader) Head(context.Context, queue.SiteID) (queue.Cursor, error) {
	r.mu.Lock()
	head := r.head()
	r.mu.Unlock()

	return head, r.called("Head")
}

func (r *reader) head() queue.Cursor { return queue.Cursor{Seq: int64(len(r.events)), Mark: 99} }

func (r *reader) Log(_ context.Context, _ queue.SiteID, asked queue.LogQuery) (*queue.LogPage, error) {
	if err := r.called("Log"); err != nil {
		return nil, err
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	page := &queue.LogPage{End: r.head()}

	if asked.NewestFirst {
		if len(r.events) > 0 {
			page.Events = []*queue.Event{r.events[len(r.events)-1]}
		}

		return page, nil
	}

	var after int64
	if asked.After != nil {
		after = asked.After.Seq
	}

	for _, event := range r.events[after:] {
		if len(asked.Kinds) == 0 || slices.Contains(asked.Kinds, event.Kind) {
			page.Events = append(page.Events, event)
		}
	}

	return page, nil
}

func (r *reader) Woken(queue.SiteID) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.woken
}

func commandEvent(id queue.CommandID, status queue.Status) *queue.Event {
	return &queue.Event{
		Kind: queue.EventCommand, Command: id, Batch: batch, Cause: queue.CauseClaimed, Actor: "robot",
		State: queue.State{Status: status, Deliveries: 2},
	}
}

// write appends events and wakes who waits for them.
func (r *reader) write(events ...*queue.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()

	for _, event := range events {
		event.Cursor = queue.Cursor{Seq: int64(len(r.events)) + 1, Mark: 99}
		event.At = time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
		r.events = append(r.events, event)
	}

	close(r.woken)
	r.woken = make(chan struct{})
}
