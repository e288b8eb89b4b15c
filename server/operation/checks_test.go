package operation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/server/operation"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// checked is the executor over the hub's own schema, with the checks; nothing is carried out.
func checked(limits operation.Limits) *executor.Executor {
	schema := graph.NewExecutableSchema(graph.Config{})
	exec := executor.New(schema)
	operation.Install(exec, schema, limits)

	return exec
}

// ask asks for an operation as a transport would, with the variables as they come from JSON.
func ask(t *testing.T, exec *executor.Executor, query, variables string) (*graphql.OperationContext, gqlerror.List) {
	t.Helper()

	return askNamed(t, exec, query, "", variables)
}

func askNamed(
	t *testing.T, exec *executor.Executor, query, name, variables string,
) (*graphql.OperationContext, gqlerror.List) {
	t.Helper()

	params := &graphql.RawParams{Query: query, OperationName: name}

	if variables != "" {
		decoder := json.NewDecoder(strings.NewReader(variables))
		decoder.UseNumber()

		if err := decoder.Decode(&params.Variables); err != nil {
			t.Fatalf("the test's variables: %v", err)
		}
	}

	return exec.CreateOperationContext(graphql.StartOperationTrace(context.Background()), params)
}

// code is the code that an error has, or gqlgen's own where it comes from the executor.
func code(problems gqlerror.List) string {
	if len(problems) == 0 {
		return ""
	}

	text, _ := problems[0].Extensions["code"].(string)

	return text
}

func repeated(count int, line string) string {
	var all strings.Builder
	for n := range count {
		fmt.Fprintf(&all, line, n)
	}

	return all.String()
}

func nested(depth int) string {
	return "{ batch(id: 1) { id " + strings.Repeat("commands { nodes { batch { ", depth) + "id" + strings.Repeat(" } } }", depth) + " } }"
}

// previewed is a query with that value among its fields.
func previewed(value string) string {
	return `{ previewBatch(input: {commands: [{ensureFields: {key: "A-1", fields: {a: ` + value + `}}}]}) { problems { code } } }`
}

func TestAnOperationWithinTheLimitsPasses(t *testing.T) {
	for name, query := range map[string]string{
		"small":            "{ viewer { name } }",
		"50 root fields":   "{" + repeated(50, " a%d: __typename") + "}",
		"20 deep":          nested(6),
		"a thousand nodes": "{ commands(first: 1000) { nodes { id status params { ... on EnsureIssue { summary } } batch { title } } } }",
		"values nested":    previewed(strings.Repeat("[", 90) + strings.Repeat("]", 90)),
	} {
		t.Run(name, func(t *testing.T) {
			if operation, problems := ask(t, checked(operation.Limits{}), query, ""); problems != nil || operation.Doc == nil {
				t.Errorf("refused: %v", problems)
			}
		})
	}
}

func TestTheFullIntrospectionPasses(t *testing.T) {
	query, err := os.ReadFile("testdata/introspection.graphql")
	if err != nil {
		t.Fatal(err)
	}

	if _, problems := ask(t, checked(operation.Limits{}), string(query), ""); problems != nil {
		t.Errorf("refused: %v", problems)
	}
}

func TestAnOperationBeyondALimitIsTooComplex(t *testing.T) {
	var doubling strings.Builder

	doubling.WriteString("{ viewer { ...F0 } }")

	for n := range 60 {
		fmt.Fprintf(&doubling, " fragment F%d on Viewer { ...N%d ...N%d } fragment N%d on Viewer { ...F%d }", n, n, n, n, n+1)
	}

	doubling.WriteString(" fragment F60 on Viewer { name }")

	for name, asked := range map[string]struct{ query, message string }{
		"deep": {
			nested(7), "the operation is 23 fields deep; at most 20 are allowed",
		},
		"deep in a fragment": {
			"{ batch(id: 1) { ...B } } fragment B on Batch { id " + strings.Repeat("commands { nodes { batch { ", 7) + "id" +
				strings.Repeat(" } } }", 7) + " }",
			"the operation is 23 fields deep; at most 20 are allowed",
		},
		"root fields": {
			"{" + strings.Repeat(" __typename", 51) + "}", "the operation has 51 root fields; at most 50 are allowed",
		},
		"root fields in fragments": {
			"{ ...A ...A } fragment A on Query {" + strings.Repeat(" __typename", 26) + "}",
			"the operation has 52 root fields; at most 50 are allowed",
		},
		"aliases": {
			"{ viewer {" + repeated(51, " a%d: name") + " } }", "the operation has 51 aliases; at most 50 are allowed",
		},
		"aliases in a fragment, spread twice": {
			"{ viewer { ...A ...A } } fragment A on Viewer {" + repeated(26, " a%d: name") + " }",
			"the operation has 52 aliases; at most 50 are allowed",
		},
		"aliases of a mutation": {
			"mutation {" + repeated(51, " a%d: resumeQueue { paused }") + " }", "the operation has 51 root fields; at most 50 are allowed",
		},
		"the second operation": {
			"query A { viewer { name } } query B {" + strings.Repeat(" __typename", 51) + "}",
			"the operation has 51 root fields; at most 50 are allowed",
		},
		"fields": {
			"{ viewer {" + strings.Repeat(" name", 2001) + " } }", "the document has 2002 fields; at most 2000 are allowed",
		},
		"fragments that double": {
			doubling.String(), "fields; at most 2000 are allowed",
		},
		"fields of all operations": {
			repeated(3, " query Q%d { viewer { ...A } }") + " fragment A on Viewer {" + strings.Repeat(" name", 700) + " }",
			"the document has 2103 fields; at most 2000 are allowed",
		},
		"operations": {
			repeated(251, " query Q%d { viewer { name } }"), "the document has 251 operations and fragments; at most 250 are allowed",
		},
		"tokens": {
			"{ viewer {" + strings.Repeat(" name", 15_000) + " } }",
			"the document has more than 15000 tokens; give long values in variables",
		},
		"a value as long": {
			`{ issues(filter: {keys: [` + strings.Repeat(` "A-1"`, 15_000) + `]}) { totalCount } }`,
			"the document has more than 15000 tokens; give long values in variables",
		},
		"brackets without end": {
			`{ issue(key: ` + strings.Repeat("[", 5000), "the document nests too deep",
		},
		"a value that nests": {
			previewed(strings.Repeat("[", 101) + strings.Repeat("]", 101)), "a value nests more than 100 levels deep",
		},
		"introspection": {
			"{ __schema { types {" + repeated(25, " a%d: fields { name type {"+repeatedInner()+" } }") + " } } }",
			"an answer about the schema would have some",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := ask(t, checked(operation.Limits{}), asked.query, "")
			if code(problems) != "TOO_COMPLEX" || !strings.Contains(problems[0].Message, asked.message) {
				t.Fatalf("got %v", problems)
			}

			if problems[0].Extensions["status"] != 400 {
				t.Errorf("status %v", problems[0].Extensions["status"])
			}
		})
	}
}

// repeatedInner is asked for under the same limit of aliases: 25 outer and 25 inner ones.
func repeatedInner() string {
	return " fields { name type { name } } enumValues { name } inputFields { name }"
}

func TestLimitsAreThoseThatWereSet(t *testing.T) {
	for name, limits := range map[string]operation.Limits{
		"depth": {Depth: 1}, "fields": {Fields: 2}, "definitions": {Definitions: 1}, "root fields": {RootFields: 1},
		"aliases": {Aliases: 1}, "tokens": {Tokens: 5},
		"cost": {Cost: 1},
	} {
		t.Run(name, func(t *testing.T) {
			query := "{ a: viewer { ...V } b: viewer { ...V } } fragment V on Viewer { name }"
			if _, problems := ask(t, checked(limits), query, ""); code(problems) != "TOO_COMPLEX" {
				t.Errorf("got %v", problems)
			}

			if _, problems := ask(t, checked(operation.Limits{}), query, ""); problems != nil {
				t.Errorf("with the defaults: %v", problems)
			}
		})
	}
}

func TestADocumentThatIsWrongIsRefusedForItsReason(t *testing.T) {
	for name, asked := range map[string]struct{ query, operation, code, message string }{
		"nothing":              {" ", "", "BAD_REQUEST", "the document has no operation"},
		"a fragment alone":     {"fragment A on Viewer { name }", "", "BAD_REQUEST", "the document has no operation"},
		"not GraphQL":          {"{ viewer { name }", "", "BAD_REQUEST", "the document cannot be read: Expected Name, found <EOF>"},
		"an unknown operation": {"query A { viewer { name } }", "B", "BAD_REQUEST", `the document has no operation named "B"`},
		"which of the two": {
			"query A { viewer { name } } query B { viewer { name } }", "", "BAD_REQUEST",
			"the document has 2 operations; name one in operationName",
		},
		"an unknown field": {
			"{ viewer { nam } }", "", "GRAPHQL_VALIDATION_FAILED", `Cannot query field "nam" on type "Viewer". Did you mean "name"?`,
		},
		"a fragment that spreads itself": {
			"{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { name ...A }", "", "GRAPHQL_VALIDATION_FAILED",
			`Cannot spread fragment "A" within itself via "B".`,
		},
		"an unknown fragment": {"{ viewer { ...A } }", "", "GRAPHQL_VALIDATION_FAILED", `Unknown fragment "A".`},
		"an Int of 33 bits": {
			"{ commands(first: 5000000000) { totalCount } }", "", "BAD_REQUEST", "5000000000 is no Int: it has 32 bits",
		},
		"a whole number beyond all": {
			previewed("99999999999999999999"), "", "BAD_REQUEST",
			"99999999999999999999 is too large for a number in the document; give it in a variable, where the type allows it",
		},
		"a fraction beyond all": {
			previewed("1e400"), "", "BAD_REQUEST",
			"1e400 is too large for a number in the document; give it in a variable, where the type allows it",
		},
		"a number for a text": {
			`mutation { pauseQueue(reason: 5) { paused } }`, "", "GRAPHQL_VALIDATION_FAILED",
			"String cannot represent a non string value: 5",
		},
		"an unknown enum": {
			"{ commands(filter: {statuses: [NOPE]}) { totalCount } }", "", "GRAPHQL_VALIDATION_FAILED",
			`Value "NOPE" does not exist in "CommandStatus!" enum. Did you mean the enum value "DONE"?`,
		},
		"two of @oneOf": {
			`{ previewBatch(input: {commands: [{ensureSprint: {key: "A-1"}, refresh: {}}]}) { problems { code } } }`,
			"", "GRAPHQL_VALIDATION_FAILED", `OneOf Input Object "CommandInput" must specify exactly one key.`,
		},
		"none of @oneOf": {
			`{ previewBatch(input: {commands: [{}]}) { problems { code } } }`,
			"", "GRAPHQL_VALIDATION_FAILED", `OneOf Input Object "CommandInput" must specify exactly one key.`,
		},
		"@oneOf by a nullable variable": {
			`query($r: RefreshInput) { previewBatch(input: {commands: [{refresh: $r}]}) { problems { code } } }`,
			"", "GRAPHQL_VALIDATION_FAILED",
			`Variable "$r" is of type "RefreshInput" but must be non-nullable to be used for OneOf Input Object "CommandInput".`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := askNamed(t, checked(operation.Limits{}), asked.query, asked.operation, "")
			if code(problems) != asked.code || problems[0].Message != asked.message {
				t.Errorf("got %s: %v", code(problems), problems)
			}
		})
	}
}

func TestEverythingThatTheValidationFindsIsTold(t *testing.T) {
	if _, problems := ask(t, checked(operation.Limits{}), "{ viewer { a b c } }", ""); len(problems) != 3 {
		t.Errorf("got %v", problems)
	}
}

func TestADocumentReadBeforeIsHeldToTheSame(t *testing.T) {
	exec := checked(operation.Limits{})
	query := `query A($first: Int = 5) { commands(first: $first) { totalCount } } query B { viewer { name } }`

	for range 2 {
		first, problems := askNamed(t, exec, query, "A", `{"first": 7}`)
		if problems != nil || fmt.Sprint(first.Variables["first"]) != "7" || first.Operation.Name != "A" {
			t.Fatalf("A: %v, %v", first.Variables, problems)
		}

		if second, problems := askNamed(t, exec, query, "B", ""); problems != nil || second.Operation.Name != "B" {
			t.Fatalf("B: %v", problems)
		}

		if _, problems := askNamed(t, exec, query, "A", `{"first": null}`); code(problems) != "BAD_REQUEST" {
			t.Fatalf("A with null: %v", problems)
		}
	}
}
