package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// measureHTTP measures claim and report over HTTP and GraphQL, as an agent sends them, and says apart what HTTP, GraphQL
// and the database take.
func measureHTTP(ctx context.Context, b *bench) (figures []figure, err error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	o, err := h.startOver(ctx, b)
	if err != nil {
		return nil, err
	}

	defer func() { err = errors.Join(err, o.close()) }()

	times, err := b.alternate(ctx,
		side{
			prepare: func(ctx context.Context) error { return o.fill(ctx, b.Cycles) },
			run:     func(ctx context.Context) error { return o.floorCycles(ctx, b.Cycles) },
		},
		side{run: func(ctx context.Context) error { return o.direct.cycles(ctx, b.Cycles) }},
		side{run: func(ctx context.Context) error { return o.httpCycles(ctx, b.Cycles) }})
	if err != nil {
		return nil, err
	}

	// The first round of the posts, like that of the sides, is not counted.
	http, database, whole := o.posts[1:], times[1], times[2]

	graphql := make([]time.Duration, len(whole))
	for i := range whole {
		graphql[i] = whole[i] - database[i] - http[i]
	}

	part := func(name string, times []time.Duration) figure {
		figure := figure{Row: "http", Work: "of that, " + name + ", milliseconds a cycle", Mark: onlyShown()}
		for _, took := range times {
			figure.Values = append(figure.Values, float64(took.Microseconds())/1000/float64(b.Cycles))
		}

		return figure
	}

	return []figure{
		{
			Row: "http", Work: "claim and report, one agent, over HTTP and GraphQL",
			Floor: rate(b.Cycles, times[0]), Hub: rate(b.Cycles, whole), Values: ratios(times[0], whole), Mark: atLeast(0.5),
		},
		part("HTTP (two bare posts)", http),
		part("the database's part (measured without HTTP)", database),
		part("GraphQL and login (the rest)", graphql),
	}, nil
}

// over is one database under three: the floor, the hub's verbs and the hub's own process.
type over struct {
	*hub

	floor  *claimFloor
	direct *agent
	// served is the site that the hub's process works for.
	served        queue.Actor
	hubs, bares   *client
	hubRuns, bare *process
	// posts is how long the floor's bare posts took, by run.
	posts []time.Duration
}

func (h *hub) startOver(ctx context.Context, b *bench) (*over, error) {
	o := &over{hub: h}

	if err := o.start(ctx, b); err != nil {
		return nil, errors.Join(err, o.close())
	}

	return o, nil
}

func (o *over) start(ctx context.Context, b *bench) error {
	if _, err := o.plain.Exec(ctx, makeFloor); err != nil {
		return fmt.Errorf("make the floor: %w", err)
	}

	direct, err := o.site(ctx, "direct")
	if err != nil {
		return err
	}

	o.served, err = o.site(ctx, "served")
	if err != nil {
		return err
	}

	o.direct = &agent{queue: o.queue, by: direct}
	o.floor = &claimFloor{conn: o.plain, site: direct.Site}

	if err := o.fill(ctx, standing); err != nil {
		return err
	}

	token, err := o.token(ctx, "served", access.Agent)
	if err != nil {
		return err
	}

	if o.hubRuns, err = b.startHub(ctx, o.url); err != nil {
		return err
	}

	if o.bare, err = startChild(ctx, bareServer); err != nil {
		return err
	}

	o.hubs, o.bares = newClient(o.hubRuns.url, token), newClient(o.bare.url, token)

	return nil
}

func (o *over) close() error {
	var all []error

	for _, client := range []*client{o.hubs, o.bares} {
		if client != nil {
			client.close()
		}
	}

	for _, running := range []*process{o.hubRuns, o.bare} {
		if running != nil {
			all = append(all, running.stop())
		}
	}

	return errors.Join(all...)
}

// fill gives all three as many commands.
func (o *over) fill(ctx context.Context, count int) error {
	for _, by := range []queue.Actor{o.direct.by, o.served} {
		if err := o.hub.fill(ctx, by, count); err != nil {
			return err
		}
	}

	return o.refill(ctx, o.direct.by)
}

// floorCycles makes the floor's cycles, each with two bare posts of the bodies that the hub is sent.
func (o *over) floorCycles(ctx context.Context, count int) error {
	var posts time.Duration

	post := func(operation request) error {
		begun := time.Now()
		_, err := o.bares.post(ctx, operation)
		posts += time.Since(begun)

		return err
	}

	for range count {
		id, err := o.floor.claim(ctx)
		if err != nil {
			return err
		}

		if err := post(claimOperation()); err != nil {
			return err
		}

		if err := o.floor.complete(ctx, id); err != nil {
			return err
		}

		if err := post(reportOperation(strconv.FormatInt(id, 10))); err != nil {
			return err
		}
	}

	o.posts = append(o.posts, posts)

	return nil
}

// httpCycles makes the hub's cycles as an agent does.
func (o *over) httpCycles(ctx context.Context, count int) error {
	for range count {
		id, err := o.hubs.claim(ctx)
		if err != nil {
			return err
		}

		if err := o.hubs.report(ctx, id); err != nil {
			return err
		}
	}

	return nil
}
