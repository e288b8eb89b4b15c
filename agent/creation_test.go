package agent

import (
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

const createPath = "/rest/api/*/issue"

func creation(more ...any) hubtest.Vars {
	return hubtest.Creation("new:1", append([]any{"issueType", "Задача", "summary", "Отчёт"}, more...)...)
}

// oneIssue checks that the batch's creation made one issue, whatever was lost.
func oneIssue(t *testing.T, tr *trial, batch hubtest.Batch) sim.Issue {
	t.Helper()
	succeeds(t, batch)

	if made := tr.did("issue created"); made != 1 {
		t.Fatalf("%d issues were created", made)
	}

	return tr.issue(t, textOf(batch.Commands.Nodes[0].ResultKey))
}

func TestACreateWhoseAnswerIsLostIsFoundByItsMark(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.sim.SetIndexLag(100 * time.Millisecond)
		tr.times.SettleServer, tr.times.SettleCloud = 3*time.Second, 3*time.Second
		tr.sim.Add(sim.Lost().On("POST", createPath, 1))

		issue := oneIssue(t, tr, tr.do(t, creation()))
		if len(issue.Labels) != 1 || !strings.HasPrefix(issue.Labels[0], "hub-") {
			t.Errorf("it bears %q", issue.Labels)
		}
	})
}

func TestACreateThatWasCutOffIsSentAgainOnlyAfterTheSettleWindow(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.sim.Add(sim.Cut().On("POST", createPath, 1))
		tr.sim.Add(sim.HTMLPage(502).On("POST", createPath, 1))

		began := time.Now()

		oneIssue(t, tr, tr.do(t, creation()))

		if took := time.Since(began); took < 2*tr.times.SettleServer {
			t.Errorf("took %s", took)
		}
	})
}

// The window in which a lost issue is looked for begins with the last request, not with the first that Jira sent away.
func TestTheSettleWindowBeginsWithTheLastRequest(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.sim.SetIndexLag(400 * time.Millisecond)
		tr.times.SettleServer, tr.times.SettleCloud = 900*time.Millisecond, 900*time.Millisecond
		tr.sim.Add(sim.TooFast("1").On("POST", createPath, 1))
		tr.sim.Add(sim.Lost().On("POST", createPath, 1))

		oneIssue(t, tr, tr.do(t, creation()))
	})
}

// «Потерянный отчёт о создании задачи»: the agent and its journal are gone, another one takes over.
func TestAnotherAgentFindsWhatWasCreatedAndNeverReported(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.do(t, hubtest.Refresh("AURORA-1501"))

		batch := tr.site.Submit(t, creation())
		tr.site.SetNote(t, "new:1", "заметка")

		// Begin, send, and then the report.
		agent := tr.start(t, killAt(3, false))
		<-agent.ended

		tr.forget(t)
		tr.sim.SetIndexLag(100 * time.Millisecond)
		tr.times.SettleServer, tr.times.SettleCloud = 3*time.Second, 3*time.Second

		next := tr.start(t)
		tr.finished(t, batch)

		if err := next.end(t); err != nil {
			t.Fatal(err)
		}

		issue := oneIssue(t, tr, tr.site.Batch(t, batch.ID))
		if note := tr.site.Note(t, issue.Key); note == nil || note.Text != "заметка" {
			t.Errorf("the note is %+v", note)
		}
	})
}

func TestAnIssueThatTheLimitFailedIsFoundWhenAPersonRetries(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.do(t, hubtest.Refresh("AURORA-1501"))
		batch := tr.site.Submit(t, creation())

		agent := tr.start(t, killAt(3, false))
		<-agent.ended

		// The agent never comes back with it: two more deliveries, and the limit.
		instance := agent.journal.Instance()
		for range 2 {
			tr.site.ClaimAs(t, instance)
		}

		tr.site.IdleAs(t, instance)

		failed := tr.site.Batch(t, batch.ID).Commands.Nodes[0]
		if failed.Status != "FAILED" {
			t.Fatalf("it is %s", failed.Status)
		}

		// The agent that returns tells the late key; a retry finds the same issue all the same.
		retried := tr.site.Retry(t, failed.ID)
		tr.forget(t)

		next := tr.start(t)
		tr.finished(t, retried)

		if err := next.end(t); err != nil {
			t.Fatal(err)
		}

		oneIssue(t, tr, tr.site.Batch(t, retried.ID))
	})
}

func TestALateKeyIsToldOfACreationThatWasCalledOff(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.do(t, hubtest.Refresh("AURORA-1501"))

		for _, next := range [][]hubtest.Vars{nil, {hubtest.Refresh("AURORA-1502")}} {
			batch := tr.site.Submit(t, creation())

			agent := tr.start(t, killAt(3, false))
			<-agent.ended

			id := batch.Commands.Nodes[0].ID
			tr.site.Cancel(t, true, id)

			if next != nil {
				tr.site.Submit(t, next...)
			}

			again := tr.start(t)
			hubtest.Await(t, "the late key is told", func() bool { return tr.site.Command(t, id).ResultKey != nil })

			if err := again.end(t); err != nil {
				t.Fatal(err)
			}

			if command := tr.site.Command(t, id); command.Status != "CANCELLED" {
				t.Errorf("it is %s", command.Status)
			}
		}

		if made := tr.did("issue created"); made != 2 {
			t.Errorf("%d issues were created", made)
		}
	})
}

func TestFieldsOffTheCreateScreenAreSetRightAfter(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		for _, field := range []string{"labels", "priority", "description"} {
			if err := tr.sim.SetScreenField(sim.ScreenField{Screen: "create", Field: field, Off: true}); err != nil {
				t.Fatal(err)
			}
		}

		issue := oneIssue(t, tr, tr.do(t, creation("description", "Текст", "fields", hubtest.Vars{
			"Priority": "High", "labels": []string{"стенд"},
		})))

		if issue.Description != "Текст" || len(issue.Labels) != 2 {
			t.Errorf("the issue is %+v", issue)
		}
	})
}

func TestAnIssueWithoutALabelIsFoundByItsProperty(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		for _, screen := range []string{"create", "edit"} {
			if err := tr.sim.SetScreenField(sim.ScreenField{Screen: screen, Field: "labels", Off: true}); err != nil {
				t.Fatal(err)
			}
		}

		// Another one with the very same summary must not be taken for it.
		first := oneIssue(t, tr, tr.do(t, creation()))

		tr.sim.Add(sim.Lost().On("POST", createPath, 1))

		batch := tr.do(t, creation())
		succeeds(t, batch)

		second := textOf(batch.Commands.Nodes[0].ResultKey)
		if second == first.Key || tr.did("issue created") != 2 {
			t.Errorf("the second is %s, and %d were created", second, tr.did("issue created"))
		}
	})
}

func TestAnEpicGetsItsNameAndAnIssueItsEpic(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		batch := tr.do(t,
			hubtest.Creation("new:1", "issueType", "Эпик", "summary", "Скидки"),
			hubtest.Creation("new:2", "issueType", "Задача", "summary", "Купон", "epic", "new:1"),
			hubtest.Creation("new:3", "issueType", "Подзадача", "summary", "Ввод купона", "parent", "new:2"),
		)
		succeeds(t, batch)

		if t.Failed() {
			return
		}

		epic, task := textOf(batch.Commands.Nodes[0].ResultKey), textOf(batch.Commands.Nodes[1].ResultKey)
		if got := tr.issue(t, task); got.Epic != epic && got.Parent != epic {
			t.Errorf("its epic is not %s: %+v", epic, got)
		}

		if got := tr.issue(t, textOf(batch.Commands.Nodes[2].ResultKey)).Parent; got != task {
			t.Errorf("its parent is %q, not %s", got, task)
		}
	})
}

// A second hub on the same Jira never adopts an issue of the first: its marks are others.
func TestAnotherHubsIssueIsNeverAdopted(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		oneIssue(t, tr, tr.do(t, creation()))

		tr.site = hub.NewSite(t)
		tr.site.SetPace(t, 0, 0)
		tr.forget(t)

		succeeds(t, tr.do(t, creation()))

		if made := tr.did("issue created"); made != 2 {
			t.Errorf("%d issues were created", made)
		}
	})
}
