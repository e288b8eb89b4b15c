package jira

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAnAnswerHasTheKindOfTheTable(t *testing.T) {
	page := func(title string) string {
		return "\n<!DOCTYPE html><html><head><title>" + title + "</title></head><body>x</body></html>"
	}

	for _, c := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		kind   Kind
		text   string
	}{
		{"429", 429, nil, `{"errorMessages":["Rate limit exceeded."]}`, TooFast, "HTTP 429: Rate limit exceeded."},
		{"429 with a page", 429, nil, page("Too many"), TooFast, "HTTP 429: Too many"},
		{"503 that says when", 503, map[string]string{"Retry-After": "7"}, "", TooFast, "HTTP 503: Service Unavailable"},
		{"503 that does not", 503, nil, "", Unknown, "HTTP 503: Service Unavailable"},
		{"500", 500, nil, `{"errorMessages":["Internal server error"],"errors":{}}`, Unknown, "HTTP 500: Internal server error"},
		{"504 of a proxy", 504, nil, page("504 Gateway Time-out"), Unknown, "HTTP 504: 504 Gateway Time-out"},
		{"408", 408, nil, "", Unknown, "HTTP 408: Request Timeout"},
		{"401", 401, nil, `{"errorMessages":["Login failed"],"errors":{}}`, NotLoggedIn, "HTTP 401: Jira does not take the login\nLogin failed"},
		{"401 with a page", 401, nil, page("Unauthorized (401)"), NotLoggedIn, "HTTP 401: Jira does not take the login\nUnauthorized (401)"},
		{"login denied with 200", 200, map[string]string{"X-Seraph-LoginReason": "AUTHENTICATION_DENIED"}, `{"name":"agent"}`, NotLoggedIn, "HTTP 200: Jira does not take the login: AUTHENTICATION_DENIED"},
		{"login failed with 200", 200, map[string]string{"X-Seraph-LoginReason": "AUTHENTICATED_FAILED"}, `{"name":"agent"}`, NotLoggedIn, "HTTP 200: Jira does not take the login: AUTHENTICATED_FAILED"},
		{"login fine", 200, map[string]string{"X-Seraph-LoginReason": "OK"}, `{"name":"agent"}`, 0, ""},
		{"CAPTCHA with 200", 200, map[string]string{"X-Authentication-Denied-Reason": "CAPTCHA_CHALLENGE; login-url=https://x/"}, `{}`, NotLoggedIn, "HTTP 200: Jira does not take the login: CAPTCHA_CHALLENGE"},
		{"login page with 200", 200, nil, page("Log in - Jira"), NotLoggedIn, "HTTP 200: Jira does not take the login\nLog in - Jira"},
		{"login form without a title", 200, nil, `<html><form><input name="os_username"></form></html>`, NotLoggedIn, "HTTP 200: Jira does not take the login\na page without a title where Jira's answer was due"},
		{"login page in Russian", 200, nil, page("Вход в систему - Jira"), NotLoggedIn, "HTTP 200: Jira does not take the login\nВход в систему - Jira"},
		{"403 with a login page", 403, nil, page("Sign in to continue"), NotLoggedIn, "HTTP 403: Jira does not take the login\nSign in to continue"},
		{"page of a proxy with 200", 200, nil, page("Maintenance &amp;\n  rest"), NotJSON, "HTTP 200: Maintenance & rest"},
		{"page of a proxy with 404", 404, nil, page("404 Not Found"), NotJSON, "HTTP 404: 404 Not Found"},
		{"page of a proxy with 413", 413, nil, page("413 Request Entity Too Large"), NotJSON, "HTTP 413: 413 Request Entity Too Large"},
		{"a text with 200", 200, nil, "OK then", NotJSON, "HTTP 200: OK then"},
		{"400", 400, nil, `{"errorMessages":["One.","Two."],"errors":{"summary":"Too long.","labels":"No spaces."}}`, Refused, "HTTP 400: One.\nTwo.\nlabels: No spaces.\nsummary: Too long."},
		{"403", 403, nil, `{"errorMessages":["You do not have permission."],"errors":{}}`, Refused, "HTTP 403: You do not have permission."},
		{"404", 404, nil, `{"errorMessages":["Issue Does Not Exist"],"errors":{}}`, Refused, "HTTP 404: Issue Does Not Exist"},
		{"404 without a word", 404, nil, "", Refused, "HTTP 404: Not Found"},
		{"409", 409, nil, `{"errorMessages":["Conflict"]}`, Refused, "HTTP 409: Conflict"},
		{"413", 413, nil, `{"message":"Too large","status-code":413}`, Refused, "HTTP 413: Too large"},
		{"422", 422, nil, `{"errors":[{"message":"Bad"},"Worse"]}`, Refused, "HTTP 422: Bad\nWorse"},
		{"a long message", 400, nil, `{"errorMessages":["` + strings.Repeat("я", 5000) + `"]}`, Refused, "HTTP 400: " + strings.Repeat("я", 1500) + "…"},
		{"a long text", 400, nil, strings.Repeat("x ", 5000), Refused, "HTTP 400: " + strings.Repeat("x ", 150) + "…"},
		{"a plain text", 403, nil, "XSRF check failed", Refused, "HTTP 403: XSRF check failed"},
		{"a text in quotes", 400, nil, `"just so"`, Refused, "HTTP 400: Bad Request"},
		{"an answer that ends early", 200, nil, `{"name":"ag`, Unknown, "HTTP 200: Jira's answer cannot be read: unexpected EOF"},
		{"an empty answer", 200, nil, ``, Unknown, "HTTP 200: Jira's answer cannot be read: it is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := server(t, routes{"GET /rest/api/2/myself": func(w http.ResponseWriter, _ *http.Request) {
				for name, value := range c.header {
					w.Header().Set(name, value)
				}

				reply(w, c.status, c.body)
			}})

			_, err := f.client.Myself(t.Context())
			if c.kind == 0 {
				check(t, err)

				return
			}

			answer := new(Error)
			if !errors.As(err, &answer) {
				t.Fatalf("%v", err)
			}

			if answer.Kind != c.kind || answer.Status != c.status || answer.Error() != c.text {
				t.Errorf("%s %d %q\nwant %s %q", answer.Kind, answer.Status, answer.Error(), c.kind, c.text)
			}
		})
	}
}

func TestAPageIsFoundWhereNoAnswerWasDue(t *testing.T) {
	f := server(t, routes{"PUT /rest/api/2/issue/A-1": answers(200, "<html><title>Log in - Jira</title></html>")})

	if err := f.client.EditIssue(t.Context(), "A-1", map[string]any{"summary": "x"}); KindOf(err) != NotLoggedIn {
		t.Errorf("%v", err)
	}
}

func TestOnlyJirasOwn404SaysThatSomethingIsNotThere(t *testing.T) {
	f := server(t, routes{
		"GET /rest/api/2/issue/A-1": answers(404, `{"errorMessages":["Issue Does Not Exist"]}`),
		"GET /rest/api/2/issue/A-2": answers(404, `<html><title>404 Not Found</title></html>`),
	})

	if _, err := f.client.Issue(t.Context(), "A-1"); !NotFound(err) {
		t.Errorf("Jira's: %v", err)
	}

	if _, err := f.client.Issue(t.Context(), "A-2"); NotFound(err) {
		t.Errorf("a proxy's: %v", err)
	}
}

func TestTheWaitIsInSecondsOrUntilADateAndAtLeastASecond(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	for value, want := range map[string]time.Duration{
		" 30":  30 * time.Second, //nolint:gocritic // the space is the point
		"":     time.Second,
		"0":    time.Second,
		"-5":   time.Second,
		"soon": time.Second,
		"7":    7 * time.Second,
		"1.5":  1500 * time.Millisecond,
		"1e30": longestWait,
		"NaN":  time.Second,
		now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		now.Add(-time.Hour).Format(http.TimeFormat):       time.Second,
		now.AddDate(9, 0, 0).Format(http.TimeFormat):      longestWait,
	} {
		header := http.Header{"Date": {now.Format(http.TimeFormat)}, "Retry-After": {value}}
		if got := retryAfter(header); got != want {
			t.Errorf("%q: %s, not %s", value, got, want)
		}
	}

	header := http.Header{"Retry-After": {time.Now().Add(2 * time.Hour).UTC().Format(http.TimeFormat)}}
	if got := retryAfter(header); got < time.Hour || got > 2*time.Hour {
		t.Errorf("a date by itself: %s", got)
	}
}

func TestAJiraThatCannotBeReachedIsAway(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	check(t, err)
	check(t, listener.Close())

	for _, address := range []string{"http://" + listener.Addr().String(), "http://jira.invalid"} {
		_, err := Connect(t.Context(), Config{URL: address, Token: "secret"})
		if KindOf(err) != Away || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}

	// Speaks no TLS: nothing of the request was sent.
	f := start(t)
	if _, err := Connect(t.Context(), Config{URL: strings.Replace(f.url, "http:", "https:", 1), Token: "secret"}); KindOf(err) != Away {
		t.Errorf("without TLS: %v", err)
	}
}

func TestWhatIsNotKnownToHaveHappenedIsUnknown(t *testing.T) {
	cut := func(answer string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, buffer, err := http.NewResponseController(w).Hijack()
			if err == nil {
				err = errors.Join(write(buffer, answer), conn.Close())
			}

			if err != nil {
				t.Error(err)
			}
		}
	}

	for name, handler := range map[string]func(http.ResponseWriter, *http.Request){
		"cut before the answer":    cut(""),
		"cut within the answer":    cut("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\":\"1\","),
		"no answer":                func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"an answer without a key":  answers(201, `{"id":"1"}`),
		"an answer that is enough": answers(201, `{"id":"1","key":"A-1","self":"`+strings.Repeat("x", 10_000)+`"}`),
	} {
		t.Run(name, func(t *testing.T) {
			f := server(t, routes{"POST /rest/api/2/issue": handler})
			f.client.largest = 9_000

			_, err := f.client.Fields(t.Context())
			check(t, err)

			if name == "no answer" {
				f.client.timeout = 50 * time.Millisecond
			}

			_, err = f.client.CreateIssue(t.Context(), NewIssue{Project: "A", IssueType: "Task", Summary: "s"})
			if KindOf(err) != Unknown {
				t.Errorf("%v", err)
			}
		})
	}
}

func write(buffer *bufio.ReadWriter, text string) error {
	if _, err := buffer.WriteString(text); err != nil {
		return fmt.Errorf("writing: %w", err)
	}

	return buffer.Flush()
}

func TestACallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := server(t, routes{"GET /rest/api/2/myself": func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}})

	if _, err := f.client.Myself(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
