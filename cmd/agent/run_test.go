package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAWrongValueEndsWithCodeTwoAndOneLine(t *testing.T) {
	for _, name := range []string{"HUB_URL", "HUB_TOKEN", "HUB_TOKEN_FILE", "JIRA_URL", "JIRA_USER", "JIRA_TOKEN", "JIRA_TOKEN_FILE", "AGENT_DATA_DIR"} {
		t.Setenv(name, "")
	}

	two := filepath.Join(t.TempDir(), "two")
	if err := os.WriteFile(two, []byte("a\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	hub := []string{"--hub-url=http://hub.example", "--hub-token=secret"}

	for _, tried := range []struct {
		args []string
		line string
	}{
		{[]string{"run"}, "agent: HUB_URL is not set\n"},
		{[]string{"check", "--hub-url=http://hub.example"}, "agent: JIRA_URL is not set\n"},
		{
			[]string{"run", "--hub-url=http://hub.example", "--jira-url=http://jira.example"},
			"agent: neither HUB_TOKEN nor HUB_TOKEN_FILE is set\n",
		},
		{
			append([]string{"run", "--jira-url=http://jira.example", "--jira-token=x", "--jira-token-file=y"}, hub...),
			"agent: JIRA_TOKEN and JIRA_TOKEN_FILE are both set; one is enough\n",
		},
		{
			append([]string{"run", "--jira-url=http://jira.example", "--jira-token-file=" + two}, hub...),
			"agent: JIRA_TOKEN_FILE: " + two + " must hold the token alone\n",
		},
		{
			append([]string{"run", "--jira-url=jira.example", "--jira-token=secret"}, hub...),
			"agent: JIRA_URL, JIRA_USER, JIRA_TOKEN: the address of Jira must begin with http:// or https:// and name a host\n",
		},
		{
			[]string{"check", "--hub-url=hub.example", "--hub-token=secret", "--jira-url=http://jira.example", "--jira-token=secret"},
			"agent: HUB_URL, HUB_TOKEN: the hub's address must be a URL such as https://hub.example\n",
		},
		{[]string{"version", "--log-level=loud"}, "agent: --log-level must be one of \"debug\",\"info\",\"warn\",\"error\" but got \"loud\"\n"},
	} {
		t.Run(strings.Join(tried.args, " "), func(t *testing.T) {
			var out, errs bytes.Buffer

			if code := run(tried.args, &out, &errs); code != exitUsage || errs.String() != tried.line || out.Len() > 0 {
				t.Errorf("got %d, %q, %q", code, errs.String(), out.String())
			}

			if strings.Contains(errs.String(), "secret") {
				t.Error("a secret was shown")
			}
		})
	}
}

func TestVersionNeedsNoSettings(t *testing.T) {
	var out, errs bytes.Buffer

	if code := run([]string{"version"}, &out, &errs); code != exitDone || out.String() != version+"\n" {
		t.Errorf("got %d, %q, %q", code, out.String(), errs.String())
	}
}
