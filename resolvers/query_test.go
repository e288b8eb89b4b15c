package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

func TestFirstIsOneToAThousand(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})
	hub.reader.write(commandEvent(1, queue.Queued))

	for _, field := range []string{
		`commands(first: %d) { nodes { id } }`,
		`batches(first: %d) { nodes { id } }`,
		`issues(first: %d) { nodes { key } }`,
		`notes(first: %d) { nodes { key } }`,
		`log(first: %d) { nodes { __typename } }`,
		`batch(id: 3) { commands(first: %d) { nodes { id } } }`,
		`command(id: 1) { dependents(first: %d) { nodes { id } } }`,
		`command(id: 2) { dependents(first: %d) { nodes { id } } }`,
		`issue(key: "A-1") { commands(first: %d) { nodes { id } } }`,
	} {
		for first, ok := range map[int]bool{-1: false, 0: false, 1: true, 1000: true, 1001: false, 2147483647: false} {
			answer := hub.ask("{ " + fmt.Sprintf(field, first) + " }")

			if ok && len(answer.Errors) > 0 {
				t.Errorf(field+": %v", first, answer.Errors)
			}

			if ok {
				continue
			}

			if code := codeOf(t, answer.Errors); code != "UNPROCESSABLE" || !strings.Contains(answer.Errors[0].Message, "1 to 1000") {
				t.Errorf(field+": %v", first, answer.Errors)
			}
		}
	}
}

func TestAnUnknownIDOrKeyIsNullInAQuery(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})

	for _, field := range []string{
		`command(id: "9999") { id }`, `command(id: "x") { id }`, `command(id: "-1") { id }`, `command(id: "01") { id }`,
		`batch(id: "9999") { id }`, `batch(id: "x") { id }`, `issue(key: "no key") { key }`, `note(key: "new:0") { key }`,
		`jira { version }`,
	} {
		name, _, _ := strings.Cut(field, "(")
		name, _, _ = strings.Cut(name, " ")
		wantData(t, hub.ask("{ "+field+" }"), `{"`+name+`": null}`)
	}
}

func TestAFilterForWhatCannotExistFindsNothing(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})
	hub.reader.commands = 5

	for _, filter := range []string{`batch: "x"`, `key: "no key"`} {
		wantData(t, hub.ask(`{ commands(filter: {`+filter+`}) { nodes { id } totalCount pageInfo { hasNextPage endCursor } } }`),
			`{"commands": {"nodes": [], "totalCount": 0, "pageInfo": {"hasNextPage": false, "endCursor": null}}}`)
	}
}

func TestASearchForATextThatCannotBeStoredIsUnprocessable(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})

	for _, field := range []string{
		`commands(filter: {search: "\u0000"}) { nodes { id } }`,
		`batches(filter: {author: "\u0000"}) { nodes { id } }`,
		`batches(filter: {search: "\u0000"}) { nodes { id } }`,
		`issues(filter: {project: "\u0000"}) { nodes { key } }`,
		`issues(filter: {sprint: "\u0000"}) { nodes { key } }`,
		`issues(filter: {search: "\u0000"}) { nodes { key } }`,
		`issues(filter: {statuses: ["x", "\u0000"]}) { nodes { key } }`,
		`log(actor: "\u0000") { nodes { __typename } }`,
		`batch(id: 3) { commands(search: "\u0000") { nodes { id } } }`,
	} {
		if code := codeOf(t, hub.ask("{ "+field+" }").Errors); code != "UNPROCESSABLE" {
			t.Errorf("%s: %v", field, code)
		}
	}
}

func TestAPageTellsWhereTheNextBegins(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})
	hub.reader.commands = 2

	wantData(t, hub.ask(`{ commands(first: 1) { nodes { id } totalCount pageInfo { hasNextPage endCursor } } }`),
		`{"commands": {"nodes": [{"id": "1"}], "totalCount": null, "pageInfo": {"hasNextPage": true, "endCursor": "end"}}}`)
}

func TestTheViewerIsWhoTheTokenSays(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})

	wantData(t, hub.ask(`{ viewer { name role site } }`), `{"viewer": {"name": "anna", "role": "OPERATOR", "site": "main"}}`)
}

func TestWhoMayNotCallIsToldSoAndNothingIsRead(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})

	for role, want := range map[access.Role]string{nobody: "UNAUTHENTICATED", access.Agent: "FORBIDDEN"} {
		answer := hub.begin(as(t.Context(), role), `{ queue { counts { total } } }`, nil)()
		if code := codeOf(t, answer.Errors); code != want {
			t.Errorf("%q is told %v", role, code)
		}
	}

	hub.reader.wantCalls(t, nil)
}

func TestTheQueuesCursorIsOfBeforeAnythingElseWasRead(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})
	hub.reader.write(commandEvent(1, queue.Queued), commandEvent(1, queue.Claimed))

	for _, text := range []string{
		`{ commands { nodes { id } } queue { cursor counts { queued confirmedByState total } agents { name } } }`,
		`{ commands { nodes { id } } ... on Query { queue { ...position counts { queued confirmedByState total } agents { name } } } }
			fragment position on Queue { cursor }`,
	} {
		hub.reader.order = nil

		wantData(t, hub.ask(text), `{"commands": {"nodes": []}, "queue": {
			"cursor": "`+queue.Cursor{Seq: 2, Mark: 99}.String()+`",
			"counts": {"queued": 2, "confirmedByState": 1, "total": 3}, "agents": []}}`)

		if hub.reader.order[0] != "Head" {
			t.Errorf("it was read in this order: %v", hub.reader.order)
		}
	}

	hub.reader.order = nil
	hub.ask(`{ commands { nodes { id } pageInfo { endCursor } } queue { counts { total } } }`)

	if slices.Contains(hub.reader.order, "Head") {
		t.Errorf("the position was read though nobody asked for it: %v", hub.reader.order)
	}
}

func TestAnAgentWithoutAnInstanceHasNone(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})
	hub.reader.agents = []*queue.Agent{{Name: "robot"}, {Name: "robot", Instance: "one", Online: true}}

	wantData(t, hub.ask(`{ queue { agents { name instance online } } }`), `{"queue": {"agents": [
		{"name": "robot", "instance": null, "online": false}, {"name": "robot", "instance": "one", "online": true}]}}`)
}

func TestTheLogShowsEachKindAndNotWhatOnlyWakes(t *testing.T) {
	t.Parallel()

	hub := newHub(t, resolvers.Config{})
	pace := queue.DefaultPace()
	hub.reader.write(
		commandEvent(1, queue.Done),
		&queue.Event{Kind: queue.EventBatch, Batch: batch},
		&queue.Event{Kind: queue.EventNote, Key: "A-1", MovedFrom: "new:1", Note: &queue.Note{Text: "hi"}},
		&queue.Event{Kind: queue.EventNote, Key: "A-1"},
		&queue.Event{Kind: queue.EventAgent},
		&queue.Event{Kind: queue.EventIssue, Key: "A-9"},
		&queue.Event{Kind: queue.EventPace, Pace: &pace},
		&queue.Event{Kind: queue.EventPace, Pace: &pace, Actor: "anna"})

	wantData(t, hub.ask(`{ log { pageInfo { hasNextPage endCursor } nodes { __typename
			... on CommandChange { to } ... on NoteChange { key movedFrom note { text } }
			... on IssueChange { issue { key } } ... on PaceChange { actor pace { maxPauseSeconds } } } } }`),
		`{"log": {"pageInfo": {"hasNextPage": false, "endCursor": "`+queue.Cursor{Seq: 8, Mark: 99}.String()+`"}, "nodes": [
			{"__typename": "CommandChange", "to": "DONE"},
			{"__typename": "NoteChange", "key": "A-1", "movedFrom": "new:1", "note": {"text": "hi"}},
			{"__typename": "NoteChange", "key": "A-1", "movedFrom": null, "note": null},
			{"__typename": "IssueChange", "issue": {"key": "B-1"}},
			{"__typename": "PaceChange", "actor": "hub", "pace": {"maxPauseSeconds": 8}},
			{"__typename": "PaceChange", "actor": "anna", "pace": {"maxPauseSeconds": 8}}]}}`)
}
