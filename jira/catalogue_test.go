package jira

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
)

// reported is an answer of a real Jira, as it stands in a public report.
type reported struct {
	ID       string            `json:"id"`
	Status   int               `json:"status"`
	Headers  map[string]string `json:"headers"`
	Body     any               `json:"body"`
	Fragment string            `json:"message_fragment"` //nolint:tagliatelle // as the data has it
}

// expected says by id what an answer means, where it is not Refused, and what its message is.
func expected(id string) (Kind, string) {
	switch id {
	case "captcha":
		return NotLoggedIn, "Jira does not take the login: CAPTCHA_CHALLENGE"
	case "cloud-401-json":
		return NotLoggedIn, "Jira does not take the login\nClient must be authenticated to access this resource."
	case "sso-html-200":
		return NotLoggedIn, "Jira does not take the login\nYou are already logged in - Jira"
	case "proxy-502-html":
		return Unknown, "a page without a title where Jira's answer was due"
	case "rate-dc":
		return TooFast, ""
	default:
		return Refused, ""
	}
}

func TestAnswersFromPublicReportsAreUnderstood(t *testing.T) {
	object := func(members string) any {
		var value any
		check(t, json.Unmarshal([]byte(members), &value))

		return value
	}

	for _, answer := range []reported{
		{ID: "summary-too-long", Status: 400, Body: object(`{"errorMessages":[],"errors":{"summary":"Summary can't exceed 255 characters."}}`)},
		{ID: "summary-newline", Status: 400, Body: object(`{"errorMessages":[],"errors":{"summary":"The summary is invalid because it contains newline characters."}}`)},
		{ID: "too-long", Status: 400, Body: object(`{"errors":{"description":"The entered text is too long. It exceeds the allowed limit of 32,767 characters."}}`)},
		{ID: "field-not-on-screen", Status: 400, Body: object(`{"errorMessages":[],"errors":{"customfield_10951":"Field 'customfield_10951' cannot be set. It is not on the appropriate screen, or unknown."}}`)},
		{ID: "label-with-space", Status: 400, Body: object(`{"errorMessages":[],"errors":{"labels":"The label 'Severity: high' contains spaces which is invalid."}}`)},
		{ID: "epic-name-and-type", Status: 400, Body: object(`{"errorMessages":[],"errors":{"issuetype":"The issue type selected is invalid.","customfield_10011":"Epic Name is required."}}`)},
		{ID: "adf-on-v2", Status: 400, Body: object(`{"errorMessages":["Can not deserialize instance of java.lang.String out of START_OBJECT token\n at [Source: x; line: 1, column: 2]"]}`)},
		{ID: "resolution-required", Status: 400, Body: object(`{"errorMessages":["Field Resolution is required."],"errors":{}}`)},
		{ID: "edit-empty", Status: 400, Body: object(`{"errorMessages":["one of 'fields' or 'update' required"],"errors":{}}`)},
		{ID: "search-removed", Status: 410, Body: object(`{"errorMessages":["The requested API has been removed."],"errors":{}}`)},
		{ID: "createmeta-removed", Status: 404, Body: object(`{"errorMessages":["Issue Does Not Exist"],"errors":{}}`)},
		{ID: "xsrf", Status: 403, Body: "XSRF check failed"},
		{ID: "cloud-401-json", Status: 401, Fragment: "Client must be authenticated to access this resource."},
		{ID: "sso-html-200", Status: 200, Headers: map[string]string{"Content-Type": "text/html"}, Body: `<!DOCTYPE html><html><head><title>You are already logged in - Jira</title></head></html>`},
		{ID: "proxy-502-html", Status: 502, Headers: map[string]string{"Content-Type": "text/html"}, Body: `<!DOCTYPE html><html>...</html>`},
		{ID: "rate-dc", Status: 429, Headers: map[string]string{"X-RateLimit-Remaining": "0", "Retry-After": "0"}},
		{ID: "captcha", Status: 403, Headers: map[string]string{
			"X-Authentication-Denied-Reason": "CAPTCHA_CHALLENGE; login-url=https://jira.example.com/login.jsp",
			"X-Seraph-LoginReason":           "AUTHENTICATION_DENIED", "Content-Type": "text/html;charset=UTF-8",
		}, Body: "<html>... Basic Authentication Failure - Reason : AUTHENTICATION_DENIED ...</html>"},
	} {
		t.Run(answer.ID, func(t *testing.T) { understood(t, answer) })
	}
}

// The same for the whole catalogue that lies beside the project.
func TestTheCatalogueOfAnswersIsUnderstood(t *testing.T) {
	var catalogue []reported

	shared(t, "error_catalog.json", &catalogue)

	for _, answer := range catalogue {
		t.Run(answer.ID, func(t *testing.T) { understood(t, answer) })
	}
}

func understood(t *testing.T, answer reported) {
	t.Helper()

	body := ""

	switch given := answer.Body.(type) {
	case nil:
		if answer.Fragment != "" {
			body = `{"errorMessages":[` + inJSON(answer.Fragment) + `]}`
		}
	case string:
		body = given
	default:
		raw, err := json.Marshal(given)
		check(t, err)

		body = string(raw)
	}

	for _, dialect := range []func(*testing.T, routes) *fake{server, cloud} {
		say := func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range answer.Headers {
				w.Header().Set(name, value)
			}

			reply(w, answer.Status, body)
		}
		f := dialect(t, routes{
			"GET /rest/api/2/issue/A-1/editmeta": say, "GET /rest/api/3/issue/A-1/editmeta": say,
			"PUT /rest/api/2/issue/A-1": say, "PUT /rest/api/3/issue/A-1": say,
		})

		_, read := f.client.EditScreen(t.Context(), "A-1")
		for _, err := range []error{read, f.client.EditIssue(t.Context(), "A-1", map[string]any{"summary": "x"})} {
			meant(t, answer, err)
		}
	}
}

// meant checks kind, status and words: all of Jira's own, and no markup.
func meant(t *testing.T, answer reported, err error) {
	t.Helper()

	problem := new(Error)
	if !errors.As(err, &problem) {
		t.Fatalf("%v", err)
	}

	kind, message := expected(answer.ID)
	if problem.Kind != kind || problem.Status != answer.Status {
		t.Errorf("%s %d, not %s %d", problem.Kind, problem.Status, kind, answer.Status)
	}

	text := problem.Message()
	if message != "" && !strings.HasPrefix(text, message) || strings.ContainsAny(text, "<>") && kind != Refused {
		t.Errorf("%q", text)
	}

	if kind == TooFast && problem.RetryAfter < 1e9 {
		t.Errorf("to wait %s", problem.RetryAfter)
	}

	words := []string{answer.Fragment}
	if body, ok := answer.Body.(map[string]any); ok {
		words = append(words, texts(body["errorMessages"])...)

		errs, _ := body["errors"].(map[string]any)
		for field, word := range errs {
			words = append(words, field+": "+texts(word)[0])
		}
	}

	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q does not hold %q", text, word)
		}
	}
}
