package queue

import "time"

// Issue is a row of the mirror: an issue as Jira had it when it was last seen.
type Issue struct {
	Key Key
	// JiraID is Jira's own id, which survives a move to another project; "" while unknown.
	JiraID      string
	Project     string
	IssueType   string
	Summary     string
	Description *string
	Status      string
	Sprint      *string
	Parent      *Key
	// Fields are those that were ever read, by id.
	Fields Fields
	Links  []Link
	// LinksVersion is the site's version when its links were last read; 0 where they never were.
	LinksVersion int64
	RefreshedAt  time.Time
	// Missing is true where the last refresh that asked for it did not find it.
	Missing bool
}

// Link is one link of an issue, as that issue shows it.
type Link struct {
	Type      string    `json:"type"`
	Direction Direction `json:"direction"`
	Key       Key       `json:"key"`
	// OutwardName and InwardName are Jira's words for the two directions; nil where unknown.
	OutwardName *string `json:"outwardName,omitempty"`
	InwardName  *string `json:"inwardName,omitempty"`
}

// Snapshot is an issue as the agent read it.
type Snapshot struct {
	Key         Key
	JiraID      string
	Project     string
	IssueType   string
	Summary     string
	Description *string
	Status      string
	Sprint      *string
	Parent      *Key
	// Fields that were read; nil: none was.
	Fields Fields
	// Links that were read where LinksRead.
	Links     []Link
	LinksRead bool
}

// Note is what people wrote beside an issue or a temporary key.
type Note struct {
	Key       Key       `json:"key"`
	Text      string    `json:"text"`
	Author    string    `json:"author"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Jira is what the agent told of its Jira.
type Jira struct {
	BaseURL    string         `json:"baseUrl"`
	Deployment string         `json:"deployment"`
	Version    string         `json:"version"`
	Fields     []JiraField    `json:"fields"`
	LinkTypes  []JiraLinkType `json:"linkTypes"`
	Projects   []JiraProject  `json:"projects"`
	Statuses   []string       `json:"statuses"`
	Sprints    []JiraSprint   `json:"sprints"`
	ToldAt     time.Time      `json:"toldAt"`
}

// JiraField is one field of Jira.
type JiraField struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Schema *string `json:"schema,omitempty"`
}

// JiraLinkType is one type of link with its two words.
type JiraLinkType struct {
	Name    string `json:"name"`
	Outward string `json:"outward"`
	Inward  string `json:"inward"`
}

// JiraProject is one project with its issue types.
type JiraProject struct {
	Key        string   `json:"key"`
	Name       string   `json:"name"`
	IssueTypes []string `json:"issueTypes"`
}

// JiraSprint is one sprint.
type JiraSprint struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	State string  `json:"state"`
	Board *string `json:"board,omitempty"`
}
