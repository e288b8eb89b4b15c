package resolvers_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

// flipping is a store that knows one change: it holds or releases the batch, whichever it is not.
type flipping struct{ reader *reader }

func (f flipping) Change(_ context.Context, of queue.SiteID, _ func(queue.Tx) error) error {
	if of != site {
		return queue.Refusef(queue.NotFound, "no site %d", of)
	}

	f.reader.mu.Lock()
	defer f.reader.mu.Unlock()

	f.reader.held = !f.reader.held

	return nil
}

func newChangingHub(t *testing.T) *hub {
	t.Helper()

	changed := &reader{calls: map[string]int{}}

	return newHub(t, resolvers.Config{
		Reader: changed, Queue: queue.New(flipping{changed}, changed, changed, queue.Timing{}, nil),
	})
}

func TestAMutationsAnswerIsReadAfterIt(t *testing.T) {
	t.Parallel()

	hub := newChangingHub(t)

	wantData(t, hub.ask(`mutation { one: holdBatch(id: 3) { held } two: releaseBatch(id: 3) { held } three: holdBatch(id: 3) { held } }`),
		`{"one": {"held": true}, "two": {"held": false}, "three": {"held": true}}`)
}

func TestAnUnknownIDIsNotFoundInAMutation(t *testing.T) {
	t.Parallel()

	hub := newChangingHub(t)

	for _, field := range []string{
		`holdBatch(id: "x") { id }`, `releaseBatch(id: "0") { id }`, `cancelBatch(id: "x") { skippedCount }`,
		`cancelCommands(ids: [1, "x"]) { skippedCount }`, `retryCommands(ids: ["+1"]) { batch { id } }`,
	} {
		if code := codeOf(t, hub.ask("mutation { "+field+" }").Errors); code != "NOT_FOUND" {
			t.Errorf("%s: %v", field, code)
		}
	}

	for _, field := range []string{
		`report(input: {command: "x", outcome: DONE}) { accepted }`, `pushIssues(issues: [], command: "x") { stored }`,
	} {
		answer := hub.begin(as(t.Context(), access.Agent), "mutation { "+field+" }", nil)()
		if code := codeOf(t, answer.Errors); code != "NOT_FOUND" {
			t.Errorf("%s: %v", field, code)
		}
	}
}

func TestAClaimWaitsFrom0To55Seconds(t *testing.T) {
	t.Parallel()

	hub := newChangingHub(t)

	for _, seconds := range []int{-1, 56, 1000} {
		answer := hub.begin(as(t.Context(), access.Agent), fmt.Sprintf(`mutation { claim(waitSeconds: %d) { idleReason } }`, seconds), nil)()
		if code := codeOf(t, answer.Errors); code != "UNPROCESSABLE" || !strings.Contains(answer.Errors[0].Message, "0 to 55") {
			t.Errorf("%d seconds: %v", seconds, answer.Errors)
		}
	}
}

func TestMoreThan10000IDsAreTooLarge(t *testing.T) {
	t.Parallel()

	hub := newChangingHub(t)
	ids := slices.Repeat([]any{"1"}, 10_001)

	for _, text := range []string{
		`mutation ($ids: [ID!]!) { cancelCommands(ids: $ids) { skippedCount } }`,
		`mutation ($ids: [ID!]!) { retryCommands(ids: $ids) { batch { id } } }`,
		`query ($ids: [IssueKey!]!) { issues(filter: {keys: $ids}) { nodes { key } } }`,
		`subscription ($ids: [IssueKey!]!) { issueChanged(keys: $ids) { at } }`,
		`subscription ($ids: [IssueKey!]!) { noteChanged(keys: $ids) { at } }`,
	} {
		answer := hub.begin(as(t.Context(), access.Operator), text, map[string]any{"ids": ids})()
		if code := codeOf(t, answer.Errors); code != "TOO_LARGE" {
			t.Errorf("%s: %v", text, code)
		}
	}
}
