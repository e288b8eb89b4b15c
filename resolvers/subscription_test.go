package resolvers_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

// subscribe begins a subscription as a viewer. It has to be over when the test is: its goroutine is waited for.
func subscribe(hub *hub, text string) (answers func() *graphql.Response, cancel func()) {
	hub.t.Helper()

	ctx, cancel := context.WithCancel(as(hub.t.Context(), access.Viewer))
	answers = hub.begin(ctx, text, nil)

	hub.t.Cleanup(func() {
		cancel()
		hub.resolver.Wait()
	})

	return answers, cancel
}

func TestEachEventOfASubscriptionIsReadAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		answers, _ := subscribe(hub, `subscription { commandChanged(batch: 3, command: 4) { to command { position status batch { held } } } }`)

		hub.reader.wantCalls(t, map[string]int{"BatchesByID": 1, "CommandsByID": 1, "Log": 1, "Head": 1})
		hub.reader.write(commandEvent(4, queue.Claimed))
		wantData(t, answers(), `{"commandChanged": {"to": "CLAIMED",
			"command": {"position": 3, "status": "CLAIMED", "batch": {"held": false}}}}`)

		hub.reader.held = true
		hub.reader.write(commandEvent(4, queue.Done))
		wantData(t, answers(), `{"commandChanged": {"to": "DONE",
			"command": {"position": 3, "status": "DONE", "batch": {"held": true}}}}`)
	})
}

func TestASubscriptionGoesOnAfterItsPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		hub.reader.write(commandEvent(1, queue.Queued), &queue.Event{Kind: queue.EventNote, Key: "A-1"}, commandEvent(1, queue.Claimed))

		after := queue.Cursor{Seq: 1, Mark: 99}.String()
		answers, _ := subscribe(hub, `subscription { logAppended(after: "`+after+`") { __typename } }`)

		wantData(t, answers(), `{"logAppended": {"__typename": "NoteChange"}}`)
		wantData(t, answers(), `{"logAppended": {"__typename": "CommandChange"}}`)
	})
}

func TestIssuesAndNotesCanBeFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		issues, _ := subscribe(hub, `subscription { issueChanged(keys: ["a-9"]) { issue { key } } }`)
		notes, _ := subscribe(hub, `subscription { noteChanged { key note { text } } }`)

		hub.reader.write(&queue.Event{Kind: queue.EventIssue, Key: "A-9"}, &queue.Event{Kind: queue.EventNote, Key: "A-1"})

		wantData(t, issues(), `{"issueChanged": {"issue": {"key": "B-1"}}}`)
		wantData(t, notes(), `{"noteChanged": {"key": "A-1", "note": null}}`)
	})
}

func TestWhatASubscriptionCannotBeginWithIsAnError(t *testing.T) {
	hub := newHub(t, resolvers.Config{})

	for text, want := range map[string]string{
		`commandChanged(batch: 99) { at }`:          "NOT_FOUND",
		`commandChanged(batch: "x") { at }`:         "NOT_FOUND",
		`commandChanged(command: 9999) { at }`:      "NOT_FOUND",
		`commandChanged(command: "x") { at }`:       "NOT_FOUND",
		`batchChanged(id: 99) { at }`:               "NOT_FOUND",
		`batchChanged(id: "x") { at }`:              "NOT_FOUND",
		`commandChanged(after: "no cursor") { at }`: "UNPROCESSABLE",
		`issueChanged(keys: []) { at }`:             "UNPROCESSABLE",
		`issueChanged(keys: ["x"]) { at }`:          "UNPROCESSABLE",
		`issueChanged(keys: ["A-1", "x"]) { at }`:   "UNPROCESSABLE",
		`noteChanged(keys: []) { at }`:              "UNPROCESSABLE",
		`noteChanged(keys: ["no key"]) { at }`:      "UNPROCESSABLE",
	} {
		answers, _ := subscribe(hub, `subscription { `+text+` }`)
		if code := codeOf(t, answers().Errors); code != want {
			t.Errorf("%s: %v", text, code)
		}
	}

	hub.reader.refuse("Log", queue.Refusef(queue.CursorExpired, "not kept"))

	answers, _ := subscribe(hub, `subscription { logAppended(after: "`+queue.Cursor{}.String()+`") { __typename } }`)
	if code := codeOf(t, answers().Errors); code != "CURSOR_EXPIRED" {
		t.Errorf("an expired position: %v", code)
	}
}

func TestAnErrorInTheMiddleIsTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		answers, _ := subscribe(hub, `subscription { commandChanged { to } }`)

		hub.reader.refuse("Log", queue.Refusef(queue.CursorExpired, "not kept"))

		last := answers()
		if codeOf(t, last.Errors) != "CURSOR_EXPIRED" || string(last.Data) != "null" {
			t.Fatalf("the answer is %s, %v", last.Data, last.Errors)
		}

		if more := answers(); more != nil {
			t.Fatalf("an answer after the last: %s", more.Data)
		}
	})
}

func TestAnEventThatCannotBeShownEndsTheSubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		answers, _ := subscribe(hub, `subscription { commandChanged { cursor command { position } } }`)

		hub.reader.refuse("CommandsByID", queue.Away(errors.New("no route")))
		hub.reader.write(commandEvent(4, queue.Claimed), commandEvent(4, queue.Done))

		last := answers()
		if codeOf(t, last.Errors) != "UNAVAILABLE" || string(last.Data) != "null" {
			t.Fatalf("the answer is %s, %v", last.Data, last.Errors)
		}

		// Else its reader would go on with the second event's cursor.
		if more := answers(); more != nil {
			t.Fatalf("it went on with %s", more.Data)
		}
	})
}

func TestAnEventOfWhichAPartCannotBeShownGoesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		answers, _ := subscribe(hub, `subscription { issueChanged { issue { key note { text } } } }`)

		hub.reader.refuse("NotesByKey", queue.Away(errors.New("no route")))
		hub.reader.write(&queue.Event{Kind: queue.EventIssue, Key: "A-1"}, &queue.Event{Kind: queue.EventIssue, Key: "A-2"})

		for _, want := range []string{"A-1", "A-2"} {
			answer := answers()
			if codeOf(t, answer.Errors) != "UNAVAILABLE" || !strings.Contains(string(answer.Data), want) {
				t.Fatalf("the answer is %s, %v", answer.Data, answer.Errors)
			}
		}
	})
}

func TestABatchIsShownAtOnceAndThenAsItChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		hub.reader.write(commandEvent(1, queue.Queued))

		answers, _ := subscribe(hub, `subscription { batchChanged(id: 3) { cursor at batch { id held } } }`)

		wantData(t, answers(), `{"batchChanged": {"cursor": "`+queue.Cursor{Seq: 1, Mark: 99}.String()+`",
			"at": "2026-01-31T09:30:00.000000Z", "batch": {"id": "3", "held": false}}}`)

		hub.reader.held = true
		hub.reader.write(&queue.Event{Kind: queue.EventBatch, Batch: batch})

		wantData(t, answers(), `{"batchChanged": {"cursor": "`+queue.Cursor{Seq: 2, Mark: 99}.String()+`",
			"at": "2026-01-31T09:30:00.000000Z", "batch": {"id": "3", "held": true}}}`)
	})
}

func TestWithoutAnIDTheChangedBatchesAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		answers, _ := subscribe(hub, `subscription { batchChanged { batch { id } } }`)

		go func() {
			<-time.After(time.Minute)
			hub.reader.write(commandEvent(1, queue.Queued))
		}()

		began := time.Now()

		wantData(t, answers(), `{"batchChanged": {"batch": {"id": "3"}}}`)

		if waited := time.Since(began); waited != time.Minute {
			t.Fatalf("it came after %s", waited)
		}
	})
}

func TestTheQueueIsShownAtOnceAndThenAsItsAgentsChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		robot := func(online bool, seen time.Time) []*queue.Agent {
			return []*queue.Agent{{Name: "robot", Online: online, LastSeenAt: seen}}
		}
		answers, _ := subscribe(hub, `subscription { queueChanged { cursor queue { cursor counts { total } agents { name online } } } }`)
		want := func(seq int64, agents string) string {
			cursor := queue.Cursor{Seq: seq, Mark: 99}.String()

			return `{"queueChanged": {"cursor": "` + cursor + `", "queue": {
				"cursor": "` + cursor + `", "counts": {"total": 3}, "agents": [` + agents + `]}}}`
		}

		wantData(t, answers(), want(0, ``))

		hub.reader.agents = robot(true, time.Now())
		hub.reader.write(&queue.Event{Kind: queue.EventAgent})
		wantData(t, answers(), want(1, `{"name": "robot", "online": true}`))

		// It is seen again and again, and then no more, of which no event tells.
		go func() {
			for range 60 {
				<-time.After(time.Second)
				hub.reader.mu.Lock()
				hub.reader.agents = robot(true, time.Now())
				hub.reader.mu.Unlock()
			}

			hub.reader.mu.Lock()
			hub.reader.agents = robot(false, time.Now())
			hub.reader.mu.Unlock()
		}()

		began := time.Now()

		wantData(t, answers(), want(1, `{"name": "robot", "online": false}`))

		if waited := time.Since(began); waited < 60*time.Second || waited > 77*time.Second {
			t.Fatalf("it came after %s", waited)
		}
	})
}

func TestAFailedReadingEndsAStateWithTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for text, method := range map[string]string{
			`batchChanged(id: 3) { batch { id } }`: "BatchesByID",
			`queueChanged { at }`:                  "Queue",
			`queueChanged { cursor }`:              "Agents",
		} {
			hub := newHub(t, resolvers.Config{})
			answers, _ := subscribe(hub, `subscription { `+text+` }`)

			if answer := answers(); answer == nil || len(answer.Errors) > 0 {
				t.Fatalf("%s: %+v", text, answer)
			}

			hub.reader.refuse(method, queue.Away(errors.New("no route")))
			hub.reader.write(commandEvent(1, queue.Done))

			if code := codeOf(t, answers().Errors); code != "UNAVAILABLE" {
				t.Fatalf("%s: %v", text, code)
			}
		}
	})
}

// thrower panics in the middle of a subscription.
type thrower struct{ *reader }

func (thrower) Agents(context.Context, queue.SiteID) ([]*queue.Agent, error) { panic("thrown") }

func TestAPanicEndsTheSubscriptionAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{Reader: thrower{&reader{calls: map[string]int{}}}})
		answers, _ := subscribe(hub, `subscription { queueChanged { at } }`)

		last := answers()
		if codeOf(t, last.Errors) != "INTERNAL" || strings.Contains(last.Errors[0].Message, "thrown") {
			t.Fatalf("the errors are %v", last.Errors)
		}
	})
}

func TestASubscriptionLeavesNothingRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})

		for _, text := range []string{
			`commandChanged { at }`, `logAppended { __typename }`, `issueChanged { at }`, `noteChanged { at }`,
			`batchChanged { at }`, `batchChanged(id: 3) { at }`, `queueChanged { at }`,
		} {
			_, cancel := subscribe(hub, `subscription { `+text+` }`)

			// With events that nobody takes.
			hub.reader.write(commandEvent(1, queue.Queued))
			synctest.Wait()
			cancel()
		}

		hub.resolver.Wait()
	})
}

func TestWhatAnEventSaysOfItsCommandIsNotReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})
		answers, _ := subscribe(hub, `subscription { commandChanged { to cause actor
			command { id status error resultKey deliveries claimedAt finishedAt progress { done } batch { id } rootCause { id } } } }`)

		hub.reader.write(commandEvent(4, queue.Claimed))
		wantData(t, answers(), `{"commandChanged": {"to": "CLAIMED", "cause": "CLAIMED", "actor": "robot",
			"command": {"id": "4", "status": "CLAIMED", "error": null, "resultKey": null, "deliveries": 2,
				"claimedAt": null, "finishedAt": null, "progress": null, "batch": {"id": "3"}, "rootCause": null}}}`)

		if hub.reader.calls["CommandsByID"]+hub.reader.calls["BatchesByID"] > 0 {
			t.Errorf("it was read: %v", hub.reader.calls)
		}
	})
}

func TestWhatNeverChangesIsReadOnceForAllSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := newHub(t, resolvers.Config{})

		var all []func() *graphql.Response

		for range 50 {
			answers, _ := subscribe(hub, `subscription { commandChanged { command { position status } } }`)
			all = append(all, answers)
		}

		hub.reader.write(commandEvent(4, queue.Claimed), commandEvent(4, queue.Done), commandEvent(5, queue.Claimed))

		for _, want := range []string{`{"position": 3, "status": "CLAIMED"}`, `{"position": 3, "status": "DONE"}`} {
			for _, answers := range all {
				wantData(t, answers(), `{"commandChanged": {"command": `+want+`}}`)
			}
		}

		for _, answers := range all {
			answers()
		}

		if calls := hub.reader.calls["CommandsByID"]; calls != 1 {
			t.Errorf("the commands were read %d times", calls)
		}
	})
}
