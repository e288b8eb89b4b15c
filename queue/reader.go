package queue

import "context"

// Reader serves what people look at. It never locks a site. A page's After is a list's own End; one that is no
// such thing is Unprocessable.
type Reader interface {
	// Queue gives counts, pace and the log's position, all of one moment.
	Queue(ctx context.Context, site SiteID) (*Overview, error)
	// Agents lists those seen in the last week, the last seen first.
	Agents(ctx context.Context, site SiteID) ([]*Agent, error)
	// Jira gives what the agent told of its Jira; nil before it did.
	Jira(ctx context.Context, site SiteID) (*Jira, error)

	// CommandList lists commands, newest first; those of one batch (BatchCommands) by position.
	CommandList(ctx context.Context, site SiteID, filter CommandFilter, page Page) (*List[*Command], error)
	BatchCommands(ctx context.Context, site SiteID, batch BatchID, filter CommandFilter, page Page) (*List[*Command], error)
	// CommandsByID, and the others of that form, answer for many at once; what does not exist is not there.
	CommandsByID(ctx context.Context, site SiteID, ids []CommandID) (map[CommandID]*Command, error)
	// DependsOn gives the creations whose temporary keys the commands name, by id.
	DependsOn(ctx context.Context, site SiteID, ids []CommandID) (map[CommandID][]*Command, error)
	// Dependents lists the commands that name a creation's temporary key, by id.
	Dependents(ctx context.Context, site SiteID, creation CommandID, page Page) (*List[*Command], error)
	// Retries gives the commands that repeat these, by id.
	Retries(ctx context.Context, site SiteID, ids []CommandID) (map[CommandID][]*Command, error)
	// History gives the events of a command, oldest first, as far back as the log is kept.
	History(ctx context.Context, site SiteID, ids []CommandID) (map[CommandID][]*Event, error)

	// BatchList lists batches, newest first.
	BatchList(ctx context.Context, site SiteID, filter BatchFilter, page Page) (*List[*Batch], error)
	BatchesByID(ctx context.Context, site SiteID, ids []BatchID) (map[BatchID]*Batch, error)

	// IssueList lists the mirror by project and number.
	IssueList(ctx context.Context, site SiteID, filter IssueFilter, page Page) (*List[*Issue], error)
	// IssuesByKey finds issues under their present and their old keys, by the key asked for.
	IssuesByKey(ctx context.Context, site SiteID, keys []Key) (map[Key]*Issue, error)
	// PresentKeys gives, for those of the keys that their issues do not have any more, the ones they have now.
	PresentKeys(ctx context.Context, site SiteID, keys []Key) (map[Key]Key, error)
	// NoteList lists notes, newest first.
	NoteList(ctx context.Context, site SiteID, page Page) (*List[*Note], error)
	// NotesByKey finds notes under present and old keys, by the key asked for.
	NotesByKey(ctx context.Context, site SiteID, keys []Key) (map[Key]*Note, error)

	// Log gives events after (or, newest first, before) a position. A position that the log does not hold any more,
	// or never held, is CursorExpired.
	Log(ctx context.Context, site SiteID, query LogQuery) (*LogPage, error)
	// Head is the log's newest position.
	Head(ctx context.Context, site SiteID) (Cursor, error)
}

// Page says which part of a list is wanted.
type Page struct {
	// First is how many, 1 to 1,000.
	First int
	// After is the End of the page before; "" for the first.
	After string
}

// List is one page of a list.
type List[T any] struct {
	Nodes   []T
	HasNext bool
	// End is the position of the last node, "" on an empty page.
	End string
	// Total is nil where it would have to be counted row by row.
	Total *int
}

// Overview is a site's queue at one moment.
type Overview struct {
	Counts Counts
	Pace   Pace
	Cursor Cursor
}

// CommandFilter narrows a list of commands; what is zero does not.
type CommandFilter struct {
	Batch    BatchID
	Statuses []Status
	Kinds    []Kind
	// Key finds commands about an issue, also under its old keys, or about a temporary key.
	Key Key
	// Search is looked for in keys, texts and errors, without regard to case.
	Search string
}

// BatchFilter narrows a list of batches; what is zero does not.
type BatchFilter struct {
	Statuses []BatchStatus
	Author   string
	// Search is looked for in the title, without regard to case.
	Search string
}

// IssueFilter narrows the mirror; what is zero does not.
type IssueFilter struct {
	// Keys, where not nil, are the only ones wanted; old keys find the issue under its present one.
	Keys     []Key
	Project  string
	Statuses []string
	Sprint   string
	// Backlog wants only issues in no sprint.
	Backlog bool
	// Search is looked for in key, summary and description, without regard to case.
	Search string
	// HasNote, where not nil, wants only issues with or without a note.
	HasNote *bool
}

// LogQuery says which events are wanted.
type LogQuery struct {
	// After is where to begin; nil: at the log's beginning, or newest first at its end.
	After       *Cursor
	First       int
	NewestFirst bool
	// Kinds wanted; nil: those that people see (not EventBatch, not EventAgent). Nothing is of none of them.
	Kinds []EventKind
	// Actor wanted; "": any.
	Actor string
	// Batch, Command, Statuses and Keys narrow it further; what is zero does not.
	Batch    BatchID
	Command  CommandID
	Statuses []Status
	Keys     []Key
	// WithNames asks for LogPage.Names.
	WithNames bool
}

// LogPage is a stretch of the log.
type LogPage struct {
	Events []*Event
	// HasNext tells whether events beyond End may match.
	HasNext bool
	// End is the position to go on from: that of the last event looked at, matching or not.
	End Cursor
	// Begin is the oldest position that the log still holds.
	Begin Cursor
	// Names gives, for each key of the events whose issue has or had others, all of them; only where asked for.
	Names map[Key][]Key
}
