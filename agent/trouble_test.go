package agent

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

// What Jira did although its answer was lost is not done again.
func TestALostAnswerDoesNothingTwice(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		for _, path := range []string{"comment", "transitions"} {
			tr.sim.Add(sim.Lost().On("POST", "/rest/api/*/issue/*/"+path, 1))
		}

		tr.sim.Add(sim.Lost().On("POST", "/rest/api/*/issueLink", 1))
		tr.sim.Add(sim.Lost().On("POST", "/rest/agile/1.0/sprint/*/issue", 1))
		tr.sim.Add(sim.Lost().On("PUT", "/rest/api/*/issue/*", 1))

		succeeds(t, tr.do(t,
			hubtest.Comment("AURORA-1543", "раз"), hubtest.Status("AURORA-1543", "В работе"),
			hubtest.LinkTo("AURORA-1543", "AURORA-1537"), hubtest.Sprint("AURORA-1543", "Спринт 2"),
			hubtest.Fields("AURORA-1543", hubtest.Vars{"summary": "Иначе"}),
		))

		for _, did := range []string{"comment added", "status changed", "link: ", "moved to sprint", "issue edited"} {
			if times := tr.did(did); times != 1 {
				t.Errorf("Jira says %d times %q", times, did)
			}
		}
	})
}

func TestJiraIsGivenTheTimeItAsksFor(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.sim.Add(sim.TooFast("").On("POST", "/rest/api/*/issue/*/comment", 2))
		tr.sim.Add(sim.TooFast("0").On("GET", "/rest/api/*/issue/*", 1))
		tr.sim.Add(sim.Unavailable("1").On("POST", createPath, 1))

		batch := tr.do(t, hubtest.Comment("AURORA-1543", "раз"), creation())
		succeeds(t, batch)

		if tr.did("comment added") != 1 || tr.did("issue created") != 1 {
			t.Errorf("Jira did %q", tr.writes())
		}

		for _, command := range batch.Commands.Nodes {
			if command.Deliveries != 1 {
				t.Errorf("%s was delivered %d times", command.Kind, command.Deliveries)
			}
		}
	})
}

func TestWhatJiraRefusesIsReportedInItsWords(t *testing.T) {
	t.Parallel()

	refusal := func(status int, body any) sim.Rule { return sim.Rule{Answer: &sim.Answer{Status: status, Body: body}} }

	for name, tried := range map[string]struct {
		rule  sim.Rule
		error string
	}{
		"fields": {
			refusal(400, map[string]any{"errorMessages": []string{}, "errors": map[string]string{"summary": "Too long.", "labels": "Has a space."}}),
			"HTTP 400: labels: Has a space.\nsummary: Too long.",
		},
		"messages":   {refusal(403, map[string]any{"errorMessages": []string{"No permission."}, "errors": map[string]string{}}), "HTTP 403: No permission."},
		"not there":  {refusal(404, map[string]any{"errorMessages": []string{"Issue Does Not Exist"}}), "HTTP 404: Issue Does Not Exist"},
		"text":       {refusal(403, "XSRF check failed"), "HTTP 403: XSRF check failed"},
		"page":       {sim.HTMLPage(502), "HTTP 502: Bad Gateway"},
		"a long one": {refusal(400, map[string]any{"errorMessages": []string{strings.Repeat("ё", 3000)}}), "HTTP 400: " + strings.Repeat("ё", 1490)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both(t, func(t *testing.T, tr *trial) {
				tr.sim.Add(tried.rule.On("PUT", "/rest/api/*/issue/*", 0))

				command := tr.do(t, hubtest.Fields("AURORA-1543", hubtest.Vars{"summary": "Иначе"})).Commands.Nodes[0]
				if command.Status != "FAILED" || textOf(command.Error) != tried.error {
					t.Errorf("it is %s: %q", command.Status, textOf(command.Error))
				}

				if command.Deliveries != 1 {
					t.Errorf("%d deliveries", command.Deliveries)
				}
			})
		})
	}
}

func TestAFieldThatJiraDoesNotHaveOrHasTwiceIsSaidSo(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		command := tr.do(t, hubtest.Fields("AURORA-1543", hubtest.Vars{"Такого поля нет": "x"})).Commands.Nodes[0]
		if command.Status != "FAILED" || !strings.Contains(textOf(command.Error), "Такого поля нет") {
			t.Errorf("it is %s: %q", command.Status, textOf(command.Error))
		}
	})
}

// Jira may keep a text otherwise than it was sent: that must not make the agent write it again and again.
func TestATextThatJiraChangesOnTheWayInIsWrittenOnce(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.sim.BendTexts(true, true)

		texts := []string{"а\nб", "а\r\nб", "пробелы   \nв конце  ", "🙂 эмодзи\n\nи пустая строка", "h1. Вики *разметка* {code}x{code}", strings.Repeat("ю", 32767)}

		var wanted []hubtest.Vars
		for _, text := range texts {
			wanted = append(wanted, hubtest.Comment("AURORA-1543", text))
		}

		succeeds(t, tr.do(t, wanted...))
		succeeds(t, tr.do(t, wanted...))

		// The first two are one text.
		if said := tr.did("comment added"); said != len(texts)-1 {
			t.Errorf("%d comments of %d texts", said, len(texts))
		}

		succeeds(t, tr.do(t, hubtest.Fields("AURORA-1543", hubtest.Vars{"description": "пробелы   \nв конце"})))

		if edits := tr.did("issue edited"); edits != 1 {
			t.Errorf("edited %d times", edits)
		}
	})
}

// Texts are confirmed by state afterwards: what was written compares as what was wanted.
func TestTextsRoundTrip(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		for _, text := range []string{"а\nб", "а\r\nб", "🙂", "  края  ", "строка\n", "\n\nдве сверху", "h1. Вики\n* список\n{code}\nx\n{code}", "a  b\tc", strings.Repeat("ю", 32767), ""} {
			tr.do(t, hubtest.Fields("AURORA-1543", hubtest.Vars{"description": text}))

			before := len(tr.writes())

			succeeds(t, tr.do(t, hubtest.Fields("AURORA-1543", hubtest.Vars{"description": text})))

			if more := tr.writes()[before:]; len(more) > 0 {
				t.Errorf("%.40q was written again: %q", text, more)
			}
		}
	})
}
