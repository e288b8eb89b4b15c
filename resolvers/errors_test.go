package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

// presenter presents errors and keeps what it logs at info and above.
func presenter() (*resolvers.Presenter, *bytes.Buffer) {
	var logged bytes.Buffer

	return resolvers.NewPresenter(slog.New(slog.NewJSONHandler(&logged, nil))), &logged
}

// marked is an error of gqlgen's or gqlparser's with that code.
func marked(code, message string) error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}

func TestEveryErrorHasTheCodeAndTheStatusOfTheContract(t *testing.T) {
	cause := errors.New("SQLSTATE 08006 at 10.0.0.7")

	for name, presented := range map[string]struct {
		err     error
		code    string
		status  int
		message string
	}{
		"nothing found":         {queue.Refusef(queue.NotFound, "no batch 7"), "NOT_FOUND", 404, "no batch 7"},
		"a conflict":            {queue.Refusef(queue.Conflict, "it has ended"), "CONFLICT", 409, "it has ended"},
		"an old cursor":         {queue.Refusef(queue.CursorExpired, "begin anew"), "CURSOR_EXPIRED", 410, "begin anew"},
		"too large":             {queue.Refusef(queue.TooLarge, "1,001 issues"), "TOO_LARGE", 413, "1,001 issues"},
		"unprocessable":         {queue.Refusef(queue.Unprocessable, "2 problems"), "UNPROCESSABLE", 422, "2 problems"},
		"wrapped":               {fmt.Errorf("hold: %w", queue.Refusef(queue.NotFound, "no batch 7")), "NOT_FOUND", 404, "no batch 7"},
		"the database away":     {queue.Away(cause), "UNAVAILABLE", 503, "the database is away; try again"},
		"the tokens away":       {fmt.Errorf("%w: %w", access.ErrAway, cause), "UNAVAILABLE", 503, "the database is away; try again"},
		"too slow":              {fmt.Errorf("claim: %w", context.DeadlineExceeded), "UNAVAILABLE", 503, "this took too long; try again"},
		"not logged in":         {access.ErrUnknown, "UNAUTHENTICATED", 401, "this token is not known to the hub"},
		"another role's":        {&access.Denied{Code: access.Forbidden, Message: "not yours"}, "FORBIDDEN", 403, "not yours"},
		"too many":              {&access.Denied{Code: access.RateLimited, Message: "slower"}, "RATE_LIMITED", 429, "slower"},
		"does not parse":        {marked("GRAPHQL_PARSE_FAILED", "Expected Name"), "BAD_REQUEST", 400, "Expected Name"},
		"does not validate":     {marked("GRAPHQL_VALIDATION_FAILED", "no field"), "BAD_REQUEST", 400, "no field"},
		"a rule of gqlparser":   {&gqlerror.Error{Message: "no field", Rule: "FieldsOnCorrectType"}, "BAD_REQUEST", 400, "no field"},
		"gqlgen's complexity":   {marked("COMPLEXITY_LIMIT_EXCEEDED", "too much"), "TOO_COMPLEX", 400, "too much"},
		"the server's":          {marked("TOO_COMPLEX", "51 aliases"), "TOO_COMPLEX", 400, "51 aliases"},
		"a scalar's":            {fmt.Errorf("%w", marked("BAD_REQUEST", "not a key")), "BAD_REQUEST", 400, "not a key"},
		"anything else":         {cause, "INTERNAL", 500, "internal error"},
		"an error with no code": {gqlerror.Wrap(cause), "INTERNAL", 500, "internal error"},
		"with an unknown code":  {marked("SQL", "SQLSTATE"), "INTERNAL", 500, "internal error"},
		"that calls itself so":  {marked("INTERNAL", "SQLSTATE"), "INTERNAL", 500, "internal error"},
		"a stray cancellation":  {context.Canceled, "INTERNAL", 500, "internal error"},
	} {
		t.Run(name, func(t *testing.T) {
			present, logged := presenter()

			shown := present.Present(access.WithRequestID(t.Context(), "r-1"), presented.err)
			if shown.Message != presented.message || shown.Extensions["code"] != presented.code || shown.Extensions["status"] != presented.status {
				t.Errorf("got %q with %v", shown.Message, shown.Extensions)
			}

			text, err := json.Marshal(shown)
			if err != nil || strings.Contains(string(text), "SQLSTATE") {
				t.Errorf("the client is told %s: %v", text, err)
			}

			isInternal := presented.code == "INTERNAL"
			if (logged.Len() > 0) != isInternal || (shown.Extensions["requestId"] == "r-1") != isInternal {
				t.Errorf("request id %v; logged: %s", shown.Extensions["requestId"], logged)
			}
		})
	}
}

func TestAnInternalErrorIsLoggedOnceWithItsCause(t *testing.T) {
	present, logged := presenter()
	ctx := access.With(access.WithRequestID(t.Context(), "r-1"), access.Caller{Token: "ops", Site: "main"})

	_ = present.Present(ctx, fmt.Errorf("hold the batch: %w", errors.New("SQLSTATE 42P01")))

	var line map[string]any
	if err := json.Unmarshal(logged.Bytes(), &line); err != nil { // one line, or this fails
		t.Fatalf("logged: %s: %v", logged, err)
	}

	for name, want := range map[string]string{
		"level": "ERROR", "msg": "internal error", "cause": "hold the batch: SQLSTATE 42P01", "request": "r-1", "site": "main", "token": "ops",
	} {
		if line[name] != want {
			t.Errorf("%s: %v", name, line[name])
		}
	}
}

func TestAPanicIsLoggedOnceWithItsStack(t *testing.T) {
	present, logged := presenter()
	ctx := access.WithRequestID(t.Context(), "r-1")

	shown := present.Present(ctx, graphql.ErrorOnPath(ctx, present.Recover(ctx, "nil map")))
	if shown.Message != "internal error" || shown.Extensions["code"] != "INTERNAL" || shown.Extensions["requestId"] != "r-1" {
		t.Errorf("got %q with %v", shown.Message, shown.Extensions)
	}

	var line map[string]any
	if err := json.Unmarshal(logged.Bytes(), &line); err != nil {
		t.Fatalf("logged: %s: %v", logged, err)
	}

	stack, _ := line["stack"].(string)
	if line["cause"] != "nil map" || !strings.Contains(stack, "TestAPanicIsLoggedOnceWithItsStack") {
		t.Errorf("logged: %s", logged)
	}
}

func TestProblemsAreToldOneByOne(t *testing.T) {
	present, _ := presenter()
	refusal := queue.Refusef(queue.Unprocessable, "2 problems")
	refusal.Problems = []queue.Problem{
		{Code: queue.TempKeyUnknown, Message: "no new:7", Position: new(3), Field: "key"},
		{Code: queue.EmptyBatch, Message: "no command", Command: new(queue.CommandID(41))},
	}

	text, err := json.Marshal(present.Present(t.Context(), refusal).Extensions)
	want := `{"code":"UNPROCESSABLE","problems":[` +
		`{"command":null,"code":"TEMP_KEY_UNKNOWN","message":"no new:7","position":3,"field":"key"},` +
		`{"command":"41","code":"EMPTY_BATCH","message":"no command","position":null,"field":null}],"status":422}`

	if err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestARateLimitTellsWhenToTryAgain(t *testing.T) {
	present, _ := presenter()

	shown := present.Present(t.Context(), &access.Denied{Code: access.RateLimited, RetryAfter: 1200 * time.Millisecond})
	if shown.Extensions["retryAfterSeconds"] != 2 {
		t.Errorf("got %v", shown.Extensions)
	}
}

func TestACallerWhoHasGoneIsNoInternalError(t *testing.T) {
	present, logged := presenter()

	gone, cancel := context.WithCancel(t.Context())
	cancel()

	shown := present.Present(gone, fmt.Errorf("claim: %w", context.Canceled))
	if shown.Extensions["code"] != "UNAVAILABLE" || shown.Message != "the request was cut off; try again" || logged.Len() > 0 {
		t.Errorf("got %q with %v; logged: %s", shown.Message, shown.Extensions, logged)
	}

	// What else goes wrong meanwhile is still to be known of.
	if shown := present.Present(gone, errors.New("nil map")); shown.Extensions["code"] != "INTERNAL" || logged.Len() == 0 {
		t.Errorf("got %v; logged: %s", shown.Extensions, logged)
	}
}

// inField is a context as gqlgen makes it for a field; arguments is nil until they are read.
func inField(ctx context.Context, declared ast.ArgumentDefinitionList, arguments map[string]any) context.Context {
	return graphql.WithFieldContext(ctx, &graphql.FieldContext{
		Object: "Mutation",
		Args:   arguments,
		Field: graphql.CollectedField{Field: &ast.Field{
			Alias: "hold", Name: "holdBatch", Definition: &ast.FieldDefinition{Name: "holdBatch", Arguments: declared},
		}},
	})
}

func TestWhatGoesWrongWhileArgumentsAreReadIsABadRequest(t *testing.T) {
	declared := ast.ArgumentDefinitionList{{Name: "id"}}
	failure := errors.New("an id was due")

	for name, field := range map[string]struct {
		inField   bool
		declared  ast.ArgumentDefinitionList
		arguments map[string]any
		code      string
	}{
		"while they are read":  {true, declared, nil, "BAD_REQUEST"},
		"once they are there":  {true, declared, map[string]any{"id": "7"}, "INTERNAL"},
		"where there are none": {true, nil, nil, "INTERNAL"},
		"outside any field":    {false, nil, nil, "INTERNAL"},
	} {
		ctx := t.Context()
		if field.inField {
			ctx = inField(ctx, field.declared, field.arguments)
		}

		present, _ := presenter()

		shown := present.Present(ctx, graphql.ErrorOnPath(ctx, failure))
		if shown.Extensions["code"] != field.code {
			t.Errorf("%s: got %q with %v", name, shown.Message, shown.Extensions)
		}

		if field.code == "BAD_REQUEST" && shown.Message != "an id was due" {
			t.Errorf("%s: got %q", name, shown.Message)
		}
	}

	present, _ := presenter()
	ctx := inField(t.Context(), declared, nil)

	if shown := present.Present(ctx, present.Recover(ctx, "nil map")); shown.Extensions["code"] != "INTERNAL" {
		t.Errorf("a panic while they are read: %v", shown.Extensions)
	}
}

func TestAnErrorKeepsItsPlace(t *testing.T) {
	present, _ := presenter()
	ctx := inField(t.Context(), nil, map[string]any{})

	shown := present.Present(ctx, queue.Refusef(queue.NotFound, "no batch 7"))
	if shown.Path.String() != "hold" {
		t.Errorf("the field's path is %q", shown.Path)
	}

	located := &gqlerror.Error{
		Err: queue.Refusef(queue.NotFound, "no batch 7"), Path: ast.Path{ast.PathName("a"), ast.PathIndex(1)},
		Locations: []gqlerror.Location{{Line: 3, Column: 5}},
	}
	if shown := present.Present(ctx, located); shown.Path.String() != "a[1]" || len(shown.Locations) != 1 || shown.Locations[0].Line != 3 {
		t.Errorf("got %q at %v", shown.Path, shown.Locations)
	}
}

func TestASharedErrorIsNotChangedByBeingShown(t *testing.T) {
	present, _ := presenter()
	shared := &gqlerror.Error{Message: "not a key", Extensions: map[string]any{"code": "BAD_REQUEST"}}

	shown := present.Present(t.Context(), shared)
	shown.Extensions["other"] = true

	if len(shared.Extensions) != 1 {
		t.Errorf("it became %v", shared.Extensions)
	}
}
