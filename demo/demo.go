// Package demo shows the hub at work to someone who has no Jira to spare: a simulated Jira, the agent that works in it,
// and a few batches under way, of which one goes well, one meets an error and what hangs on it is skipped, and one's
// report was lost and is found by what Jira shows.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sdlc-hub/sdlc-hub/agent"
	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Config is the hub that is shown.
type Config struct {
	// Queue and Site are where the sample batches are ordered.
	Queue *queue.Queue
	Site  queue.SiteID
	// HubURL and AgentToken are how the agent reaches the hub.
	HubURL, AgentToken string
	// Jira is where the simulated Jira listens; Run closes it.
	Jira net.Listener
	// Folder is for the agent's journal.
	Folder  string
	Version string
	Out     io.Writer
	Log     *slog.Logger
}

const (
	headerTime = 10 * time.Second
	stopTime   = time.Second
	// minPause and maxPause are the demonstration's pace, in seconds.
	minPause, maxPause = 1, 3
	// settle is how long an issue that may have been created is looked for; the simulation's search does not lag.
	settle = time.Second
)

// Run shows it until the context ends, which is no error.
func Run(ctx context.Context, config Config) error {
	address := "http://" + config.Jira.Addr().String()

	simulated, err := sim.New(sim.Config{Dialect: sim.Cloud, BaseURL: address})
	if err != nil {
		return errors.Join(fmt.Errorf("make the simulated Jira: %w", err), config.Jira.Close())
	}

	_, _ = fmt.Fprintf(config.Out, "The simulated Jira, project AURORA: %s\n", address)

	all, ctx := errgroup.WithContext(ctx)

	all.Go(func() error { return serve(ctx, config.Jira, simulated) })
	all.Go(func() error { return work(ctx, config, address, simulated) })

	if err := all.Wait(); !errors.Is(err, context.Canceled) {
		return err //nolint:wrapcheck // each says what it was doing
	}

	return nil
}

func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: headerTime}

	stop := context.AfterFunc(ctx, func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()

		if server.Shutdown(bounded) != nil {
			_ = server.Close() // whoever still reads has had his time
		}
	})
	defer stop()

	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the simulated Jira: %w", err)
	}

	return nil
}

// work orders the batches and has the agent do what they ask for.
func work(ctx context.Context, config Config, address string, simulated *sim.Sim) error {
	hub, err := client.New(client.Config{URL: config.HubURL, Token: config.AgentToken, UserAgent: "sdlc-hub-demo/" + config.Version})
	if err != nil {
		return fmt.Errorf("call the hub: %w", err)
	}
	defer hub.Close()

	journal, err := agent.OpenJournal(config.Folder)
	if err != nil {
		return fmt.Errorf("open the agent's journal: %w", err)
	}

	user, token := simulated.Login()
	login := jira.Config{URL: address, User: user, Token: token, UserAgent: "sdlc-hub-demo/" + config.Version}

	if err := begin(ctx, config, hub, login, journal.Instance()); err != nil {
		return errors.Join(err, journal.Close())
	}

	err = agent.New(agent.Config{
		Hub: hub, JiraURL: address, Journal: journal, Version: config.Version, Log: config.Log,
		Connect: func(ctx context.Context) (agent.Jira, error) { return jira.Connect(ctx, login) },
		Times:   agent.Times{SettleCloud: settle, SettleServer: settle, SettleLook: settle},
	}).Run(ctx)

	return errors.Join(err, journal.Close())
}
