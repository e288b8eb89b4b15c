package sim_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

func TestTextsAreKeptToTheLetter(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.DataCenter})
	path := "/rest/api/2/issue/AURORA-1543"

	for _, text := range []string{"а\r\nб\nв", "😀 {code}x{code} ", "\n", strings.Repeat("я", 32_767)} {
		f.do(http.MethodPut, path, object{"fields": object{"description": text}}, http.StatusNoContent)

		if got := f.get(path).at(t, "fields.description"); got != text {
			t.Errorf("%.40q came back as %.40q", text, got)
		}
	}

	f.do(http.MethodPut, path, object{"fields": object{"description": ""}}, http.StatusNoContent)

	if got := f.get(path).at(t, "fields.description"); got != nil {
		t.Errorf("an empty text is %v", got)
	}

	// An emoji is two of Jira's characters.
	f.do(http.MethodPut, path, object{"fields": object{"description": strings.Repeat("😀", 16_384)}}, http.StatusBadRequest)
}

func TestSomeServersBendTexts(t *testing.T) {
	t.Parallel()

	dc := start(t, sim.Config{Dialect: sim.DataCenter})
	for _, bent := range []struct {
		crlf, strip bool
		want        string
	}{
		{true, false, "а  \r\nб\r\nв "}, {false, true, "а\nб\r\nв"}, {true, true, "а\r\nб\r\nв"},
	} {
		dc.BendTexts(bent.crlf, bent.strip)
		dc.do(http.MethodPut, "/rest/api/2/issue/AURORA-1543", object{"fields": object{"description": "а  \nб\r\nв "}}, http.StatusNoContent)

		if seen, _ := dc.Issue("AURORA-1543"); seen.Description != bent.want {
			t.Errorf("%+v: %q", bent, seen.Description)
		}
	}

	cloud := start(t, sim.Config{Dialect: sim.Cloud})
	cloud.BendTexts(false, true)

	text := func(s string) any { return object{"type": "text", "text": s} }
	paragraph := object{"type": "paragraph", "content": []any{
		text("внутри "), text("конец  "), object{"type": "hardBreak"}, text("  "), object{"type": "hardBreak"}, text("край "),
	}}
	cloud.do(http.MethodPut, "/rest/api/3/issue/AURORA-1543", object{"fields": object{"description": object{
		"type": "doc", "version": 1, "content": []any{paragraph},
	}}}, http.StatusNoContent)

	if seen, _ := cloud.Issue("AURORA-1543"); seen.Description != "внутри конец\n\nкрай" {
		t.Errorf("%q", seen.Description)
	}
}

func TestSummariesAreHeldToJirasRules(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		long := "Summary can't exceed 255 characters."
		if f.dialect == sim.DataCenter {
			long = "Summary must be less than 255 characters."
		}

		for summary, want := range map[string]string{
			strings.Repeat("я", 256): long, "а\nб": "The summary is invalid because it contains newline characters.", " ": "You must specify a summary of the issue.",
		} {
			no := f.do(http.MethodPut, f.api+"/issue/AURORA-1543", object{"fields": object{"summary": summary}}, http.StatusBadRequest)
			if got := no.at(t, "errors.summary"); got != want {
				t.Error(got)
			}
		}

		no := f.do(http.MethodPut, f.api+"/issue/AURORA-1543", object{"fields": object{"labels": []string{"Severity: high"}}}, http.StatusBadRequest)
		if got := no.at(t, "errors.labels"); got != "The label 'Severity: high' contains spaces which is invalid." {
			t.Error(got)
		}

		no = f.do(http.MethodPost, f.api+"/issue", object{"fields": object{
			"project": object{"key": "AURORA"}, "issuetype": object{"name": "Task"}, "summary": "а",
		}}, http.StatusBadRequest)
		if got := no.at(t, "errors.issuetype"); got != "The issue type selected is invalid." {
			t.Error(got)
		}
	})
}
