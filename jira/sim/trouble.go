package sim

import (
	"net/http"
	"time"
)

// The rules that are asked for most often. Each acts on whatever its On names; without it on every call, for good.

// On narrows a rule down to a method and a path (see Rule), for so many calls; 0: for good.
func (r Rule) On(method, pathPattern string, calls int) Rule {
	r.Method, r.Path, r.Calls = method, pathPattern, calls

	return r
}

// Lost does what is asked and then closes the connection without an answer.
func Lost() Rule { return Rule{Cut: true, After: true} }

// Cut closes the connection before anything is done.
func Cut() Rule { return Rule{Cut: true} }

// Slow answers after a while.
func Slow(delay time.Duration) Rule { return Rule{DelayMS: int(delay.Milliseconds())} }

// TooFast answers 429; retryAfter is the header's value, empty: no such header.
func TooFast(retryAfter string) Rule {
	return Rule{Answer: &Answer{
		Status: http.StatusTooManyRequests, Headers: withRetryAfter(retryAfter, map[string]string{
			"X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "0", "X-RateLimit-FillRate": "10", "X-RateLimit-Interval-Seconds": "60",
		}),
		Body: object{"errorMessages": []string{"Rate limit exceeded."}, "errors": object{}},
	}}
}

// Unavailable answers 503 with a proxy's page; retryAfter as for TooFast.
func Unavailable(retryAfter string) Rule {
	return Rule{Answer: &Answer{
		Status: http.StatusServiceUnavailable, Headers: withRetryAfter(retryAfter, map[string]string{}),
		Body: htmlPage("503 Service Temporarily Unavailable"),
	}}
}

func withRetryAfter(value string, headers map[string]string) map[string]string {
	if value != "" {
		headers["Retry-After"] = value
	}

	return headers
}

// LoginPage answers 200 with the page of a single sign-on.
func LoginPage() Rule {
	return Rule{Answer: &Answer{Status: http.StatusOK, Body: htmlPage("You are already logged in - Jira")}}
}

// HTMLPage answers with a proxy's page where JSON was due.
func HTMLPage(status int) Rule {
	return Rule{Answer: &Answer{Status: status, Body: htmlPage(http.StatusText(status))}}
}

// Captcha answers as Data Center does after too many wrong logins.
func Captcha() Rule {
	given := captcha("https://jira.example.com")
	text, _ := given.body.(raw)

	return Rule{Answer: &Answer{Status: given.status, Headers: given.header, Body: string(text)}}
}

// Unauthorized answers 401.
func Unauthorized() Rule {
	given := denied()

	return Rule{Answer: &Answer{Status: given.status, Headers: given.header, Body: given.body}}
}

// RepeatedToken makes a search on Cloud give the same page token again.
func RepeatedToken() Rule { return Rule{Path: "/rest/api/3/search/jql", RepeatToken: true} }

func htmlPage(title string) string {
	return "<!DOCTYPE html><html><head><title>" + title + "</title></head><body><h1>" + title + "</h1></body></html>"
}

// repeatToken puts the token that was asked with into a page of a search; the first page gets one that leads to itself.
func (a answer) repeatToken(c *call) {
	shown, ok := a.body.(object)
	if !ok || shown["issues"] == nil {
		return
	}

	token := c.query("nextPageToken")

	if c.r.Method == http.MethodPost {
		var sent searchSent
		if _, read := c.decode(&sent); read {
			token = sent.Token
		}
	}

	if token == "" {
		token = pageToken(0)
	}

	shown["nextPageToken"], shown["isLast"] = token, false
}
