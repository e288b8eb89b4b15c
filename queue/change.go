package queue

import "time"

// change collects what a verb decides: it keeps the counts, the site's state and the log in step with each
// transition, so that no verb can forget one of them.
type change struct {
	// actor is the name on the token that calls the verb.
	actor   string
	site    *Site
	batches map[BatchID]*Batch
	// touched are the batches whose counts changed, with the status that each had.
	touched map[BatchID]BatchStatus
	// notes as they shall be; nil where one goes.
	notes map[Key]*Note
	out   Changes
}

func newChange(site *Site, batches map[BatchID]*Batch, by Actor) *change {
	return &change{actor: by.Name, site: site, batches: batches, touched: map[BatchID]BatchStatus{}, notes: map[Key]*Note{}}
}

// changes gives all that was decided, in the next version of the site.
func (c *change) changes() *Changes {
	c.site.Version++

	for id, was := range c.touched {
		batch := c.batches[id]
		c.out.Batches = append(c.out.Batches, batch)

		if batch.Status() != was {
			c.out.Restated = append(c.out.Restated, batch)
		}
	}

	for key, note := range c.notes {
		if note == nil {
			c.out.RemovedNotes = append(c.out.RemovedNotes, key)
		} else {
			c.out.Notes = append(c.out.Notes, note)
		}
	}

	c.out.Site = c.site.SiteState

	return &c.out
}

// event appends to the log. Whose it is says the cause: what the hub decides by itself has no actor.
func (c *change) event(event Event) {
	c.site.Head++
	event.Cursor.Seq = c.site.Head
	event.At = c.site.Now
	c.out.Events = append(c.out.Events, event)
}

// byHub tells the causes that nobody asked for.
func (c Cause) byHub() bool {
	return c == CauseConfirmed || c == CauseDependencyFailed || c == CauseDeliveryLimit
}

// commandEvent logs that the command changed and how it stands now.
func (c *change) commandEvent(cmd *Command, from Status, cause Cause) {
	actor := c.actor
	if cause.byHub() {
		actor = ""
	}

	c.event(Event{
		Kind: EventCommand, Actor: actor,
		Command: cmd.ID, Batch: cmd.Batch, From: from, Cause: cause, State: cmd.State,
	})
}

// update writes the command's state without a transition.
func (c *change) update(cmd *Command) {
	c.out.Commands = append(c.out.Commands, CommandUpdate{Was: cmd.Status, Command: cmd})
}

// transition takes the command to another status (or, redelivered, to the same) and logs it.
func (c *change) transition(cmd *Command, to Status, cause Cause) {
	from := cmd.Status
	cmd.Status = to

	if !to.Open() {
		now := c.site.Now
		cmd.FinishedAt = &now
	}

	switch {
	case to == Claimed:
		c.site.InHand = cmd.ID
	case from == Claimed:
		c.site.InHand = 0
		c.site.Seat.PauseSeconds = 0
	}

	if from != to {
		c.count(cmd.Batch, from, to)
	}

	c.out.Commands = append(c.out.Commands, CommandUpdate{Was: from, Command: cmd})
	c.commandEvent(cmd, from, cause)
}

// count keeps the counts of site and batch, and notices a batch's end.
func (c *change) count(id BatchID, from, to Status) {
	batch := c.batches[id]
	if _, known := c.touched[id]; !known {
		c.touched[id] = batch.Status()
	}

	*c.site.Counts.Of(from)--
	*c.site.Counts.Of(to)++
	*batch.Counts.Of(from)--
	*batch.Counts.Of(to)++

	if batch.Counts.Open() == 0 {
		now := c.site.Now
		batch.FinishedAt = &now
	}
}

// ready notes that a queued command waits for nothing any more.
func (c *change) ready(id CommandID) {
	if c.site.ReadyFrom == 0 || id < c.site.ReadyFrom {
		c.site.ReadyFrom = id
	}
}

// wait changes what a queued command waits for by that many things.
func (c *change) wait(cmd *Command, by int) {
	cmd.Waiting += by
	c.update(cmd)

	if cmd.Waiting == 0 {
		c.ready(cmd.ID)
	}
}

// seen renews the seat of the instance that calls and tells so; another's call leaves it alone.
func (c *change) seen(instance string) bool {
	mine := instance != "" && c.site.Seat.Instance == instance
	if mine {
		c.site.Seat.SeenAt = c.site.Now
	}

	return mine
}

// noteEvery is how often the list of agents learns of the one that holds the seat; its last call is on the seat.
const noteEvery = 5 * time.Second

// noteHolder renews the holder's row in the list of agents now and then.
func (c *change) noteHolder() {
	seat := &c.site.Seat
	if c.site.Now.Sub(seat.NotedAt) < noteEvery {
		return
	}

	seat.NotedAt = c.site.Now
	c.out.Agent = &Agent{Name: c.actor, Instance: seat.Instance, LastSeenAt: c.site.Now}
}
