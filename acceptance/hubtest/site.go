package hubtest

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Run calls the hub's command line on the hub's database, while it serves, and
// returns what was written to standard output, without the last line's end.
func (h *Hub) Run(ctx context.Context, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	call := exec.CommandContext(ctx, h.program, args...)
	call.Env = h.environment()
	call.Stdout, call.Stderr = &stdout, &stderr
	if err := call.Run(); err != nil {
		return "", fmt.Errorf("hub %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// Site is a site of the hub that no other test uses, with its callers.
type Site struct {
	Hub  *Hub
	Name string
	// Operator and Agent are there from the start: nearly every test needs both.
	Operator, Agent *Client

	lock   sync.Mutex
	others map[string]*Client
}

// NewSite makes a site and its operator's and agent's tokens.
func (h *Hub) NewSite(t testing.TB) *Site {
	t.Helper()
	site := &Site{Hub: h, Name: fmt.Sprintf("site-%d", h.sites.Add(1)), others: map[string]*Client{}}
	if _, err := h.Run(t.Context(), "site", "create", site.Name); err != nil {
		t.Fatal(err)
	}
	var operatorErr, agentErr error
	var both sync.WaitGroup
	both.Go(func() { site.Operator, operatorErr = site.mint(t.Context(), "operator", "operator-"+site.Name) })
	both.Go(func() { site.Agent, agentErr = site.mint(t.Context(), "agent", "agent-"+site.Name) })
	both.Wait()
	if operatorErr != nil || agentErr != nil {
		t.Fatal(operatorErr, agentErr)
	}
	return site
}

// Viewer is a caller of the site who may only look.
func (s *Site) Viewer(t testing.TB) *Client { t.Helper(); return s.Caller(t, "viewer", "viewer") }

// Admin is the site's administrator.
func (s *Site) Admin(t testing.TB) *Client { t.Helper(); return s.Caller(t, "admin", "admin") }

// Caller is a caller of the site with a token of its own, made when it is first
// asked for. The token's name is name and the site's.
func (s *Site) Caller(t testing.TB, role, name string) *Client {
	t.Helper()
	s.lock.Lock()
	defer s.lock.Unlock()
	if caller := s.others[name]; caller != nil {
		return caller
	}
	caller, err := s.mint(t.Context(), role, name+"-"+s.Name)
	if err != nil {
		t.Fatal(err)
	}
	s.others[name] = caller
	return caller
}

// On is the same site with the same callers, served by another hub on the same
// database.
func (s *Site) On(other *Hub) *Site {
	return &Site{
		Hub: other, Name: s.Name, others: map[string]*Client{},
		Operator: s.Operator.on(other), Agent: s.Agent.on(other),
	}
}

func (s *Site) mint(ctx context.Context, role, name string) (*Client, error) {
	token, err := s.Hub.Run(ctx, "token", "create", "--role", role, "--name", name, "--site", s.Name)
	if err != nil {
		return nil, err
	}
	return &Client{hub: s.Hub, Name: name, Token: token}, nil
}
