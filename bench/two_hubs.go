package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// laterLimit is how many milliseconds later than a subscriber of the same hub one of another may have a change.
const laterLimit = 50

// measureTwoHubs measures how much later a subscriber of another hub has a change than one of the hub that an agent made
// it in.
func measureTwoHubs(ctx context.Context, b *bench) (figures []figure, err error) {
	h, err := b.newHub(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()

	by, err := h.site(ctx, "one")
	if err != nil {
		return nil, err
	}

	if err := h.fill(ctx, by, 2*((b.Pairs+1)*b.Changes+firstChanges)); err != nil {
		return nil, err
	}

	viewer, err := h.token(ctx, "one", access.Viewer)
	if err != nil {
		return nil, err
	}

	worker, err := h.token(ctx, "one", access.Agent)
	if err != nil {
		return nil, err
	}

	works := &caller{hub: h, by: by}
	hubs := [2]*delivery{{name: "one hub"}, {name: "another hub"}}

	for _, one := range hubs {
		if one.server, err = b.startHub(ctx, h.url); err != nil {
			return nil, err
		}

		defer func() { err = errors.Join(err, one.server.stop()) }()

		posts := newClient(one.server.url, worker)
		defer posts.close()

		one.change = works.at(posts)

		if err := one.subscribe(ctx, 1, viewer); err != nil {
			return nil, err
		}

		defer func() { err = errors.Join(err, one.readers.stop()) }()
	}

	own, other, err := b.apart(ctx, hubs)
	if err != nil {
		return nil, err
	}

	later := make([]float64, len(own))
	for i := range own {
		later[i] = (other[i] - own[i]).Seconds() * 1000
	}

	return []figure{{
		Row: "two-hubs", Work: "a change in one hub: milliseconds until a subscriber of another has it after one of its own (both: since the agent's call)",
		Floor: took(own), Hub: took(other), Values: later, Mark: within(laterLimit),
	}}, nil
}

// apart makes changes in each hub in turn, and gives, by round, when its own subscriber and the other's had them.
func (b *bench) apart(ctx context.Context, hubs [2]*delivery) (own, other []time.Duration, err error) {
	next := time.NewTicker(pace)
	defer next.Stop()

	for round := range b.Pairs + 1 {
		var here, there []time.Duration

		for i := range b.Changes {
			in, beside := hubs[i%2], hubs[1-i%2]

			at, made, err := in.change(ctx)
			if err != nil {
				return nil, nil, fmt.Errorf("a change in %s: %w", in.name, err)
			}

			for _, one := range []struct {
				of    *delivery
				times *[]time.Duration
			}{{in, &here}, {beside, &there}} {
				last, err := one.of.readers.everybody(ctx, at, everybodyWithin)
				if err != nil {
					return nil, nil, err
				}

				*one.times = append(*one.times, last.Sub(made))
			}

			select {
			case <-next.C:
			case <-ctx.Done():
				return nil, nil, ctx.Err() //nolint:wrapcheck // the caller's own
			}
		}

		if round > 0 {
			own, other = append(own, median(here)), append(other, median(there))
		}
	}

	return own, other, nil
}
