package resolvers_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

func TestManyObjectsCostOneReadingAField(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		hub.reader.commands = 300

		type loaded struct {
			Commands struct {
				Nodes []struct {
					Batch     struct{ Author string }
					DependsOn []struct{ Position int }
					RootCause struct{ Position int }
					RetryOf   struct{ Position int }
					Retries   []struct{}
					History   []struct{ Command struct{ Position int } }
				}
			}
		}

		got := read[loaded](hub, `{ commands(first: 300) { nodes {
			batch { author } dependsOn { position batch { author } } rootCause { position } retryOf { position }
			retries { position } history { to command { position } } } } }`)

		for i, node := range got.Commands.Nodes {
			if node.Batch.Author != "anna" || node.DependsOn[1].Position != 4000+i || node.RootCause.Position != 2000+i ||
				node.RetryOf.Position != 1000+i || len(node.Retries) != 0 || node.History[0].Command.Position != i {
				t.Fatalf("command %d has %+v", i+1, node)
			}
		}

		// Those by id are the causes and the retried ones together, and then the history's.
		hub.reader.wantCalls(t, map[string]int{
			"CommandList": 1, "BatchesByID": 1, "DependsOn": 1, "Retries": 1, "History": 1, "CommandsByID": 2,
		})
	})
}

func TestAPageOfTheLogCostsOneReadingAField(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})

		for id := range queue.CommandID(100) {
			hub.reader.write(
				commandEvent(id+1, queue.Claimed), &queue.Event{Kind: queue.EventIssue, Key: "A-1"},
				&queue.Event{Kind: queue.EventIssue, Key: "A-9"})
		}

		answer := hub.ask(`{ log(first: 300) { nodes {
			... on CommandChange { command { status position batch { author } } }
			... on IssueChange { issue { key note { text } } } } } }`)

		if len(answer.Errors) > 0 || !strings.Contains(string(answer.Data), `{"issue":{"key":"B-1","note":{"text":"of B-1"}}}`) {
			t.Fatalf("the answer is %s, %v", answer.Data, answer.Errors)
		}

		hub.reader.wantCalls(t, map[string]int{"Log": 1, "CommandsByID": 1, "BatchesByID": 1, "IssuesByKey": 1, "NotesByKey": 1})
	})
}

func TestWhereOnlyIDsAreAskedForNothingIsRead(t *testing.T) {
	hub := newHub(t, resolvers.Config{})
	hub.reader.commands = 1

	wantData(t, hub.ask(`{ commands(first: 1) { nodes {
		batch { id __typename } rootCause { ...on Command { id } } retryOf { ...named } } } } fragment named on Command { id }`),
		`{"commands": {"nodes": [{
			"batch": {"id": "3", "__typename": "Batch"}, "rootCause": {"id": "2001"}, "retryOf": {"id": "1001"}}]}}`)

	hub.reader.wantCalls(t, map[string]int{"CommandList": 1})
}

func TestAChangesCommandStandsAsTheChangeLeftIt(t *testing.T) {
	hub := newHub(t, resolvers.Config{})

	wantData(t, hub.ask(`{ command(id: 6) { status deliveries history {
		from to cause actor command { status deliveries position params { ... on EnsureComment { body } } } } } }`),
		`{"command": {"status": "SKIPPED", "deliveries": 0, "history": [
			{"from": null, "to": "QUEUED", "cause": "CLAIMED", "actor": "robot",
				"command": {"status": "QUEUED", "deliveries": 2, "position": 5, "params": {"body": "hello"}}},
			{"from": null, "to": "CLAIMED", "cause": "CLAIMED", "actor": "robot",
				"command": {"status": "CLAIMED", "deliveries": 2, "position": 5, "params": {"body": "hello"}}}]}}`)
}

func TestAFailedReadingIsToldForEveryObjectWithItsCode(t *testing.T) {
	hub := newHub(t, resolvers.Config{})
	hub.reader.commands = 5
	hub.reader.refuse("CommandsByID", queue.Away(errors.New("no route")))

	answer := hub.ask(`{ commands(first: 5) { nodes { retryOf { position } } } }`)

	if len(answer.Errors) != 5 {
		t.Fatalf("the errors are %v", answer.Errors)
	}

	for _, err := range answer.Errors {
		if err.Extensions["code"] != "UNAVAILABLE" || strings.Contains(err.Message, "no route") {
			t.Fatalf("the error is %v", err)
		}
	}
}
