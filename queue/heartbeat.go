package queue

import "context"

// Beat is an agent's word that it is alive.
type Beat struct {
	Instance string
	Version  *string
	// Problem is what keeps it from working, of which MaxError code points are kept; nil: nothing does.
	Problem *string
}

// MaxInstance is how long the name of an instance may be.
const MaxInstance = 255

// readInstance makes the name of an instance fit to be stored.
func readInstance(name string) (string, error) {
	if err := checkLength("instance", name, MaxInstance); err != nil {
		return "", err
	}

	return clean(name), nil
}

// Heartbeat notes that the agent is alive and what keeps it from working. It takes a free seat, or keeps its own.
func (q *Queue) Heartbeat(ctx context.Context, by Actor, beat Beat) (*Agent, error) {
	instance, err := readInstance(beat.Instance)

	switch {
	case err != nil:
		return nil, err
	case blank(instance):
		return nil, Refusef(Unprocessable, "instance is empty; name the running agent")
	}

	if err := checkLength("version", textOf(beat.Version), MaxName); err != nil {
		return nil, err
	}

	agent := &Agent{
		Name: by.Name, Instance: instance, Version: cleanOptional(beat.Version),
		Problem: cutOptional(cleanOptional(beat.Problem)), Online: true,
	}

	err = q.change(ctx, by, func(tx Tx) error {
		site, err := tx.Site(ctx)
		if err != nil {
			return err
		}

		known, err := tx.Agent(ctx, agent.Name, agent.Instance)
		if err != nil {
			return err
		}

		c := newChange(site, nil, by)
		c.beat(agent, known, q.timing)

		return tx.Apply(ctx, c.changes())
	})
	if err != nil {
		return nil, err
	}

	return agent, nil
}

func (c *change) beat(agent, known *Agent, timing Timing) {
	agent.LastSeenAt = c.site.Now
	c.out.Agent, c.out.Told = agent, true

	if known != nil && agent.Version == nil {
		agent.Version = known.Version
	}

	switch held := c.site.seatHeld(c.site.Now, timing.Seat); {
	case !held:
		c.takeSeat(agent.Instance, 0)
	case c.site.Seat.Instance == agent.Instance:
		c.seen(agent.Instance)
	}

	if known == nil || textOf(known.Problem) != textOf(agent.Problem) || textOf(known.Version) != textOf(agent.Version) {
		c.event(Event{Kind: EventAgent, Actor: c.actor})
	}
}

func cutOptional(text *string) *string {
	if text == nil {
		return nil
	}

	return new(cut(*text))
}
