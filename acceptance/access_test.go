package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gql "github.com/vektah/gqlparser/v2/ast"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// TestEachRootFieldIsForItsRoles asks for every root field of the contract with
// every role, and expects FORBIDDEN where the field's @requires does not name
// it, and only there.
func TestEachRootFieldIsForItsRoles(t *testing.T) {
	t.Parallel()
	schema := contract(t)
	site := hub.NewSite(t)
	site.Pause(t) // so that nothing that is asked for here brings a claim
	cursor := site.Queue(t).Cursor
	given := map[string]string{"after": cursor, "id": oneOfEachEvent(t, site)}
	callers := map[string]*hubtest.Client{
		"VIEWER": site.Viewer(t), "OPERATOR": site.Operator, "AGENT": site.Agent, "ADMIN": site.Admin(t),
	}
	for _, root := range []*gql.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			roles := rolesOf(field)
			if len(roles) == 0 {
				t.Errorf("%s requires no role", field.Name)
			}
			for role, caller := range callers {
				t.Run(fmt.Sprintf("%s as %s", field.Name, role), func(t *testing.T) {
					operation := smallest(schema, root, field, given)
					allowed := slices.Contains(roles, role)
					if root == schema.Subscription {
						subscribeAs(t, caller, operation, allowed)
						return
					}
					askAs(t, caller, operation, allowed)
				})
			}
		}
	}
}

func askAs(t *testing.T, caller *hubtest.Client, operation string, allowed bool) {
	t.Helper()
	response, err := caller.Send(t.Context(), operation, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !allowed {
		response.Refused(t, "FORBIDDEN")
		return
	}
	for _, refusal := range response.Errors {
		switch refusal.Extensions.Code {
		case "NOT_FOUND", "UNPROCESSABLE", "CONFLICT":
		default:
			t.Errorf("%s\nwas refused: %v", operation, refusal)
		}
	}
}

func subscribeAs(t *testing.T, caller *hubtest.Client, operation string, allowed bool) {
	t.Helper()
	stream := caller.Subscribe(t, operation, nil)
	if !allowed {
		stream.Refused(t, "FORBIDDEN")
		return
	}
	hubtest.Next[any](t, stream)
}

// oneOfEachEvent makes a change of each kind, so that every stream has one to
// begin with, and returns the id of its batch.
func oneOfEachEvent(t *testing.T, site *hubtest.Site) string {
	t.Helper()
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a")).ID
	site.Push(t, hubtest.Snapshot("AURORA-1"))
	site.SetNote(t, "AURORA-1", "a")
	return batch
}

func rolesOf(field *gql.FieldDefinition) []string {
	requires := field.Directives.ForName("requires")
	if requires == nil {
		return nil
	}
	roles := []string{}
	for _, role := range requires.Arguments.ForName("roles").Value.Children {
		roles = append(roles, role.Value.Raw)
	}
	return roles
}

// smallest is an operation that asks for the field with its required arguments
// alone; a subscription's are taken from those given too, so that it begins with
// a value.
func smallest(schema *gql.Schema, root *gql.Definition, field *gql.FieldDefinition, given map[string]string) string {
	arguments := []string{}
	for _, argument := range field.Arguments {
		value, there := given[argument.Name]
		switch {
		case there && root == schema.Subscription:
			arguments = append(arguments, fmt.Sprintf("%s: %q", argument.Name, value))
		case argument.Type.NonNull && argument.DefaultValue == nil:
			arguments = append(arguments, argument.Name+": "+literal(schema, argument.Type))
		}
	}
	list := ""
	if len(arguments) > 0 {
		list = "(" + strings.Join(arguments, ", ") + ")"
	}
	return fmt.Sprintf("%s { %s%s { __typename } }", strings.ToLower(root.Name), field.Name, list)
}

func literal(schema *gql.Schema, of *gql.Type) string {
	if of.Elem != nil {
		return "[]"
	}
	switch definition := schema.Types[of.Name()]; {
	case definition.Kind == gql.Enum:
		return definition.EnumValues[0].Name
	case definition.Kind == gql.InputObject:
		fields := []string{}
		for _, field := range definition.Fields {
			if field.Type.NonNull && field.DefaultValue == nil {
				fields = append(fields, field.Name+": "+literal(schema, field.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case of.Name() == "Int":
		return "1"
	case of.Name() == "IssueKey":
		return `"AURORA-1"`
	default:
		return `"1"`
	}
}

const queryViewerAndQueue = `query { viewer { name role site } queue { cursor } }`

func TestARefusedFieldDoesNotTakeTheOthersAnswersWithIt(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	response, err := site.Agent.Send(t.Context(), queryViewerAndQueue, nil)
	if err != nil {
		t.Fatal(err)
	}
	refusal := response.Refusal(t, "FORBIDDEN")
	same(t, "path", refusal.Path, []any{"queue"})
	want := fmt.Sprintf(`{"viewer":{"name":%q,"role":"AGENT","site":%q},"queue":null}`, site.Agent.Name, site.Name)
	same(t, "data", string(response.Data), want)
}

type viewer struct{ Name, Role, Site string }

func TestTheTokenSaysWhoCallsAndForWhichSite(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for role, caller := range map[string]*hubtest.Client{
		"VIEWER": site.Viewer(t), "OPERATOR": site.Operator, "AGENT": site.Agent, "ADMIN": site.Admin(t),
	} {
		same(t, role, hubtest.Ask[viewer](t, caller, hubtest.QueryViewer, nil), viewer{caller.Name, role, site.Name})
	}
}

func TestWithoutAValidTokenACallerIsUnauthenticated(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	revoked := site.Caller(t, "operator", "revoked")
	hubtest.Ask[viewer](t, revoked, hubtest.QueryViewer, nil)
	if _, err := hub.Run(t.Context(), "token", "revoke", revoked.Name); err != nil {
		t.Fatal(err)
	}
	for name, caller := range map[string]*hubtest.Client{
		"no token": hub.Stranger(""), "a made-up token": hub.Stranger("made-up"), "a revoked token": revoked,
	} {
		t.Run(name, func(t *testing.T) {
			caller.Refused(t, "UNAUTHENTICATED", hubtest.QueryViewer, nil)
			caller.Refused(t, "UNAUTHENTICATED", hubtest.CreateBatch,
				vars{"input": hubtest.BatchInput(one(hubtest.Comment("AURORA-1", "a")))})
			same(t, "let in over the websocket", caller.Connect(t).Acknowledged(t), false)
		})
	}
	same(t, "commands", site.Queue(t).Counts.Total, 0)
}

func TestAnotherSitesIDsDoNotExist(t *testing.T) {
	t.Parallel()
	site, other := hub.NewSite(t), hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	id := batch.CommandID(0)
	site.Push(t, hubtest.Snapshot("AURORA-1"))
	site.SetNote(t, "AURORA-1", "a")
	before := site.Queue(t)

	same(t, "command", hubtest.Ask[*hubtest.Command](t, other.Operator, hubtest.QueryCommand, vars{"id": id}), nil)
	same(t, "batch", hubtest.Ask[*hubtest.Batch](t, other.Operator, hubtest.QueryBatch, vars{"id": batch.ID}), nil)
	same(t, "issue", other.Issue(t, "AURORA-1"), nil)
	same(t, "note", other.Note(t, "AURORA-1"), nil)
	same(t, "notes", len(other.Notes(t)), 0)
	same(t, "issues", len(listIssues(t, other, nil).Nodes), 0)

	other.Operator.Refused(t, "NOT_FOUND", hubtest.CancelCommands, vars{"ids": []string{id}, "force": true})
	other.Operator.Refused(t, "NOT_FOUND", hubtest.CancelBatch, vars{"id": batch.ID, "force": true})
	other.Operator.Refused(t, "NOT_FOUND", hubtest.HoldBatch, vars{"id": batch.ID})
	other.Operator.Refused(t, "NOT_FOUND", hubtest.ReleaseBatch, vars{"id": batch.ID})
	other.Operator.Refused(t, "NOT_FOUND", hubtest.RetryCommands, vars{"ids": []string{id}})
	refuseReport(t, other, "NOT_FOUND", id, "DONE")
	other.Agent.Refused(t, "NOT_FOUND", hubtest.PushIssues, vars{"issues": []vars{}, "command": id})
	other.Operator.Subscribe(t, hubtest.CommandChanged, vars{"command": id}).Refused(t, "NOT_FOUND")
	other.Operator.Subscribe(t, hubtest.CommandChanged, vars{"batch": batch.ID}).Refused(t, "NOT_FOUND")
	other.Operator.Subscribe(t, hubtest.BatchChanged, vars{"id": batch.ID}).Refused(t, "NOT_FOUND")

	after := site.Queue(t)
	same(t, "cursor", after.Cursor, before.Cursor)
	is(t, site, id, "QUEUED")
}

// An id that is none is as unknown as one that nobody has.
func TestAnUnknownIDIsNullInAQueryAndNotFoundElsewhere(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, id := range []string{"999999999", "no id", "", "-1", "99999999999999999999999", "1' OR 1=1"} {
		same(t, "command "+id, hubtest.Ask[*hubtest.Command](t, site.Operator, hubtest.QueryCommand, vars{"id": id}), nil)
		same(t, "batch "+id, hubtest.Ask[*hubtest.Batch](t, site.Operator, hubtest.QueryBatch, vars{"id": id}), nil)
		site.Operator.Refused(t, "NOT_FOUND", hubtest.CancelCommands, vars{"ids": []string{id}})
		site.Operator.Refused(t, "NOT_FOUND", hubtest.CancelBatch, vars{"id": id})
		site.Operator.Refused(t, "NOT_FOUND", hubtest.RetryCommands, vars{"ids": []string{id}})
		refuseReport(t, site, "NOT_FOUND", id, "DONE")
		site.Operator.Subscribe(t, hubtest.BatchChanged, vars{"id": id}).Refused(t, "NOT_FOUND")
	}
}
