// Package agent is the program beside Jira that does what the hub hands out: it claims one command, waits as long as it
// is told to, does it, reports, and claims again. It never has two commands, never runs one that its journal does not
// account for, and never makes a second issue.
package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
)

// Config is what an agent works with.
type Config struct {
	Hub *client.Client
	// Connect finds out which Jira is there. It is called until it succeeds.
	Connect func(ctx context.Context) (Jira, error)
	// JiraURL is where, for the journal.
	JiraURL string
	Journal *Journal
	// Version is told to the hub.
	Version string
	Times   Times
	Log     *slog.Logger
}

// Agent works for one hub on one Jira.
type Agent struct {
	Config

	hub     *client.Client
	jira    Jira
	journal *Journal
	times   Times
	log     *slog.Logger
	pulse   *pulse
	patient *patient
	known   known
	idle    client.IdleReason
}

// New makes an agent; it calls nobody.
func New(config Config) *Agent {
	a := &Agent{
		Config: config, hub: config.Hub, journal: config.Journal, times: config.Times.withDefaults(), log: config.Log,
	}

	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}

	a.pulse = newPulse(a.beat, a.times.Heartbeat, a.log)
	a.patient = &patient{times: a.times, log: a.log, trouble: a.pulse.trouble}

	return a
}

// Run works until the context ends, which is no error. It ends by itself where no waiting helps: the hub does not take
// the token, or the journal cannot be written or has a command open for another hub or Jira.
func (a *Agent) Run(ctx context.Context) error {
	if err := a.journal.belongTo(a.hub.Endpoint(), a.JiraURL); err != nil {
		return err
	}

	working, end := context.WithCancelCause(ctx)
	defer end(nil)

	var beating sync.WaitGroup

	beating.Go(func() {
		if err := a.pulse.run(working); err != nil {
			end(err)
		}
	})

	err := a.work(working)

	end(nil)
	beating.Wait()

	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}

	if refusedByHub(err) {
		return fmt.Errorf("the hub does not take the agent's token: %w", err)
	}

	return err
}

func (a *Agent) work(ctx context.Context) error {
	err := a.workOn(ctx)

	if jira.KindOf(err) != jira.NotLoggedIn {
		return err
	}

	// Every further try can lock the account, and who restarts the agent by a script must not make one: it stays, silent.
	a.pulse.trouble(errorOf(err).Message + "\nNothing is tried until the agent is started again")

	<-ctx.Done()

	return context.Cause(ctx) //nolint:wrapcheck // whoever ended it knows why
}

func (a *Agent) workOn(ctx context.Context) error {
	if a.journal.kept.Report != nil {
		if err := a.deliver(ctx); err != nil {
			return err
		}
	}

	if err := a.connect(ctx); err != nil {
		return err
	}

	for {
		if err := a.turn(ctx); err != nil {
			return err
		}
	}
}

func (a *Agent) beat(ctx context.Context, problem string) error {
	_, err := a.hub.Heartbeat(ctx, a.journal.Instance(), a.Version, problem)

	return err
}

// finishing gives a context that ends a while after ctx does, so that a command under way can be brought to its end.
func (a *Agent) finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	inner, end := context.WithCancelCause(context.WithoutCancel(ctx))

	var late *time.Timer

	var mu sync.Mutex

	stop := context.AfterFunc(ctx, func() {
		mu.Lock()
		defer mu.Unlock()

		late = time.AfterFunc(a.times.Grace, func() { end(context.Cause(ctx)) })
	})

	return inner, func() {
		stop()
		mu.Lock()
		defer mu.Unlock()

		if late != nil {
			late.Stop()
		}

		end(nil)
	}
}
