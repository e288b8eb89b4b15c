package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sdlc-hub/sdlc-hub/bench/peer"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// change makes one change that everybody is to have, and tells when it was made. Its cursor is asked for
// afterwards, when nothing is measured any more.
type change func(ctx context.Context) (at position, made time.Time, err error)

type position func(ctx context.Context) (cursor string, err error)

// posted makes changes at a peer by posting them; each is made when it is sent.
func posted(server *process) change {
	url := strings.TrimSuffix(server.url, "/graphql") + peer.Path
	sent := 0

	return func(ctx context.Context) (at position, made time.Time, err error) {
		sent++

		one := peer.Numbered(sent)

		body, err := one.JSON()
		if err != nil {
			return nil, made, fmt.Errorf("write the change: %w", err)
		}

		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return nil, made, fmt.Errorf("make the request: %w", err)
		}

		made = time.Now()

		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, made, fmt.Errorf("post: %w", err)
		}

		defer func() { err = errors.Join(err, response.Body.Close()) }()

		answer, err := io.ReadAll(response.Body)
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", response.Status, answer)
		}

		return func(context.Context) (string, error) { return one.Cursor, nil }, made, wrap("post", err)
	}
}

// committed makes changes as an agent does, claims and reports in turn, in this process, as another hub would: what is
// measured of the hub that delivers them is the delivering, and the moment of the commit is known.
func (h *hub) committed(by queue.Actor) change {
	var handout *queue.Handout

	return func(ctx context.Context) (at position, made time.Time, err error) {
		if handout == nil {
			handout, _, err = h.queue.Claim(ctx, by, queue.ClaimCall{Instance: "bench"})
			if err == nil && handout == nil {
				err = errIdle
			}
		} else {
			_, err = h.queue.Report(ctx, by, queue.Report{Command: handout.Command, Outcome: queue.OutcomeDone, Instance: "bench"})
			handout = nil
		}

		made = time.Now()

		if err != nil {
			return nil, made, fmt.Errorf("commit a change: %w", err)
		}

		return h.head(by), made, nil
	}
}

// head is the position of the newest change of a site.
func (h *hub) head(by queue.Actor) position {
	return func(ctx context.Context) (string, error) {
		cursor, err := h.store.Head(ctx, by.Site)

		return cursor.String(), wrap("find the newest change", err)
	}
}

// caller makes changes as an agent does, over HTTP, claims and reports in turn; each is made when it is asked for.
type caller struct {
	hub *hub
	by  queue.Actor
	// command is the one in hand, whichever hub it is from.
	command string
}

// at makes the changes of one hub.
func (c *caller) at(posts *client) change {
	return func(ctx context.Context) (at position, made time.Time, err error) {
		made = time.Now()

		if c.command == "" {
			c.command, err = posts.claim(ctx)
		} else {
			err = posts.report(ctx, c.command)
			c.command = ""
		}

		if err != nil {
			return nil, made, err
		}

		return c.hub.head(c.by), made, nil
	}
}
