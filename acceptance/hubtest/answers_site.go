package hubtest

import "time"

// WorkingHours are when commands are handed out.
type WorkingHours struct {
	TimeZone string `json:"timeZone"`
	Days     []int  `json:"days"`
	From     string `json:"from"`
	To       string `json:"to"`
}

// Pace is how fast and when the agent may work.
type Pace struct {
	MinPauseSeconds    int           `json:"minPauseSeconds"`
	MaxPauseSeconds    int           `json:"maxPauseSeconds"`
	Paused             bool          `json:"paused"`
	PausedBy           *string       `json:"pausedBy"`
	PausedReason       *string       `json:"pausedReason"`
	PausedAt           *time.Time    `json:"pausedAt"`
	PauseAfterFailures *int          `json:"pauseAfterFailures"`
	WorkingHours       *WorkingHours `json:"workingHours"`
}

// Agent is an agent as the queue shows it.
type Agent struct {
	Name       string    `json:"name"`
	Instance   *string   `json:"instance"`
	Version    *string   `json:"version"`
	LastSeenAt time.Time `json:"lastSeenAt"`
	Online     bool      `json:"online"`
	Problem    *string   `json:"problem"`
}

// Queue is a site's queue.
type Queue struct {
	Cursor string  `json:"cursor"`
	Counts Counts  `json:"counts"`
	Pace   Pace    `json:"pace"`
	Agents []Agent `json:"agents"`
}

// Note is a person's note on an issue. UpdatedAt is text, so that it can be
// sent back to the letter.
type Note struct {
	Key       string `json:"key"`
	Text      string `json:"text"`
	Author    string `json:"author"`
	UpdatedAt string `json:"updatedAt"`
}

// Link is one of an issue's links.
type Link struct {
	Type        string  `json:"type"`
	Direction   string  `json:"direction"`
	Key         string  `json:"key"`
	OutwardName *string `json:"outwardName"`
	InwardName  *string `json:"inwardName"`
}

// Issue is an issue as the mirror has it.
type Issue struct {
	Key         string         `json:"key"`
	Project     string         `json:"project"`
	IssueType   string         `json:"issueType"`
	Summary     string         `json:"summary"`
	Description *string        `json:"description"`
	Status      string         `json:"status"`
	Sprint      *string        `json:"sprint"`
	Parent      *string        `json:"parent"`
	Fields      map[string]any `json:"fields"`
	Links       []Link         `json:"links"`
	RefreshedAt time.Time      `json:"refreshedAt"`
	Missing     bool           `json:"missing"`
	Note        *Note          `json:"note"`
	Commands    struct {
		Nodes []Ref `json:"nodes"`
	} `json:"commands"`
}

// Preview answers previewBatch.
type Preview struct {
	Problems []Problem `json:"problems"`
	Steps    []Step    `json:"steps"`
}

// Step is what a command would do.
type Step struct {
	Position int    `json:"position"`
	Kind     string `json:"kind"`
	Effect   string `json:"effect"`
	Diffs    []Diff `json:"diffs"`
	WaitsFor []int  `json:"waitsFor"`
}

// Diff is one field that would change.
type Diff struct {
	Field   string `json:"field"`
	Current any    `json:"current"`
	Desired any    `json:"desired"`
}

// NoteChange is one change of a note.
type NoteChange struct {
	Cursor    string  `json:"cursor"`
	Key       string  `json:"key"`
	MovedFrom *string `json:"movedFrom"`
	Note      *Note   `json:"note"`
}

// IssueChange is one change of the mirror.
type IssueChange struct {
	Cursor string `json:"cursor"`
	Issue  Issue  `json:"issue"`
}

// BatchChange is a batch as it became.
type BatchChange struct {
	Cursor string `json:"cursor"`
	Batch  Batch  `json:"batch"`
}

// QueueChange is the queue as it became.
type QueueChange struct {
	Cursor string `json:"cursor"`
	Queue  Queue  `json:"queue"`
}

// Event is an event of any kind; Typename says of which, and the fields of the
// others are empty.
type Event struct {
	Typename    string  `json:"__typename"`
	From        *string `json:"from"`
	To          string  `json:"to"`
	Cause       string  `json:"cause"`
	Actor       *string `json:"actor"`
	Command     Command `json:"command"`
	Key         string  `json:"key"`
	MovedFrom   *string `json:"movedFrom"`
	Note        *Note   `json:"note"`
	Issue       Issue   `json:"issue"`
	Pace        *Pace   `json:"pace"`
	PaceActor   string  `json:"paceActor"`
	Cursor      string  `json:"cursor"`
	NoteCursor  string  `json:"noteCursor"`
	IssueCursor string  `json:"issueCursor"`
	PaceCursor  string  `json:"paceCursor"`
}

// Position is the event's own, whatever its kind.
func (e Event) Position() string {
	return e.Cursor + e.NoteCursor + e.IssueCursor + e.PaceCursor
}

// LogPage is a page of the event log.
type LogPage struct {
	Nodes    []Event `json:"nodes"`
	PageInfo struct {
		HasNextPage bool   `json:"hasNextPage"`
		EndCursor   string `json:"endCursor"`
	} `json:"pageInfo"`
}
