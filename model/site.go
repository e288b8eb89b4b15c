package model

import (
	"maps"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Site is one site as the rules have it.
type Site struct {
	// LongSeats tells that a seat outlasts the run; else it lapses at once, but for the pause of the command that its
	// holder has in hand.
	LongSeats bool
	// Step numbers the verbs; it stands for the time at which something happened.
	Step int

	Commands map[queue.CommandID]*Command
	Batches  map[queue.BatchID]*Batch
	Issues   map[queue.Key]*Issue
	// Moved leads from keys that issues had to those they have.
	Moved  map[queue.Key]queue.Key
	Notes  map[queue.Key]*Note
	Jira   *queue.Jira
	Agents map[string]queue.Agent
	Pace   queue.Pace
	Seat   Seat
	// Failures counts reported failures since the last success or resume.
	Failures int
	// Told are the events of the present step, in no order: the rules give none.
	Told []Entry

	clients map[string]client
}

// Seat is who holds the site's seat.
type Seat struct {
	Instance string
	// Pause is the pause of the command in hand where the holder has it, else 0.
	Pause int
}

// Batch is a batch without what follows from its commands.
type Batch struct {
	ID     queue.BatchID
	Title  string
	Author string
	Held   bool
}

// Command is a command and what became of it.
type Command struct {
	ID             queue.CommandID
	Batch          *Batch
	Position       int
	Params         queue.Params
	TempKey        queue.Key
	RetryOf, Chain queue.CommandID

	Status     queue.Status
	Error      string
	Result     queue.Key
	Deliveries int
	RootCause  queue.CommandID
	Progress   *queue.Progress

	// needs are the creations behind the temporary keys it names, counted the keys that its delivery has seen.
	needs   map[queue.Key]*Command
	counted map[queue.Key]bool
}

// Entry is an event of the log, as far as the rules say what is in it. Progress and the comings and goings of agents
// are not: when they are told is a matter of time.
type Entry struct {
	Kind  queue.EventKind
	Actor string

	Command    queue.CommandID
	Batch      queue.BatchID
	From, To   queue.Status
	Cause      queue.Cause
	Error      string
	Result     queue.Key
	Deliveries int
	RootCause  queue.CommandID

	Key, MovedFrom queue.Key
	Text, Author   string
	Pace           string
}

// NewSite is a site in which nothing has happened.
func NewSite(longSeats bool, pace queue.Pace) *Site {
	return &Site{
		LongSeats: longSeats, Pace: pace,
		Commands: map[queue.CommandID]*Command{}, Batches: map[queue.BatchID]*Batch{},
		Issues: map[queue.Key]*Issue{}, Moved: map[queue.Key]queue.Key{}, Notes: map[queue.Key]*Note{},
		Agents: map[string]queue.Agent{}, clients: map[string]client{},
	}
}

// Begin begins the next step.
func (s *Site) Begin() {
	s.Step++
	s.Told = nil
}

// Ordered lists the commands by id.
func (s *Site) Ordered() []*Command {
	ordered := make([]*Command, 0, len(s.Commands))
	for _, id := range slices.Sorted(maps.Keys(s.Commands)) {
		ordered = append(ordered, s.Commands[id])
	}

	return ordered
}

// InHand is the claimed command; nil for none.
func (s *Site) InHand() *Command {
	for _, c := range s.Commands {
		if c.Status == queue.Claimed {
			return c
		}
	}

	return nil
}

// Ended tells whether the command has its final status.
func (c *Command) Ended() bool { return c.Status != queue.Queued && c.Status != queue.Claimed }

// Creates tells whether it is an ensure_issue.
func (c *Command) Creates() bool { return c.TempKey != "" }

// Waiting counts what a queued command waits for: issues that do not exist yet, and its batch's release.
func (c *Command) Waiting() int {
	if c.Status != queue.Queued {
		return 0
	}

	waiting := 0
	if c.Batch.Held {
		waiting++
	}

	for _, creation := range c.needs {
		if creation.Status != queue.Done {
			waiting++
		}
	}

	return waiting
}

// Handed are the parameters as an agent gets them: with real keys.
func (c *Command) Handed() queue.Params {
	return mapKeys(c.Params, func(_ string, key queue.Key) queue.Key {
		if creation := c.needs[key]; creation != nil {
			return creation.Result
		}

		return key
	})
}

// turn takes a command to a status and tells of it. What the hub does by itself has no actor.
func (s *Site) turn(c *Command, to queue.Status, cause queue.Cause, actor string) {
	from := c.Status
	c.Status = to

	if from == queue.Claimed && to != queue.Claimed {
		s.Seat.Pause = 0
	}

	s.tell(c, from, cause, actor)
}

func (s *Site) tell(c *Command, from queue.Status, cause queue.Cause, actor string) {
	s.Told = append(s.Told, Entry{
		Kind: queue.EventCommand, Actor: actor, Command: c.ID, Batch: c.Batch.ID, From: from, To: c.Status, Cause: cause,
		Error: c.Error, Result: c.Result, Deliveries: c.Deliveries, RootCause: c.RootCause,
	})
}
