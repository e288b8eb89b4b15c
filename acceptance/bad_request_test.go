package acceptance

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

const (
	wrongSyntax  = `query { viewer { name }`
	wrongField   = `query { viewer { nickname } }`
	wrongNone    = ``
	wrongLiteral = `mutation { createBatch(input: {commands: [{}]}) { batch { id } } }`
	wrongTwo     = `mutation { createBatch(input: {commands: [
  {refresh: {jql: "a"}, ensureComment: {key: "A-1", body: "a"}}]}) { batch { id } } }`
	wrongEnum     = `query { commands(filter: {statuses: [LOST]}) { totalCount } }`
	wrongArgument = `query { command(id: 1, force: true) { id } }`
)

func TestWhatIsNoRequestIsABadRequest(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	input := func(entries ...any) vars { return vars{"input": vars{"commands": entries}} }
	comment := vars{"key": "A-1", "body": "a"}
	for name, row := range map[string]struct {
		operation string
		vars      vars
	}{
		"syntax":                        {wrongSyntax, nil},
		"an unknown field":              {wrongField, nil},
		"no operation":                  {wrongNone, nil},
		"an unknown enum":               {wrongEnum, nil},
		"an unknown argument":           {wrongArgument, nil},
		"an unknown enum in a variable": {hubtest.QueryCommands, vars{"filter": vars{"statuses": []string{"LOST"}}}},
		"a number where a text is due":  {hubtest.CreateLargeBatch, input(vars{"ensureComment": vars{"key": "A-1", "body": 5}})},
		"a text where a number is due":  {hubtest.SetPace, vars{"input": vars{"minPauseSeconds": "1", "maxPauseSeconds": 2}}},
		"a required variable not given": {hubtest.CreateLargeBatch, nil},
		"an unknown input field":        {hubtest.CreateLargeBatch, input(vars{"ensureComment": vars{"key": "A-1", "body": "a", "to": "b"}})},
		"none of @oneOf":                {wrongLiteral, nil},
		"two of @oneOf":                 {wrongTwo, nil},
		"none of @oneOf in a variable":  {hubtest.CreateLargeBatch, input(vars{})},
		"two of @oneOf in a variable":   {hubtest.CreateLargeBatch, input(vars{"refresh": vars{"jql": "a"}, "ensureComment": comment})},
		"null of @oneOf in a variable":  {hubtest.CreateLargeBatch, input(vars{"refresh": nil})},
	} {
		t.Run(name, func(t *testing.T) {
			response, err := site.Operator.Send(t.Context(), row.operation, row.vars)
			if err != nil {
				t.Fatal(err)
			}
			plain(t, response.Refusal(t, "BAD_REQUEST"))
		})
	}
	same(t, "commands", site.Queue(t).Counts.Total, 0)
}

// plain checks that an error says nothing of the inside.
func plain(t *testing.T, refusal *hubtest.Refusal) {
	t.Helper()
	for _, inner := range []string{"goroutine", ".go:", "SELECT", "INSERT", "SQLSTATE", "pgx", "panic"} {
		if strings.Contains(refusal.Message, inner) {
			t.Errorf("the message tells of %q: %s", inner, refusal.Message)
		}
	}
}

func TestABodyThatIsNoJSONIsABadRequest(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for name, body := range map[string]string{
		"nothing": "", "text": "query { viewer { name } }", "cut off": `{"query": "`,
		"bytes of no UTF-8": "{\"query\": \"query { viewer { name } } # \xff\"}",
	} {
		t.Run(name, func(t *testing.T) {
			response, err := site.Operator.SendBody(t.Context(), []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			response.Refused(t, "BAD_REQUEST")
		})
	}
}

func TestABodyOverTenMegabytesIsTooLarge(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	body := `{"query": "query { viewer { name } }", "extensions": {"padding": "` + strings.Repeat("a", 11<<20) + `"}}`
	response, err := site.Operator.SendBody(t.Context(), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	response.Refused(t, "TOO_LARGE")
}

func TestAnOperationTooDeepIsTooComplex(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	const levels = 60
	deep := "query { batches { nodes { id " + strings.Repeat("commands { nodes { batch { id ", levels) +
		strings.Repeat("} } } ", levels) + "} } }"
	site.Operator.Refused(t, "TOO_COMPLEX", deep, nil)
}

func TestAnOperationTooCostlyIsTooComplex(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	const costly = `query { batches(first: 1000) { nodes { commands(first: 1000) { nodes {
  dependents(first: 1000) { nodes { dependents(first: 1000) { nodes { id } } } } } } } } }`
	site.Operator.Refused(t, "TOO_COMPLEX", costly, nil)
}

func TestAPageIs1To1000Long(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, operation := range []string{
		hubtest.QueryCommands, hubtest.QueryBatches, hubtest.QueryIssues, hubtest.QueryNotes, hubtest.QueryLog,
	} {
		for _, first := range []int{0, -1, 1001} {
			response, err := site.Operator.Send(t.Context(), operation, vars{"first": first})
			if err != nil {
				t.Fatal(err)
			}
			if len(response.Errors) != 1 {
				t.Errorf("a page of %d was taken: %s", first, operation)
			}
		}
	}
}
