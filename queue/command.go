package queue

import "time"

// Command is one command: what was asked, which never changes, and its State, which does.
type Command struct {
	ID       CommandID
	Batch    BatchID
	Position int
	Kind     Kind
	// Params as submitted, in the keys' one spelling. Nil in views of many commands, which decide without them.
	Params Params
	// TempKey is an EnsureIssue's own temporary key, "" for other kinds.
	TempKey Key
	// DedupeKey is a random UUID, the same all along a retry chain.
	DedupeKey string
	CreatedAt time.Time
	// Chain is the first command of the retry chain; its own id where it is none.
	Chain CommandID
	// RetryOf is the command that this one repeats; 0 for none.
	RetryOf CommandID

	State
}

// State is what changes in a command's life.
type State struct {
	Status Status
	// Waiting counts what a queued command waits for: creations not yet done, and its batch's hold.
	Waiting    int
	Error      *string
	ResultKey  *Key
	Deliveries int
	Progress   *Progress
	ClaimedAt  *time.Time
	FinishedAt *time.Time
	// RootCause is, for a skipped command, the one whose failure or cancellation began the cascade; else 0.
	RootCause CommandID
}

// Progress says how far a refresh has come in its present delivery, in distinct keys.
type Progress struct {
	Done int
	// Total is nil while unknown.
	Total *int
	// ToldAt is when an event last showed it.
	ToldAt time.Time
}

// Counts are how many commands stand in each status.
type Counts struct {
	Queued, Claimed, Done, Failed, Cancelled, Skipped, Confirmed int
}

// Total is how many commands there are.
func (c *Counts) Total() int {
	return c.Queued + c.Claimed + c.Done + c.Failed + c.Cancelled + c.Skipped + c.Confirmed
}

// Open is how many commands have not ended.
func (c *Counts) Open() int { return c.Queued + c.Claimed }

// Of gives the counter of a status, to read or to change.
func (c *Counts) Of(status Status) *int {
	switch status {
	case Queued:
		return &c.Queued
	case Claimed:
		return &c.Claimed
	case Done:
		return &c.Done
	case Failed:
		return &c.Failed
	case Cancelled:
		return &c.Cancelled
	case Skipped:
		return &c.Skipped
	case Confirmed:
		return &c.Confirmed
	}

	panic("queue: no such status: " + string(status))
}

// Batch is a set of commands that came in at once, all or none.
type Batch struct {
	ID        BatchID
	Title     *string
	Author    string
	CreatedAt time.Time
	// FinishedAt is when its last command ended; nil before.
	FinishedAt *time.Time
	Held       bool
	Counts     Counts
	// Version numbers the counts: the site's version at their last change.
	Version int64
}

// Status follows from the counts.
func (b *Batch) Status() BatchStatus {
	switch {
	case b.Counts.Open() == 0:
		return Finished
	case b.Counts.Queued == b.Counts.Total():
		return Pending
	default:
		return Running
	}
}

// Need is one edge of who waits for whom: a command names the temporary key of a creation of its batch.
type Need struct {
	Command  CommandID
	Creation CommandID
	TempKey  Key
}
