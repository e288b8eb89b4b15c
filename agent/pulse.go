package agent

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sdlc-hub/sdlc-hub/client"
)

// pulse tells the hub that the agent is alive, and what keeps it from working.
type pulse struct {
	beat  func(ctx context.Context, problem string) error
	every time.Duration
	log   *slog.Logger

	mu sync.Mutex
	// problem is what keeps the agent from working now, told what the hub last heard.
	problem, told string
	// known tells that the hub heard anything at all: what it was told before a restart may be over.
	known, claiming bool
	// changed wakes run for a new problem.
	changed chan struct{}
}

func newPulse(beat func(context.Context, string) error, every time.Duration, log *slog.Logger) *pulse {
	p := &pulse{beat: beat, every: every, log: log, changed: make(chan struct{}, 1)}
	p.changed <- struct{}{}

	return p
}

// trouble sets what keeps the agent from working, "" for nothing. The hub hears of it at once, the log too.
func (p *pulse) trouble(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if p.problem == problem {
		return
	}

	if problem == "" {
		p.log.Info("goes on", "after", p.problem)
	} else {
		p.log.Warn(problem)
	}

	p.problem = problem

	select {
	case p.changed <- struct{}{}:
	default: // it is awake already
	}
}

// claims says whether the agent is asking for a command, which says as much as a heartbeat.
func (p *pulse) claims(now bool) {
	p.mu.Lock()
	defer p.mu.Unlock()

	p.claiming = now
}

// run beats until the context ends. It ends with an error where the hub does not know the agent any more.
func (p *pulse) run(ctx context.Context) error {
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()

	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-p.changed:
		}

		problem, due := p.due()
		if !due {
			continue
		}

		err := p.beat(ctx, problem)

		switch {
		case err == nil:
			p.heard(problem)
		case refusedByHub(err):
			return err
		case ctx.Err() == nil:
			p.log.Debug("the hub did not hear a heartbeat", "error", err)
		}
	}
}

func (p *pulse) due() (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()

	return p.problem, !p.claiming || !p.known || p.problem != p.told
}

func (p *pulse) heard(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()

	p.told, p.known = problem, true
}

// refusedByHub tells whether the hub does not take the agent's token, which no waiting changes.
func refusedByHub(err error) bool {
	code := client.CodeOf(err)

	return code == client.Unauthenticated || code == client.Forbidden
}
