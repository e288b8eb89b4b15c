package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// example is one operation of docs/api.md with the answer that stands below it.
type example struct {
	title        string
	role         string
	subscription bool
	operation    string
	variables    string
	answer       string
}

var fenced = regexp.MustCompile("(?ms)^(?:## ([^\n]+)|```(graphql|json)([^\n]*)\n(.*?)^```)$")

// examplesOf reads the examples in their order.
func examplesOf(t *testing.T, page string) []*example {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var (
		title    string
		examples []*example
	)
	for _, block := range fenced.FindAllStringSubmatch(string(text), -1) {
		words := strings.Fields(block[3])
		switch {
		case block[1] != "":
			title = block[1]
		case block[2] == "graphql":
			examples = append(examples, &example{
				title: title, role: words[0], subscription: len(words) > 1, operation: block[4],
			})
		case words[0] == "variables":
			examples[len(examples)-1].variables = block[4]
		default:
			examples[len(examples)-1].answer = block[4]
		}
	}
	return examples
}

func TestExamplesOfTheAPIPage(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	callers := map[string]*hubtest.Client{"operator": site.Operator, "agent": site.Agent}
	known := map[string]string{
		"start": hubtest.Ask[struct{ Cursor string }](t, site.Operator, `{ answer: queue { cursor } }`, nil).Cursor,
	}
	examples := examplesOf(t, "../docs/api.md")
	if len(examples) < 10 {
		t.Fatalf("only %d examples were found", len(examples))
	}
	for number, shown := range examples {
		got := shown.run(t, callers[shown.role], known)
		if !strings.Contains(shown.answer, `"`) {
			t.Fatalf("example %d (%s) shows no answer", number+1, shown.title)
		}
		var want any
		if err := json.Unmarshal([]byte(shown.answer), &want); err != nil {
			t.Fatalf("the answer of %s: %v", shown.title, err)
		}
		if problem := unlike("answer", want, got); problem != "" {
			t.Fatalf("example %d, %s: %s", number+1, shown.title, problem)
		}
		if id := claimedIn(got); id != "" {
			known["claimed"] = id
		}
	}
}

// run sends the example, with what was learnt before put in for $words in quotes.
func (e *example) run(t *testing.T, caller *hubtest.Client, known map[string]string) any {
	t.Helper()
	fill := func(text string) string {
		for name, value := range known {
			text = strings.ReplaceAll(text, `"$`+name+`"`, `"`+value+`"`)
		}
		return text
	}
	var vars hubtest.Vars
	if e.variables != "" {
		if err := json.Unmarshal([]byte(fill(e.variables)), &vars); err != nil {
			t.Fatalf("the variables of %s: %v", e.title, err)
		}
	}
	operation := fill(e.operation)
	if e.subscription {
		stream := caller.Subscribe(t, strings.Replace(operation, "{ ", "{ answer: ", 1), vars)
		field := regexp.MustCompile(`\w+`).FindString(strings.SplitN(operation, "{", 2)[1])
		return map[string]any{"data": map[string]any{field: hubtest.Next[any](t, stream)}}
	}
	response, err := caller.Send(t.Context(), operation, vars)
	if err != nil {
		t.Fatalf("%s: %v", e.title, err)
	}
	raw, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// unlike says where got lacks something of want; "" where it has all. "…" is anything.
func unlike(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %v", at, got)
		}
		for name, value := range want {
			if problem := unlike(at+"."+name, value, object[name]); problem != "" {
				return problem
			}
		}
		return ""
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return fmt.Sprintf("%s is %v, and not a list of %d", at, got, len(want))
		}
		for i, value := range want {
			if problem := unlike(fmt.Sprintf("%s[%d]", at, i), value, list[i]); problem != "" {
				return problem
			}
		}
		return ""
	default:
		if want == "…" && got != nil || want == got {
			return ""
		}
		return fmt.Sprintf("%s is %v instead of %v", at, got, want)
	}
}

// claimedIn is the id of the command that an answer hands out; "" for none.
func claimedIn(answer any) string {
	for _, step := range []string{"data", "claim", "claim", "command", "id"} {
		object, _ := answer.(map[string]any)
		answer = object[step]
	}
	id, _ := answer.(string)
	return id
}
