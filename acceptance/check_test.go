package acceptance

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

type vars = hubtest.Vars

// same fails the test where what is told of is not as wanted, and goes on.
func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %s, want %s", what, shown(got), shown(want))
	}
}

// shown is a value as a reader wants it: what pointers point to, not where.
func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%#v", value)
	}
	return string(text)
}

// said is a text that may be null, for comparing.
func said(text *string) string {
	if text == nil {
		return "<null>"
	}
	return *text
}

// stands checks a command's status and its error, "<null>" for none.
func stands(t testing.TB, site *hubtest.Site, id, status, because string) {
	t.Helper()
	command := site.Command(t, id)
	what := "command " + id + " " + command.Kind
	same(t, what+" status", command.Status, status)
	same(t, what+" error", said(command.Error), because)
}

// is checks a command's status alone.
func is(t testing.TB, site *hubtest.Site, id, status string) {
	t.Helper()
	command := site.Command(t, id)
	same(t, "command "+id+" "+command.Kind+" status", command.Status, status)
}

// ids are the ids of references, sorted: the contract promises no order there.
func ids(refs []hubtest.Ref) []string {
	return sorted(each(refs, func(ref hubtest.Ref) string { return ref.ID })...)
}

// each is what of says of each of the list, never nil.
func each[A, B any](list []A, of func(A) B) []B {
	found := make([]B, 0, len(list))
	for _, one := range list {
		found = append(found, of(one))
	}
	return found
}

func sorted(texts ...string) []string {
	texts = append(make([]string, 0, len(texts)), texts...)
	slices.Sort(texts)
	return texts
}

// problem is one as the tables write it: place ("0", or "batch"), the field
// and the code.
type problem struct{ Place, Field, Code string }

// problemsOf are a refusal's problems in their order, each of which must have a
// message. What a field holds deeper down (`fields.x`, `keys[1]`) is told by
// the field alone.
func problemsOf(t testing.TB, problems []hubtest.Problem) []problem {
	t.Helper()
	return each(problems, func(one hubtest.Problem) problem {
		if strings.TrimSpace(one.Message) == "" {
			t.Errorf("%s has no message", one)
		}
		words := strings.SplitN(one.String(), " ", 4)
		field, _, _ := strings.Cut(words[1], ".")
		field, _, _ = strings.Cut(field, "[")
		return problem{words[0], field, words[2]}
	})
}

// refusedWith submits a batch that must be refused with exactly these problems,
// in this order.
func refusedWith(t testing.TB, site *hubtest.Site, entries []vars, want ...problem) {
	t.Helper()
	problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateLargeBatch,
		vars{"input": hubtest.BatchInput(entries)})
	same(t, "problems", problemsOf(t, problems), want)
}

// refusal calls an operation that must be refused with the code, and gives the message.
func refusal(t testing.TB, caller *hubtest.Client, code, operation string, with vars) string {
	t.Helper()
	response, err := caller.Send(t.Context(), operation, with)
	if err != nil {
		t.Fatal(err)
	}
	return response.Refusal(t, code).Message
}

// keys are AURORA-1 to AURORA-<count>.
func keys(count int) []string {
	all := make([]string, count)
	for i := range all {
		all[i] = "AURORA-" + strconv.Itoa(i+1)
	}

	return all
}

// scenario is a subtest with a site of its own.
type scenario struct {
	name string
	play func(t *testing.T, site *hubtest.Site)
}

// play runs the scenarios beside each other.
func play(t *testing.T, scenarios []scenario) {
	t.Helper()
	for _, one := range scenarios {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			one.play(t, hub.NewSite(t))
		})
	}
}
