package agent

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

// What real Jiras were seen to say, where each kind of command hears it.
func TestEachKindReportsARefusalInJirasWords(t *testing.T) {
	t.Parallel()

	fields := func(id, text string) any {
		return map[string]any{"errorMessages": []string{}, "errors": map[string]string{id: text}}
	}
	messages := func(text string) any {
		return map[string]any{"errorMessages": []string{text}, "errors": map[string]string{}}
	}

	edit, comment := hubtest.Fields("AURORA-1543", hubtest.Vars{"summary": "Иначе"}), hubtest.Comment("AURORA-1543", "раз")

	both(t, func(t *testing.T, tr *trial) {
		for _, said := range []struct {
			entry        hubtest.Vars
			method, path string
			status       int
			body         any
			error        string
		}{
			{creation(), "POST", createPath, 400, fields("issuetype", "The issue type selected is invalid."), "HTTP 400: issuetype: The issue type selected is invalid."},
			{creation(), "POST", createPath, 400, fields("customfield_10951", "Field 'customfield_10951' cannot be set. It is not on the appropriate screen, or unknown."), "HTTP 400: customfield_10951: Field 'customfield_10951' cannot be set. It is not on the appropriate screen, or unknown."},
			{edit, "PUT", "/rest/api/*/issue/*", 400, fields("summary", "Summary can't exceed 255 characters."), "HTTP 400: summary: Summary can't exceed 255 characters."},
			{edit, "PUT", "/rest/api/*/issue/*", 403, "XSRF check failed", "HTTP 403: XSRF check failed"},
			{edit, "PUT", "/rest/api/*/issue/*", 413, "<html><head><title>413 Request Entity Too Large</title></head></html>", "HTTP 413: 413 Request Entity Too Large"},
			{comment, "POST", "/rest/api/*/issue/*/comment", 400, fields("comment", "The entered text is too long."), "HTTP 400: comment: The entered text is too long."},
			{hubtest.Status("AURORA-1543", "В работе"), "POST", "/rest/api/*/issue/*/transitions", 400, messages("Field Resolution is required."), "HTTP 400: Field Resolution is required."},
			{hubtest.LinkTo("AURORA-1543", "AURORA-1537"), "POST", "/rest/api/*/issueLink", 404, messages("No issue link type with name 'Blocks' found."), "HTTP 404: No issue link type with name 'Blocks' found."},
			{hubtest.Sprint("AURORA-1543", "Спринт 2"), "POST", "/rest/agile/1.0/sprint/*/issue", 400, messages("Number value expected as the Sprint id."), "HTTP 400: Number value expected as the Sprint id."},
			{hubtest.Query("project = AURORA"), "POST", "/rest/api/*/search/**", 410, messages("The requested API has been removed."), "HTTP 410: The requested API has been removed."},
		} {
			end := tr.sim.Add(sim.Rule{Answer: &sim.Answer{Status: said.status, Body: said.body}}.On(said.method, said.path, 0))
			command := tr.do(t, said.entry).Commands.Nodes[0]

			end()

			if command.Status != "FAILED" || textOf(command.Error) != said.error || command.Deliveries != 1 {
				t.Errorf("%s is %s after %d deliveries: %q", command.Kind, command.Status, command.Deliveries, textOf(command.Error))
			}
		}

		for _, write := range tr.sim.Writes() {
			if write.Did != "" {
				t.Errorf("Jira did %q", write.Did)
			}
		}
	})
}

// A create screen may be another than Jira says it is: what the refusal names is set by an edit.
func TestACreateThatIsRefusedForItsScreenIsMended(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		off := "Field 'labels' cannot be set. It is not on the appropriate screen, or unknown."
		tr.sim.Add(sim.Rule{Answer: &sim.Answer{Status: 400, Body: map[string]any{
			"errorMessages": []string{}, "errors": map[string]string{"labels": off},
		}}}.On("POST", createPath, 1))

		if issue := oneIssue(t, tr, tr.do(t, creation())); len(issue.Labels) != 1 {
			t.Errorf("it bears %q", issue.Labels)
		}
	})
}
