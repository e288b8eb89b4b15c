package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
)

const description = `Does in Jira what the hub hands out, one command at a time.

Each setting is a flag and a variable of the environment; the flag wins.`

// commandLine is all that can be written after agent.
type commandLine struct {
	settings

	Work    runCommand     `cmd:"" name:"run" help:"Work until told to end."`
	Check   checkCommand   `cmd:"" help:"Say, line by line, whether hub and Jira are reached and may be used. Writes nothing."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// settings are one set for all commands.
type settings struct {
	HubURL        string `env:"HUB_URL"          placeholder:"URL"  help:"The hub's address, such as https://hub.example."`
	HubToken      string `env:"HUB_TOKEN"        placeholder:"TOKEN" help:"The agent's token for the hub."`
	HubTokenFile  string `env:"HUB_TOKEN_FILE"   placeholder:"FILE" help:"File with that token."`
	JiraURL       string `env:"JIRA_URL"         placeholder:"URL"  help:"Jira's address, with its context path if it has one."`
	JiraUser      string `env:"JIRA_USER"        placeholder:"USER" help:"User, or on Cloud mail address, that the token belongs to; unset: the token is a personal access token."`
	JiraToken     string `env:"JIRA_TOKEN"       placeholder:"TOKEN" help:"The token for Jira. It is never sent to the hub."`
	JiraTokenFile string `env:"JIRA_TOKEN_FILE"  placeholder:"FILE" help:"File with that token."`
	DataDir       string `env:"AGENT_DATA_DIR"   placeholder:"DIR"  help:"Folder of the journal. Default: /var/lib/sdlc-hub-agent as root, else ~/.local/share/sdlc-hub-agent."`
	LogLevel      string `env:"AGENT_LOG_LEVEL"  default:"info" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error."`
	LogFormat     string `env:"AGENT_LOG_FORMAT" default:"text" enum:"text,json" help:"How to log, on standard error: text or json."`
}

// ends are hub and Jira, between which the agent works.
type ends struct {
	hub  *client.Client
	jira jira.Config
}

// read checks the settings that every command but version needs, and reads the secrets.
func (s *settings) read() (*ends, error) {
	for _, needed := range []struct{ name, value string }{{"HUB_URL", s.HubURL}, {"JIRA_URL", s.JiraURL}} {
		if needed.value == "" {
			return nil, &usageError{fmt.Errorf("%s is not set", needed.name)}
		}
	}

	hubToken, err := secret("HUB_TOKEN", s.HubToken, s.HubTokenFile)
	if err != nil {
		return nil, &usageError{err}
	}

	jiraToken, err := secret("JIRA_TOKEN", s.JiraToken, s.JiraTokenFile)
	if err != nil {
		return nil, &usageError{err}
	}

	hub, err := client.New(client.Config{URL: s.HubURL, Token: hubToken, UserAgent: userAgent()})
	if err != nil {
		return nil, &usageError{fmt.Errorf("HUB_URL, HUB_TOKEN: %w", err)}
	}

	config := jira.Config{URL: s.JiraURL, User: s.JiraUser, Token: jiraToken, UserAgent: userAgent()}
	if err := config.Check(); err != nil {
		return nil, &usageError{fmt.Errorf("JIRA_URL, JIRA_USER, JIRA_TOKEN: %w", err)}
	}

	return &ends{hub: hub, jira: config}, nil
}

func userAgent() string { return "sdlc-hub-agent/" + version }

// secret gives what a variable holds or else the first line of the file that its *_FILE names. It is shown nowhere.
func secret(name, value, file string) (string, error) {
	switch {
	case value != "" && file != "":
		return "", fmt.Errorf("%s and %s_FILE are both set; one is enough", name, name)
	case value != "":
		return value, nil
	case file == "":
		return "", fmt.Errorf("neither %s nor %s_FILE is set", name, name)
	}

	content, err := os.ReadFile(file) //nolint:gosec // the operator names it
	if err != nil {
		return "", fmt.Errorf("%s_FILE: %w", name, err)
	}

	read := strings.TrimSpace(string(content))
	if read == "" || strings.ContainsAny(read, "\r\n") {
		return "", fmt.Errorf("%s_FILE: %s must hold the token alone", name, file)
	}

	return read, nil
}

// dataDir is the folder of the journal.
func (s *settings) dataDir() (string, error) {
	if s.DataDir != "" {
		return s.DataDir, nil
	}

	if os.Geteuid() == 0 {
		return "/var/lib/sdlc-hub-agent", nil
	}

	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("AGENT_DATA_DIR is not set, and there is no home folder to keep the journal in")
	}

	return filepath.Join(home, ".local", "share", "sdlc-hub-agent"), nil
}

func (s *settings) logger() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(strings.ToUpper(s.LogLevel))); err != nil {
		level = slog.LevelInfo
	}

	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}

	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

func (e *ends) connect(ctx context.Context) (*jira.Client, error) { return jira.Connect(ctx, e.jira) }
