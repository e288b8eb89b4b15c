package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/sdlc-hub/sdlc-hub/bench/crowd"
	"github.com/sdlc-hub/sdlc-hub/bench/peer"
)

// readers are subscribers in a process of their own.
type readers struct {
	*process

	lines <-chan string
	count int
}

// everybodyWithin is how long a change may take to the last of them, and they to subscribe.
const everybodyWithin = time.Minute

// subscribe starts so many subscribers of a server, who take turns where they go on if there is more than one position,
// and returns when all have asked for their subscription.
func subscribe(ctx context.Context, server *process, count int, token string, after ...string) (*readers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}

	args, err := crowd.Config{URL: server.url, Query: peer.Subscription, Token: token, After: after, Count: count}.Args()
	if err != nil {
		return nil, err
	}

	started, lines, err := startTelling(ctx, self, append([]string{crowdOfReaders}, args...))
	if err != nil {
		return nil, err
	}

	r := &readers{process: started, lines: lines, count: count}

	line, err := r.next(ctx, everybodyWithin)
	if err == nil && line.Cursor != "" {
		err = errors.New("the subscribers had a change before all had asked")
	}

	if err != nil {
		return nil, errors.Join(err, r.stop())
	}

	return r, nil
}

var errLate = errors.New("the subscribers waited for too long")

func (r *readers) next(ctx context.Context, within time.Duration) (crowd.Line, error) {
	late := time.NewTimer(within)
	defer late.Stop()

	select {
	case line, more := <-r.lines:
		if !more {
			return crowd.Line{}, errors.New("the subscribers have ended")
		}

		return crowd.Parse(line)
	case <-late.C:
		return crowd.Line{}, errLate
	case <-ctx.Done():
		return crowd.Line{}, ctx.Err() //nolint:wrapcheck // the caller's own
	}
}

// everybody waits until all have a change, and gives when the last of them had it.
func (r *readers) everybody(ctx context.Context, at position, within time.Duration) (time.Time, error) {
	for cursor := ""; ; {
		line, err := r.next(ctx, within)
		if err == nil && cursor == "" {
			cursor, err = at(ctx)
		}

		if err != nil {
			return time.Time{}, fmt.Errorf("wait for %d subscribers: %w", r.count, err)
		}

		if line.Cursor == cursor {
			return line.Last, nil
		}
	}
}
