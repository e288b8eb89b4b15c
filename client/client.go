package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says which hub to call, and as whom.
type Config struct {
	// URL is the hub's address, such as https://hub.example; /graphql is put behind it unless it is there.
	URL   string
	Token string
	// UserAgent names the program, such as sdlc-hub-agent/1.2.
	UserAgent string
	// Timeout bounds one call, and what a claim takes beyond the time that it was told to wait; 30 s where it is 0.
	Timeout time.Duration
}

// Client calls one hub with one token. It is safe for several goroutines.
type Client struct {
	endpoint  string
	token     string
	userAgent string
	timeout   time.Duration
	http      *http.Client
}

const (
	defaultTimeout = 30 * time.Second
	// keptConnections are the loop's and, while it works, the heartbeat's.
	keptConnections = 2
)

// New checks the configuration; it calls nobody.
func New(config Config) (*Client, error) {
	at, err := url.Parse(config.URL)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.User != nil {
		return nil, errors.New("the hub's address must be a URL such as https://hub.example")
	}

	if config.Token == "" || strings.ContainsFunc(config.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the hub's token must be one word of ASCII characters")
	}

	if !strings.HasSuffix(at.Path, "/graphql") {
		at = at.JoinPath("graphql")
	}

	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return nil, errors.New("net/http has another default transport")
	}

	own := transport.Clone()
	own.MaxIdleConnsPerHost = keptConnections

	client := &Client{
		endpoint: at.String(), token: config.Token, userAgent: config.UserAgent, timeout: config.Timeout,
		http: &http.Client{
			Transport: own,
			// The token goes to the hub that was named and to no other.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}

	if client.timeout == 0 {
		client.timeout = defaultTimeout
	}

	return client, nil
}

// Endpoint is the address that is called.
func (c *Client) Endpoint() string { return c.endpoint }

// Close lets go of the kept connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// within bounds a call.
func (c *Client) within(ctx context.Context, more time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.timeout+more)
}

// present makes a null where the contract has none an error.
func present[T any](what string, value *T) (*T, error) {
	if value == nil {
		return nil, &Error{Code: NoHub, Status: http.StatusOK, Message: fmt.Sprintf("%s is null", what)}
	}

	return value, nil
}
