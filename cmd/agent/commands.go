package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sdlc-hub/sdlc-hub/agent"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(out io.Writer) error {
	_, err := fmt.Fprintln(out, version)

	return err //nolint:wrapcheck // nothing to add to a failed print
}

type runCommand struct{}

// Run works until the context ends.
func (runCommand) Run(ctx context.Context, s *settings) error {
	ends, err := s.read()
	if err != nil {
		return err
	}

	defer ends.hub.Close()

	dir, err := s.dataDir()
	if err != nil {
		return &usageError{err}
	}

	journal, err := agent.OpenJournal(dir)
	if err != nil {
		return err
	}

	log := s.logger()
	log.Info("the agent begins", "version", version, "hub", ends.hub.Endpoint(), "jira", s.JiraURL,
		"journal", dir, "instance", journal.Instance())

	err = agent.New(agent.Config{
		Hub: ends.hub, JiraURL: s.JiraURL, Journal: journal, Version: version, Log: log,
		Connect: func(ctx context.Context) (agent.Jira, error) { return ends.connect(ctx) },
	}).Run(ctx)

	return errors.Join(err, journal.Close())
}

type checkCommand struct {
	Projects []string `name:"project" placeholder:"KEY" help:"Project that the agent must be able to work in; may be repeated. Default: any one."`
}

// errChecked says that a check failed, which its line has told.
var errChecked = errors.New("a check failed")

// Run prints a line a finding.
func (c checkCommand) Run(ctx context.Context, out io.Writer, s *settings) error {
	ends, err := s.read()
	if err != nil {
		return err
	}

	defer ends.hub.Close()

	checks := agent.Checks{Hub: ends.hub, Connect: ends.connect, Projects: c.Projects, Tell: func(f agent.Finding) {
		sign := "ok  "
		if !f.Good {
			sign = "FAIL"
		}

		_, _ = fmt.Fprintf(out, "%s  %-8s  %s\n", sign, f.What, f.Text)
	}}

	if !checks.Run(ctx) {
		return errChecked
	}

	return nil
}
