package jira

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// judge says what is wrong with an answer; nil where it is the one asked for. The first rule that fits holds.
func judge(response *http.Response, body []byte) error {
	status := response.StatusCode
	page := looksLikePage(body)

	switch {
	case status == http.StatusTooManyRequests,
		status == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "":
		return said(&Error{Kind: TooFast, Status: status, RetryAfter: retryAfter(response.Header)}, body)
	case status == http.StatusUnauthorized, loginDenied(response.Header) != "":
		return notLoggedIn(response, body)
	case status >= http.StatusInternalServerError, status == http.StatusRequestTimeout:
		return said(&Error{Kind: Unknown, Status: status}, body)
	case status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		return redirected(response)
	case page && loginPage(body):
		return notLoggedIn(response, body)
	case page:
		return said(&Error{Kind: NotJSON, Status: status}, body)
	case status >= http.StatusBadRequest:
		return said(&Error{Kind: Refused, Status: status}, body)
	case len(bytes.TrimSpace(body)) > 0 && !startsJSON(body):
		return said(&Error{Kind: NotJSON, Status: status}, body)
	default:
		return nil
	}
}

// said puts into the error what the answer's body says.
func said(problem *Error, body []byte) *Error {
	problem.Messages, problem.Fields = words(body)

	return problem
}

// notLoggedIn keeps Jira's reason, which no body of such an answer holds.
func notLoggedIn(response *http.Response, body []byte) *Error {
	problem := said(&Error{Kind: NotLoggedIn, Status: response.StatusCode}, body)
	if reason := loginDenied(response.Header); reason != "" {
		problem.Messages = append([]string{"Jira does not take the login: " + reason}, problem.Messages...)
	} else {
		problem.Messages = append([]string{"Jira does not take the login"}, problem.Messages...)
	}

	return problem
}

// redirected judges a redirect that was not followed. Its query may hold what is nobody's business.
func redirected(response *http.Response) *Error {
	problem := &Error{Kind: Refused, Status: response.StatusCode}

	target, err := response.Location()
	if err != nil {
		problem.Messages = []string{"Jira sends this elsewhere, and does not say where"}

		return problem
	}

	if loginAddress(target) {
		problem.Kind = NotLoggedIn
	}

	where := url.URL{Scheme: target.Scheme, Host: target.Host, Path: target.Path}
	problem.Messages = []string{"Jira sends this to " + where.String() + "; it is not followed there"}

	return problem
}

// unanswered judges a request that got no answer.
func unanswered(ctx context.Context, err error, connected bool, limit time.Duration) error {
	// What http.Client wraps it in names the whole address with its query.
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}

	late := errors.Is(ctx.Err(), context.DeadlineExceeded)

	switch {
	case !connected && late:
		return &Error{Kind: Away, Messages: []string{fmt.Sprintf("Jira cannot be reached within %s", limit)}, cause: err}
	case !connected:
		return &Error{Kind: Away, Messages: []string{"Jira cannot be reached: " + err.Error()}, cause: err}
	case late:
		return &Error{Kind: Unknown, Messages: []string{fmt.Sprintf("Jira did not answer within %s", limit)}, cause: err}
	default:
		return &Error{Kind: Unknown, Messages: []string{"the connection to Jira broke: " + err.Error()}, cause: err}
	}
}

// brokenOff judges an answer that could not be read to its end.
func brokenOff(ctx context.Context, response *http.Response, err error, limit time.Duration) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it did not end within %s: %w", limit, ctx.Err())
	}

	return &Error{
		Kind: Unknown, Status: response.StatusCode,
		Messages: []string{"Jira's answer cannot be read: " + err.Error()}, cause: err,
	}
}
