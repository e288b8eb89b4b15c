package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

// check runs the checks and gives what they found, a line each.
func (tr *trial) check(t *testing.T, hubToken, jiraToken string, projects ...string) (good bool, lines string) {
	t.Helper()

	calls, err := client.New(client.Config{URL: tr.hubURL, Token: hubToken})
	if err != nil {
		t.Fatal(err)
	}

	defer calls.Close()

	var told strings.Builder

	user, _ := tr.sim.Login()
	checks := Checks{
		Hub: calls, Projects: projects,
		Connect: func(ctx context.Context) (*jira.Client, error) {
			return jira.Connect(ctx, jira.Config{URL: tr.jiraURL, User: user, Token: jiraToken, Transport: tr.network})
		},
		Tell: func(f Finding) { fmt.Fprintf(&told, "%t %s: %s\n", f.Good, f.What, f.Text) },
	}

	return checks.Run(t.Context()), told.String()
}

func TestACheckSaysLineByLineWhatIsReachedAndWhatIsMissing(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		_, token := tr.sim.Login()
		agent, operator := tr.site.Agent.Token, tr.site.Operator.Token

		for _, tried := range []struct {
			name, hubToken, jiraToken string
			projects                  []string
			good                      bool
			lines                     []string
		}{
			{"all well", agent, token, nil, true, []string{
				"true hub: ", "as agent of the site", "true jira: ", "true login: as Агент", "true field: sprint is customfield_", "true project: AURORA",
			}},
			{"a project that is not there", agent, token, []string{"NONE"}, false, []string{"false project: NONE", "HTTP 404"}},
			{"a token of another role", operator, token, nil, false, []string{"false hub: ", "OPERATOR", "true login: "}},
			{"a token that the hub does not know", strings.Repeat("x", 43), token, nil, false, []string{"false hub: ", "UNAUTHENTICATED"}},
			{"a token that Jira does not know", agent, "wrong", nil, false, []string{"true hub: ", "Jira does not take the login"}},
		} {
			good, lines := tr.check(t, tried.hubToken, tried.jiraToken, tried.projects...)
			if good != tried.good {
				t.Errorf("%s: good is %t\n%s", tried.name, good, lines)
			}

			for _, line := range tried.lines {
				if !strings.Contains(lines, line) {
					t.Errorf("%s: nothing says %q in\n%s", tried.name, line, lines)
				}
			}
		}

		if writes := tr.writes(); len(writes) > 0 {
			t.Errorf("a check wrote %q", writes)
		}
	})
}

func TestACheckOfWhatIsAwayIsNotGood(t *testing.T) {
	t.Parallel()

	tr := newTrial(t, sim.DataCenter)
	tr.network.down.Store(true)
	tr.hubURL = "http://127.0.0.1:1"

	good, lines := tr.check(t, "x", "x")
	if good || !strings.Contains(lines, "false hub: the hub cannot be reached") || !strings.Contains(lines, "false jira: ") {
		t.Errorf("good is %t\n%s", good, lines)
	}
}
