package queue

import "context"

// Store keeps the sites. It is what the verbs need of a database.
type Store interface {
	// Change runs one change of a site in one transaction, with the site locked: changes of one site never
	// interleave, those of different sites never wait for each other. change loads its views through tx and ends
	// with at most one Apply; without one, or with an error, nothing is changed. Where the database is away the
	// error is Unavailable.
	Change(ctx context.Context, site SiteID, change func(tx Tx) error) error
}

// Tx is one change of a locked site. Views do not see what Apply will write.
type Tx interface {
	// Site gives the site alone.
	Site(ctx context.Context) (*Site, error)
	// Claim gives what a claim decides on.
	Claim(ctx context.Context) (*ClaimView, error)
	// Ready adds the first queued command that waits for nothing to a view that has one in hand instead.
	Ready(ctx context.Context, view *ClaimView) error
	// Create gives ids for a new batch of that many commands, larger than all the site has, and the batch that this
	// author made with clientKey (not asked for where that is "").
	Create(ctx context.Context, author, clientKey string, commands int) (*CreateView, error)
	// Commands gives commands by id, without their parameters, with their batches.
	Commands(ctx context.Context, ids []CommandID) (*CommandsView, error)
	// Batch gives a batch with all its commands in order; with their parameters where params is set.
	Batch(ctx context.Context, id BatchID, params bool) (*BatchView, error)
	// Waiting gives the queued commands that wait for these creations, and where deep is set also those that wait
	// for creations among them, and so on, with all that each of them needs.
	Waiting(ctx context.Context, creations []CommandID, deep bool) (*WaitingView, error)
	// Chains gives what became of these retry chains.
	Chains(ctx context.Context, chains []CommandID) (map[CommandID]ChainView, error)
	// Mirror gives what a push of these keys and Jira ids may touch, and the command in hand. For a refresh it also
	// gives which of the keys its present delivery has counted.
	Mirror(ctx context.Context, keys []Key, jiraIDs []string, refresh CommandID) (*MirrorView, error)
	// Issues gives rows of the mirror under their present keys, and those for keys that were moved.
	Issues(ctx context.Context, keys []Key) (*IssuesView, error)
	// Notes gives the notes of these keys (moved ones under their present key) and what became of temporary ones.
	Notes(ctx context.Context, keys []Key) (*NotesView, error)
	// Jira gives what the agent told of its Jira; nil before it did.
	Jira(ctx context.Context) (*Jira, error)
	// Agent gives what is known of an agent; nil where nothing is.
	Agent(ctx context.Context, name, instance string) (*Agent, error)
	// Apply writes the changes and commits. Each transition is guarded by the status it leaves.
	Apply(ctx context.Context, changes *Changes) error
}

// ClaimView is what a claim decides on.
type ClaimView struct {
	Site
	// InHand is the claimed command, and where there is none Ready the first queued one that waits for nothing; nil for
	// none.
	InHand, Ready *Command
	// Batches of the two, with their counts alone.
	Batches map[BatchID]*Batch
	// Real are the real keys behind the temporary ones that the two name.
	Real map[CommandID]map[Key]Key
}

// CreateView is what the creation of a batch decides on.
type CreateView struct {
	Site
	Batch    BatchID
	Commands []CommandID
	// Before is the batch that the client key made earlier, 0 for none, and Content the fingerprint it had.
	Before  BatchID
	Content []byte
}

// CommandsView is a set of commands.
type CommandsView struct {
	Site
	// Commands by id, without parameters; unknown ids are not there.
	Commands map[CommandID]*Command
	// Batches with their counts alone.
	Batches map[BatchID]*Batch
}

// BatchView is one batch with all its commands by position.
type BatchView struct {
	Site
	// Batch is nil where the site has none of that id.
	Batch    *Batch
	Commands []*Command
	Needs    []Need
}

// WaitingView is who waits for a set of creations.
type WaitingView struct {
	// Commands that wait, by id, without parameters.
	Commands map[CommandID]*Command
	// Needs of theirs that lead to the creations asked for or to creations among them, by creation and command.
	Needs []Need
}

// ChainView is what became of one retry chain.
type ChainView struct {
	// Newest is the last command of the chain.
	Newest CommandID
	// Real is the key of the issue that any command of the chain made; "" for none.
	Real Key
}

// IssuesView is a set of issues of the mirror.
type IssuesView struct {
	Issues map[Key]*Issue
	// Present maps each of the keys asked for that was moved away to the key its issue has now.
	Present map[Key]Key
}

// MirrorView is what a push decides on.
type MirrorView struct {
	Site
	IssuesView
	// ByJiraID are the present keys of the issues with the ids asked for; IssuesView has their rows too.
	ByJiraID map[string]Key
	// InHand is the claimed command with its parameters, real keys put in; nil for none.
	InHand *Command
	// Refresh is the command the push names; nil where the site has no such command. It is InHand itself where that
	// is the one.
	Refresh *Command
	// Batches of the two, with their counts alone.
	Batches map[BatchID]*Batch
	// Counted are the keys that the refresh's present delivery has counted.
	Counted map[Key]bool
}

// NotesView is a set of notes.
type NotesView struct {
	Site
	// Notes by present key.
	Notes map[Key]*Note
	// Present maps keys that were moved away to the present ones.
	Present map[Key]Key
	// Real maps a temporary key to the newest real key made under it, where no open creation bears it.
	Real map[Key]Key
}

// Changes are what a verb decided, for Apply to write. What is empty is left as it is.
type Changes struct {
	// Site is written always: every change takes the next version.
	Site SiteState
	// Pace is written where it changed.
	Pace *Pace
	Jira *Jira
	// New is a batch that comes in.
	New *NewBatch
	// Commands whose state changed.
	Commands []CommandUpdate
	// Batches whose counts changed; Restated are those whose status changed with them, Held the one whose hold did.
	Batches  []*Batch
	Restated []*Batch
	Held     *Batch
	// Moved issues take their new key, one after the other and before anything else of the mirror is written.
	Moved []Move
	// Issues as the mirror shall have them, those with a change; of the Seen only RefreshedAt and LinksVersion are new.
	Issues []*Issue
	Seen   []*Issue
	// Notes as they shall be; RemovedNotes are the keys whose note goes.
	Notes        []*Note
	RemovedNotes []Key
	// Counted are keys that Refresh's present delivery counts from now on.
	Counted []Key
	Refresh *Command
	// Agent was seen. Where Told is set its problem replaces the one known, else that stays.
	Agent  *Agent
	Told   bool
	Events []Event
}

// NewBatch is a batch with its commands, all new.
type NewBatch struct {
	Batch     *Batch
	ClientKey *string
	// Content is the fingerprint of what the client key was used for.
	Content  []byte
	Commands []*Command
	Needs    []Need
}

// CommandUpdate is a command whose state changed, and the status it had.
type CommandUpdate struct {
	Was     Status
	Command *Command
}

// Move is an issue that changed its key, and with it what leads to that key. Without From, To leads nowhere any more.
type Move struct{ From, To Key }

// Waker wakes those who wait for a site to change. It only wakes: what is lost is time, never a change.
type Waker interface {
	// Woken gives a channel that is closed at the next change of the site.
	Woken(site SiteID) <-chan struct{}
}
