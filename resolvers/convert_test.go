package resolvers

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// taking is the resolvers with mutations that only keep what the domain would be given.
type taking struct {
	*Resolver
	took any
}

func (t *taking) Mutation() graph.MutationResolver { return takingMutation{mutation{t.Resolver}, t} }

type takingMutation struct {
	mutation
	into *taking
}

func (m takingMutation) CreateBatch(_ context.Context, input graph.BatchInput) (*graph.BatchPayload, error) {
	spec, err := batchSpec(input)
	m.into.took = spec

	return nil, err
}

func (m takingMutation) SetPace(_ context.Context, input graph.PaceInput) (*queue.Pace, error) {
	m.into.took = paceSpec(input)

	return nil, nil
}

func (m takingMutation) Report(_ context.Context, input graph.ReportInput) (*graph.ReportPayload, error) {
	report, err := reportOf(input)
	m.into.took = report

	return nil, err
}

func (m takingMutation) PushJira(_ context.Context, input graph.JiraInput) (*queue.Jira, error) {
	m.into.took = jiraOf(input)

	return nil, nil
}

// take carries out a mutation and gives what the domain would have been given. The variable v is JSON.
func take(t *testing.T, text, variable string) any {
	t.Helper()

	kept := &taking{Resolver: New(Config{})}
	exec := executor.New(graph.NewExecutableSchema(graph.Config{
		Resolvers: kept, Directives: graph.DirectiveRoot{Requires: Requires},
	}))

	variables := map[string]any{}

	if variable != "" {
		decoder := json.NewDecoder(strings.NewReader(`{"v": ` + variable + `}`))
		decoder.UseNumber()

		if err := decoder.Decode(&variables); err != nil {
			t.Fatal(err)
		}
	}

	role := access.Operator
	if strings.Contains(text, "report") || strings.Contains(text, "push") {
		role = access.Agent
	}

	ctx := graphql.StartOperationTrace(access.With(t.Context(), access.Caller{Token: "anna", Role: role}))

	operation, errs := exec.CreateOperationContext(ctx, &graphql.RawParams{Query: text, Variables: variables})
	if errs != nil {
		t.Fatalf("%s: %v", text, errs)
	}

	answers, ctx := exec.DispatchOperation(ctx, operation)
	if answer := answers(ctx); len(answer.Errors) > 0 {
		t.Fatalf("%s: %v", text, answer.Errors)
	}

	return kept.took
}

func TestEveryCommandOfABatchIsTakenAsItIsWritten(t *testing.T) {
	t.Parallel()

	want := queue.BatchSpec{
		Title: new("title"), ClientKey: new("key"), Held: true,
		Commands: []queue.CommandSpec{
			{Params: queue.EnsureIssue{
				TempKey: "new:1", Project: "A", IssueType: "Task", Summary: "s", Description: new("d"), Parent: new(queue.Key("a-1")),
				Epic: new(queue.Key("no key")), Fields: queue.Fields{"x": []any{json.Number("1.10"), nil, true}},
			}},
			{Params: queue.EnsureIssue{TempKey: "new:2", Fields: queue.Fields{}}},
			{Params: queue.EnsureFields{Key: "A-1", Fields: queue.Fields{"due date": nil}}},
			{Params: queue.EnsureStatus{Key: "A-1", Path: []string{"Open", "Done"}}},
			{Params: queue.EnsureLink{Source: "A-1", Target: "A-2", Type: "Blocks", Exclusive: true}},
			{Params: queue.EnsureLink{Source: "A-1", Target: "A-2", Type: "Blocks"}},
			{Params: queue.EnsureSprint{Key: "A-1", Sprint: new("Sprint 2")}},
			{Params: queue.EnsureSprint{Key: "A-1", Sprint: new("")}},
			{Params: queue.EnsureSprint{Key: "A-1"}},
			{Params: queue.EnsureSprint{Key: "A-1"}, SprintOmitted: true},
			{Params: queue.EnsureComment{Key: "A-1", Body: "hello"}},
			{Params: queue.Refresh{Keys: []queue.Key{"A-1"}, JQL: new("project = A")}},
			{Params: queue.Refresh{Keys: []queue.Key{}}},
		},
	}

	got := take(t, `mutation ($v: BatchInput!) { createBatch(input: $v) { batch { id } } }`, `{
		"title": "title", "clientKey": "key", "held": true, "commands": [
			{"ensureIssue": {"tempKey": "new:1", "project": "A", "issueType": "Task", "summary": "s", "description": "d",
				"parent": "a-1", "epic": "no key", "fields": {"x": [1.10, null, true]}}},
			{"ensureIssue": {"tempKey": "new:2", "project": "", "issueType": "", "summary": ""}},
			{"ensureFields": {"key": "A-1", "fields": {"due date": null}}},
			{"ensureStatus": {"key": "A-1", "path": ["Open", "Done"]}},
			{"ensureLink": {"source": "A-1", "target": "A-2", "type": "Blocks", "exclusive": true}},
			{"ensureLink": {"source": "A-1", "target": "A-2", "type": "Blocks"}},
			{"ensureSprint": {"key": "A-1", "sprint": "Sprint 2"}},
			{"ensureSprint": {"key": "A-1", "sprint": ""}},
			{"ensureSprint": {"key": "A-1", "sprint": null}},
			{"ensureSprint": {"key": "A-1"}},
			{"ensureComment": {"key": "A-1", "body": "hello"}},
			{"refresh": {"keys": ["A-1"], "jql": "project = A"}},
			{"refresh": {}}
		]}`)

	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestNumbersOfALiteralAreTakenAsNumbers(t *testing.T) {
	t.Parallel()

	got := take(t, `mutation { createBatch(input: {commands: [
		{ensureFields: {key: "A-1", fields: {points: 5, part: 0.5, text: "5", list: [1]}}}]}) { batch { id } } }`, "")
	want := queue.BatchSpec{Commands: []queue.CommandSpec{{Params: queue.EnsureFields{Key: "A-1", Fields: queue.Fields{
		"points": json.Number("5"), "part": json.Number("0.5"), "text": "5", "list": []any{json.Number("1")},
	}}}}}

	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestWhatIsOmittedOfThePaceIsKnownFromWhatIsNull(t *testing.T) {
	t.Parallel()

	hours := queue.WorkingHours{TimeZone: "Europe/Moscow", Days: []int{1, 7}, From: "22:00", To: "06:00"}

	for given, want := range map[string]queue.PaceSpec{
		``: {},
		`, "workingHours": null, "pauseAfterFailures": null`: {
			WorkingHours: queue.Optional[queue.WorkingHours]{Given: true}, PauseAfterFailures: queue.Optional[int]{Given: true},
		},
		`, "pauseAfterFailures": 3, "workingHours":
			{"timeZone": "Europe/Moscow", "days": [1, 7], "from": "22:00", "to": "06:00"}`: {
			WorkingHours:       queue.Optional[queue.WorkingHours]{Given: true, Value: &hours},
			PauseAfterFailures: queue.Optional[int]{Given: true, Value: new(3)},
		},
	} {
		want.MinPauseSeconds, want.MaxPauseSeconds = 1, 2

		got := take(t, `mutation ($v: PaceInput!) { setPace(input: $v) { paused } }`, `{"minPauseSeconds": 1, "maxPauseSeconds": 2`+given+`}`)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q gives %+v; want %+v", given, got, want)
		}
	}
}

func TestWhatASnapshotDidNotReadIsKnownFromWhatIsEmpty(t *testing.T) {
	t.Parallel()

	const read = `mutation ($v: ReportInput!) { report(input: $v) { accepted } }`

	got := take(t, read, `{"command": 7, "outcome": "FAILED", "error": {"httpStatus": 404, "message": "gone"}, "missing": ["A-3"],
		"instance": "one", "issues": [
			{"key": "A-1", "id": "10", "project": "A", "issueType": "Task", "summary": "s", "description": "d", "status": "Open",
				"sprint": "S", "parent": "A-9", "fields": {}, "links": []},
			{"key": "A-2", "project": "A", "issueType": "Task", "summary": "", "status": "Open", "fields": null, "links": null},
			{"key": "A-4", "project": "A", "issueType": "Task", "summary": "", "status": "Open", "fields": {"n": 1}, "links":
				[{"type": "Blocks", "direction": "INWARD", "key": "A-1", "outwardName": "blocks", "inwardName": "is blocked by"}]}]}`)

	want := queue.Report{
		Command: 7, Outcome: queue.OutcomeFailed, Error: &queue.ReportError{HTTPStatus: new(404), Message: "gone"},
		Missing: []queue.Key{"A-3"}, Instance: "one",
		Issues: []queue.Snapshot{
			{
				Key: "A-1", JiraID: "10", Project: "A", IssueType: "Task", Summary: "s", Description: new("d"), Status: "Open",
				Sprint: new("S"), Parent: new(queue.Key("A-9")), Fields: queue.Fields{}, LinksRead: true, Links: []queue.Link{},
			},
			{Key: "A-2", Project: "A", IssueType: "Task", Status: "Open", Links: []queue.Link{}},
			{
				Key: "A-4", Project: "A", IssueType: "Task", Status: "Open", Fields: queue.Fields{"n": json.Number("1")}, LinksRead: true,
				Links: []queue.Link{{
					Type: "Blocks", Direction: queue.Inward, Key: "A-1", OutwardName: new("blocks"), InwardName: new("is blocked by"),
				}},
			},
		},
	}

	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}

	least := take(t, read, `{"command": "7", "outcome": "DONE", "key": "a-1"}`)
	if !reflect.DeepEqual(least, queue.Report{
		Command: 7, Outcome: queue.OutcomeDone, Key: new(queue.Key("a-1")), Issues: []queue.Snapshot{}, Missing: []queue.Key{},
	}) {
		t.Fatalf("got %+v", least)
	}
}

func TestWhatTheAgentTellsOfJiraIsTakenWhole(t *testing.T) {
	t.Parallel()

	got := take(t, `mutation ($v: JiraInput!) { pushJira(input: $v) { version } }`, `{
		"baseUrl": "https://jira", "deployment": "Server", "version": "9", "statuses": ["Open"],
		"fields": [{"id": "f", "name": "F", "schema": "string"}], "linkTypes": [{"name": "l", "outward": "o", "inward": "i"}],
		"projects": [{"key": "A", "name": "a", "issueTypes": ["Task"]}, {"key": "B", "name": "b"}],
		"sprints": [{"id": "1", "name": "s", "state": "active", "board": "b"}]}`)

	if want := (queue.Jira{
		BaseURL: "https://jira", Deployment: "Server", Version: "9", Statuses: []string{"Open"},
		Fields:    []queue.JiraField{{ID: "f", Name: "F", Schema: new("string")}},
		LinkTypes: []queue.JiraLinkType{{Name: "l", Outward: "o", Inward: "i"}},
		Projects:  []queue.JiraProject{{Key: "A", Name: "a", IssueTypes: []string{"Task"}}, {Key: "B", Name: "b", IssueTypes: []string{}}},
		Sprints:   []queue.JiraSprint{{ID: "1", Name: "s", State: "active", Board: new("b")}},
	}); !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestACommandWithNothingInItIsRefused(t *testing.T) {
	t.Parallel()

	_, err := batchSpec(graph.BatchInput{Commands: []*graph.CommandInput{{Refresh: &graph.RefreshInput{}}, {}}})
	if queue.CodeOf(err) != queue.Unprocessable || !strings.Contains(err.Error(), "commands[1]") {
		t.Fatalf("the error is %v", err)
	}
}

func TestFiltersTakeKeysInTheirOneSpelling(t *testing.T) {
	t.Parallel()

	commands, possible, err := commandFilter(&graph.CommandFilter{
		Batch: new("3"), Key: new(queue.Key("a-1")), Statuses: []queue.Status{queue.Done}, Kinds: []queue.Kind{queue.KindLink}, Search: new("x"),
	})
	if !possible || err != nil || !reflect.DeepEqual(commands, queue.CommandFilter{
		Batch: 3, Key: "A-1", Statuses: []queue.Status{queue.Done}, Kinds: []queue.Kind{queue.KindLink}, Search: "x",
	}) {
		t.Errorf("the filter of commands is %+v, %t, %v", commands, possible, err)
	}

	issues, _, err := issueFilter(&graph.IssueFilter{
		Keys: []queue.Key{"a-1", "no key"}, Project: new("A"), Sprint: new("S"), Search: new("x"), Statuses: []string{"Open"},
		Backlog: new(true), HasNote: new(false),
	})
	if err != nil || !reflect.DeepEqual(issues, queue.IssueFilter{
		Keys: []queue.Key{"A-1"}, Project: "A", Sprint: "S", Search: "x", Statuses: []string{"Open"}, Backlog: true, HasNote: new(false),
	}) {
		t.Errorf("the filter of issues is %+v, %v", issues, err)
	}

	none, possible, err := issueFilter(&graph.IssueFilter{Keys: []queue.Key{"no key"}})
	if err != nil || possible {
		t.Errorf("keys that are none give %+v, %v: nothing shall be found", none, err)
	}

	batches, _, err := batchFilter(&graph.BatchFilter{Author: new("anna"), Search: new("x"), Statuses: []queue.BatchStatus{queue.Running}})
	if err != nil || !reflect.DeepEqual(batches, queue.BatchFilter{
		Author: "anna", Search: "x", Statuses: []queue.BatchStatus{queue.Running},
	}) {
		t.Errorf("the filter of batches is %+v, %v", batches, err)
	}
}

func TestAPreviewShowsProblemsAsTheSchemaHasThem(t *testing.T) {
	t.Parallel()

	shown := shownPreview(&queue.Preview{
		Problems: []queue.Problem{
			{Code: queue.EmptyBatch, Message: "m"},
			{Code: queue.Required, Message: "m", Position: new(0), Field: "key", Command: new(queue.CommandID(7))},
		},
		Steps: []queue.PreviewStep{{Position: 1, Kind: queue.KindLink, Effect: queue.EffectChange}},
	})
	want := &graph.BatchPreview{
		Problems: []*graph.Problem{
			{Code: "EMPTY_BATCH", Message: "m"},
			{Code: "REQUIRED", Message: "m", Position: new(0), Field: new("key"), Command: new("7")},
		},
		Steps: []*queue.PreviewStep{{Position: 1, Kind: queue.KindLink, Effect: queue.EffectChange}},
	}

	if !reflect.DeepEqual(shown, want) {
		t.Fatalf("got %+v", shown)
	}
}

// ended is a reader of commands that are all there but the 13th.
type ended struct{ queue.Reader }

func (ended) CommandsByID(
	_ context.Context, _ queue.SiteID, ids []queue.CommandID,
) (map[queue.CommandID]*queue.Command, error) {
	found := map[queue.CommandID]*queue.Command{}
	for _, id := range ids {
		found[id] = &queue.Command{ID: id}
	}

	delete(found, 13)

	return found, nil
}

func TestACancelShowsAsManyCommandsOfEachSortAsAreAskedFor(t *testing.T) {
	t.Parallel()

	resolver := New(Config{Reader: ended{}})
	ctx := resolver.begin(access.With(t.Context(), access.Caller{SiteID: 1}), false)
	payload := &graph.CancelPayload{Cancellation: &queue.Cancellation{
		Cancelled: []queue.CommandID{1, 2, 3}, Skipped: []queue.CommandID{4}, StillClaimed: []queue.CommandID{5, 6},
		AlreadyEnded: []queue.CommandID{12, 13, 14},
	}}
	shows := resolver.CancelPayload()

	stillClaimed := func(ctx context.Context, of *graph.CancelPayload, _ int) ([]*queue.Command, error) {
		return shows.StillClaimed(ctx, of)
	}

	for name, one := range map[string]struct {
		show  func(context.Context, *graph.CancelPayload, int) ([]*queue.Command, error)
		first int
		want  []queue.CommandID
	}{
		"cancelled":     {shows.Cancelled, 2, []queue.CommandID{1, 2}},
		"skipped":       {shows.Skipped, 1000, []queue.CommandID{4}},
		"already ended": {shows.AlreadyEnded, 3, []queue.CommandID{12, 14}},
		"still claimed": {stillClaimed, 0, []queue.CommandID{5, 6}},
	} {
		shown, err := one.show(ctx, payload, one.first)

		ids := make([]queue.CommandID, len(shown))
		for i, command := range shown {
			ids[i] = command.ID
		}

		if err != nil || !slices.Equal(ids, one.want) {
			t.Errorf("%s: %v, %v; want %v", name, ids, err, one.want)
		}
	}

	for _, show := range []func(context.Context, *graph.CancelPayload, int) ([]*queue.Command, error){
		shows.Cancelled, shows.Skipped, shows.AlreadyEnded,
	} {
		for _, first := range []int{-1, 0, 1001} {
			if _, err := show(ctx, payload, first); queue.CodeOf(err) != queue.Unprocessable {
				t.Errorf("the first %d: %v", first, err)
			}
		}
	}
}

func TestASecondSightOfAnAgentLooksAlikeUntilMoreThanTheTimeDiffers(t *testing.T) {
	t.Parallel()

	agent := queue.Agent{Name: "robot", Instance: "one", Online: true, Version: new("1")}
	later := agent
	later.LastSeenAt = agent.LastSeenAt.Add(time.Minute)

	if !looksAlike(&agent, &later) {
		t.Error("a later sight of the same agent looks different")
	}

	for _, differ := range []func(*queue.Agent){
		func(a *queue.Agent) { a.Name = "other" },
		func(a *queue.Agent) { a.Instance = "two" },
		func(a *queue.Agent) { a.Online = false },
		func(a *queue.Agent) { a.Version = nil },
		func(a *queue.Agent) { a.Problem = new("no login") },
	} {
		other := agent
		differ(&other)

		if looksAlike(&agent, &other) {
			t.Errorf("%+v looks like %+v", other, agent)
		}
	}
}
