package jira

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
)

// largestAnswer bounds what is read of one answer, in bytes: a page of a hundred issues with the longest texts fits.
const largestAnswer = 64 << 20

func (c *Client) get(ctx context.Context, path string, query url.Values, out any) error {
	return c.call(ctx, http.MethodGet, path, query, nil, out)
}

func (c *Client) post(ctx context.Context, path string, in, out any) error {
	return c.call(ctx, http.MethodPost, path, nil, in, out)
}

// call sends one request and decodes the answer into out, where out is not nil. Its errors are *Error.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()

	// Until there is a connection, Jira cannot have seen anything of the request.
	var connected atomic.Bool

	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})

	request, err := c.request(ctx, method, path, query, in)
	if err != nil {
		return err
	}

	response, err := c.http.Do(request)
	if err != nil {
		return unanswered(ctx, err, connected.Load(), c.timeout)
	}
	defer response.Body.Close() //nolint:errcheck // nothing hangs on it once the answer is read

	body, err := io.ReadAll(io.LimitReader(response.Body, c.largest+1))
	if err == nil && int64(len(body)) > c.largest {
		err = fmt.Errorf("it is larger than %d bytes", c.largest)
	}

	if problem := judge(response, body); problem != nil {
		return problem
	}

	if err != nil {
		return brokenOff(ctx, response, err, c.timeout)
	}

	if out == nil {
		return nil
	}

	if err := decode(body, out); err != nil {
		return brokenOff(ctx, response, err, c.timeout)
	}

	return nil
}

func (c *Client) request(ctx context.Context, method, path string, query url.Values, in any) (*http.Request, error) {
	var body io.Reader

	if in != nil {
		encoded, err := encode(in)
		if err != nil {
			return nil, fmt.Errorf("encoding what Jira is asked: %w", err)
		}

		body = bytes.NewReader(encoded)
	}

	target := c.base.String() + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}

	request, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return nil, fmt.Errorf("asking Jira: %w", err)
	}

	request.Header.Set("User-Agent", c.userAgent)
	request.Header.Set("Accept", "application/json")

	if c.user == "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	} else {
		request.SetBasicAuth(c.user, c.token)
	}

	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}

	if method != http.MethodGet {
		request.Header.Set("X-Atlassian-Token", "no-check")
	}

	return request, nil
}

// encode writes JSON as it is, with < and & in place, so that Jira's limits count what people wrote.
func encode(in any) ([]byte, error) {
	var buffer bytes.Buffer

	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(in); err != nil {
		return nil, err //nolint:wrapcheck // the caller says what was encoded
	}

	return buffer.Bytes(), nil
}

// decode reads one JSON value. Numbers keep their spelling, so that large ones stay exact.
func decode(body []byte, out any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()

	if err := decoder.Decode(out); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("it is empty")
		}

		return err //nolint:wrapcheck // the caller says what was read
	}

	return nil
}

// list joins names as Jira's query parameters take them.
func list(names []string) string { return strings.Join(names, ",") }
