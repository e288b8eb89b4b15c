package jira

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Config says where Jira is and who asks.
type Config struct {
	// URL is Jira's address with its context path, such as https://jira.example.com/jira.
	URL string
	// User is the login name or, on Cloud, the mail address that the token belongs to; "": the token is sent as a
	// bearer token.
	User  string
	Token string
	// UserAgent names the program in Jira's logs; never a browser's, whose writes Jira refuses.
	UserAgent string
	// Timeout is the time limit of one call; 0: 30 seconds.
	Timeout time.Duration
	// Transport sends the requests; nil: one of its own with the settings of http.DefaultTransport.
	Transport http.RoundTripper
}

// Client speaks with one Jira. It is safe for concurrent use.
type Client struct {
	base      *url.URL
	user      string
	token     string
	userAgent string
	timeout   time.Duration
	largest   int64
	http      *http.Client
	server    Server

	mu     sync.Mutex
	fields *Fields
}

// Server is what a Jira says of itself.
type Server struct {
	// BaseURL is the address that Jira itself gives to people.
	BaseURL string
	// Deployment is Cloud, Server or Data Center.
	Deployment string
	Version    string
	Title      string
}

// Cloud tells whether it speaks REST v3.
func (s Server) Cloud() bool { return strings.EqualFold(s.Deployment, "cloud") }

// Connect asks which Jira is there and gives a client for it. It needs no valid login yet; Myself tells.
func Connect(ctx context.Context, config Config) (*Client, error) {
	client, err := newClient(config)
	if err != nil {
		return nil, err
	}

	// Both kinds have this one under v2.
	var info struct {
		BaseURL        string `json:"baseUrl"`
		DeploymentType string `json:"deploymentType"`
		Version        string `json:"version"`
		ServerTitle    string `json:"serverTitle"`
	}

	if err := client.get(ctx, "/rest/api/2/serverInfo", nil, &info); err != nil {
		client.Close()

		return nil, fmt.Errorf("asking which Jira this is: %w", err)
	}

	client.server = Server{
		BaseURL: strings.TrimRight(info.BaseURL, "/"), Deployment: info.DeploymentType, Version: info.Version, Title: info.ServerTitle,
	}

	// Old ones do not say.
	if client.server.Deployment == "" {
		client.server.Deployment = "Server"
	}

	if client.server.BaseURL == "" {
		client.server.BaseURL = client.base.String()
	}

	return client, nil
}

// Server is what Jira said of itself when it was connected.
func (c *Client) Server() Server { return c.server }

// Close lets go of the connections that are kept for the next call.
func (c *Client) Close() { c.http.CloseIdleConnections() }

func newClient(config Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(config.URL, "/"))
	if err != nil {
		return nil, errors.New("the address of Jira is no URL")
	}

	switch {
	case base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, errors.New("the address of Jira must begin with http:// or https:// and name a host")
	case base.User != nil:
		return nil, errors.New("the address of Jira must not hold a login; give user and token by themselves")
	case base.RawQuery != "", base.Fragment != "":
		return nil, errors.New("the address of Jira must end with its path")
	case config.Token == "":
		return nil, errors.New("a token for Jira is missing")
	case strings.ContainsAny(config.Token+config.User, "\r\n"):
		return nil, errors.New("user and token for Jira must be one line each")
	}

	transport := config.Transport
	if transport == nil {
		transport = http.DefaultTransport
		if standard, ok := transport.(*http.Transport); ok {
			transport = standard.Clone()
		}
	}

	client := &Client{
		base: base, user: config.User, token: config.Token, userAgent: config.UserAgent, timeout: config.Timeout, largest: largestAnswer,
		http: &http.Client{Transport: transport, CheckRedirect: followAtHome},
	}

	if client.userAgent == "" {
		client.userAgent = "sdlc-hub-agent"
	}

	if client.timeout <= 0 {
		client.timeout = 30 * time.Second
	}

	return client, nil
}

// followAtHome follows a redirect of a read within Jira's own scheme and host; any other answer is judged as it is. So
// the token goes nowhere else, and a write is never turned into a read.
func followAtHome(next *http.Request, before []*http.Request) error {
	first := before[0]
	if len(before) > 5 || first.Method != http.MethodGet || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}

	return nil
}

// api is the path of a call of the platform, in this Jira's version of it.
func (c *Client) api(format string, segments ...string) string {
	version := "2"
	if c.server.Cloud() {
		version = "3"
	}

	return "/rest/api/" + version + path(format, segments...)
}

// agile is the path of a call of boards and sprints; both kinds have the same.
func agile(format string, segments ...string) string {
	return "/rest/agile/1.0" + path(format, segments...)
}

func path(format string, segments ...string) string {
	escaped := make([]any, len(segments))
	for i, segment := range segments {
		escaped[i] = url.PathEscape(segment)
	}

	return fmt.Sprintf(format, escaped...)
}
