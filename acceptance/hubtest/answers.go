package hubtest

import "time"

// Ref is a command of which only the id was asked.
type Ref struct {
	ID string `json:"id"`
}

// Params are a command's, of whatever kind; those of other kinds are empty.
type Params struct {
	Typename    string         `json:"__typename"`
	TempKey     string         `json:"tempKey"`
	Project     string         `json:"project"`
	IssueType   string         `json:"issueType"`
	Summary     string         `json:"summary"`
	Description *string        `json:"description"`
	Parent      *string        `json:"parent"`
	Epic        *string        `json:"epic"`
	Fields      map[string]any `json:"fields"`
	Key         string         `json:"key"`
	Path        []string       `json:"path"`
	Source      string         `json:"source"`
	Target      string         `json:"target"`
	Type        string         `json:"type"`
	Exclusive   bool           `json:"exclusive"`
	Sprint      *string        `json:"sprint"`
	Body        string         `json:"body"`
	Keys        []string       `json:"keys"`
	JQL         *string        `json:"jql"`
}

// Progress is how far a refresh has come.
type Progress struct {
	Done  int  `json:"done"`
	Total *int `json:"total"`
}

// Command is one command; what hangs on it is there only from Site.Command.
type Command struct {
	ID         string     `json:"id"`
	Position   int        `json:"position"`
	Kind       string     `json:"kind"`
	Status     string     `json:"status"`
	Error      *string    `json:"error"`
	ResultKey  *string    `json:"resultKey"`
	Deliveries int        `json:"deliveries"`
	Progress   *Progress  `json:"progress"`
	CreatedAt  time.Time  `json:"createdAt"`
	ClaimedAt  *time.Time `json:"claimedAt"`
	FinishedAt *time.Time `json:"finishedAt"`
	Params     Params     `json:"params"`

	Batch      Ref   `json:"batch"`
	DependsOn  []Ref `json:"dependsOn"`
	Dependents struct {
		Nodes      []Ref `json:"nodes"`
		TotalCount *int  `json:"totalCount"`
	} `json:"dependents"`
	RootCause *Ref     `json:"rootCause"`
	RetryOf   *Ref     `json:"retryOf"`
	Retries   []Ref    `json:"retries"`
	History   []Change `json:"history"`
}

// Change is one change of a command.
type Change struct {
	Cursor  string    `json:"cursor"`
	At      time.Time `json:"at"`
	From    *string   `json:"from"`
	To      string    `json:"to"`
	Cause   string    `json:"cause"`
	Actor   *string   `json:"actor"`
	Command Command   `json:"command"`
}

// PageInfo is where a page ends.
type PageInfo struct {
	HasNextPage bool    `json:"hasNextPage"`
	EndCursor   *string `json:"endCursor"`
}

// Page is one page of a list.
type Page[T any] struct {
	Nodes      []T      `json:"nodes"`
	PageInfo   PageInfo `json:"pageInfo"`
	TotalCount *int     `json:"totalCount"`
}

// Counts are how many commands have each status.
type Counts struct {
	Queued           int `json:"queued"`
	Claimed          int `json:"claimed"`
	Done             int `json:"done"`
	Failed           int `json:"failed"`
	Cancelled        int `json:"cancelled"`
	Skipped          int `json:"skipped"`
	ConfirmedByState int `json:"confirmedByState"`
	Total            int `json:"total"`
}

// Batch is a batch with a page of its commands, by position.
type Batch struct {
	ID         string        `json:"id"`
	Title      *string       `json:"title"`
	Author     string        `json:"author"`
	CreatedAt  time.Time     `json:"createdAt"`
	FinishedAt *time.Time    `json:"finishedAt"`
	Status     string        `json:"status"`
	Held       bool          `json:"held"`
	Counts     Counts        `json:"counts"`
	Commands   Page[Command] `json:"commands"`
}

// CommandID is the id of the batch's command at a position.
func (b Batch) CommandID(position int) string { return b.Commands.Nodes[position].ID }

// BatchPayload answers createBatch and retryCommands.
type BatchPayload struct {
	Batch Batch `json:"batch"`
}

// Cancelled answers a cancel.
type Cancelled struct {
	CancelledCount int   `json:"cancelledCount"`
	SkippedCount   int   `json:"skippedCount"`
	Cancelled      []Ref `json:"cancelled"`
	Skipped        []Ref `json:"skipped"`
	StillClaimed   []Ref `json:"stillClaimed"`
	AlreadyEnded   []Ref `json:"alreadyEnded"`
}

// Claim is a command handed out.
type Claim struct {
	Command      Command `json:"command"`
	Params       Params  `json:"params"`
	PauseSeconds int     `json:"pauseSeconds"`
	Delivery     int     `json:"delivery"`
	DedupeKey    string  `json:"dedupeKey"`
}

// ClaimPayload answers a claim.
type ClaimPayload struct {
	Claim      *Claim  `json:"claim"`
	IdleReason *string `json:"idleReason"`
}

// Reported answers a report.
type Reported struct {
	Command  Command `json:"command"`
	Accepted bool    `json:"accepted"`
}

// Pushed answers a push.
type Pushed struct {
	Confirmed []Ref `json:"confirmed"`
	Stored    int   `json:"stored"`
}
