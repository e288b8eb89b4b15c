package queue

import "time"

// MaxDeliveries is how often one command is handed out before the hub gives up on its report.
const MaxDeliveries = 3

// Site is what every verb sees of the locked site.
type Site struct {
	ID SiteID
	// Now is the database's clock, read under the lock, in whole microseconds.
	Now  time.Time
	Pace Pace
	SiteState
}

// SiteState is what moves with every change of a site.
type SiteState struct {
	// Version numbers the changes of the site; each one takes the next.
	Version int64
	// Head is the number of the newest event of the log.
	Head   int64
	Counts Counts
	Totals Totals
	// InHand is the claimed command, of which there is at most one; 0 for none.
	InHand CommandID
	// ReadyFrom bounds the search for the next command from below: no queued command that waits for nothing has a
	// smaller id. It spares a claim the index entries of all that was worked off.
	ReadyFrom CommandID
	// FailuresInRow counts commands reported failed since the last success or resume.
	FailuresInRow int
	Seat          Seat
	// ClaimNumber is the number that the newest claim call took.
	ClaimNumber int64
}

// Totals are how many of each the site has.
type Totals struct{ Batches, Issues, Notes int }

// Seat is the place of the one agent that works for a site.
type Seat struct {
	// Instance names the running agent that holds the seat, "" while nobody does.
	Instance string
	// SeenAt is its last call.
	SeenAt time.Time
	// PauseSeconds is the pause that came with the command in hand; the seat is kept that much longer.
	PauseSeconds int
	// ClaimNumber is the number of its newest claim call; only that one may be answered with a command.
	ClaimNumber int64
	// NotedAt is when the list of agents last learnt of it.
	NotedAt time.Time
}

// Agent is what the hub knows of one running agent.
type Agent struct {
	// Name is that of its token.
	Name string
	// Instance is "" where it did not name itself.
	Instance   string
	Version    *string
	LastSeenAt time.Time
	Online     bool
	Problem    *string
	// ClaimNumber is the number of its newest claim call made without holding the seat.
	ClaimNumber int64
}

// heldAt tells whether somebody holds the seat at that moment.
func (s *SiteState) seatHeld(now time.Time, keep time.Duration) bool {
	if s.Seat.Instance == "" {
		return false
	}

	if s.InHand != 0 {
		keep += time.Duration(s.Seat.PauseSeconds) * time.Second
	}

	return now.Before(s.Seat.SeenAt.Add(keep))
}
