package jira

// Issue is an issue as Jira has it. Texts are plain text, also where Jira keeps a document.
type Issue struct {
	Key string
	// JiraID is Jira's own id, which survives a move to another project.
	JiraID      string
	Project     string
	IssueType   string
	Summary     string
	Description *string
	Status      string
	// Sprint is the name of the active or future sprint it is in; nil: the backlog. Closed sprints do not count.
	Sprint *string
	// Parent is the issue above it: that of a sub-task and, on Cloud, also the epic.
	Parent *string
	// Fields are those asked for, by id, but for the ones above and the links. A value is what encoding/json decodes
	// with UseNumber. Sprints are objects with id, name and state in both dialects.
	Fields map[string]any
	Links  []Link
}

// Direction says which end of a link an issue is.
type Direction string

const (
	// Outward says that the issue is the source ("A blocks B", seen from A).
	Outward Direction = "OUTWARD"
	// Inward says that the issue is the target.
	Inward Direction = "INWARD"
)

// Link is one link of an issue, as that issue shows it.
type Link struct {
	// ID serves to delete it.
	ID        string
	Type      string
	Direction Direction
	// Key is the issue at the other end.
	Key string
	// OutwardName and InwardName are Jira's words for the two directions.
	OutwardName string
	InwardName  string
}

// User is an account. Server knows it by name and key, Cloud by account id.
type User struct {
	Name        string `json:"name"`
	Key         string `json:"key"`
	AccountID   string `json:"accountId"`
	DisplayName string `json:"displayName"`
}

// Same tells whether both are one account.
func (u User) Same(other User) bool {
	switch {
	case u.AccountID != "" || other.AccountID != "":
		return u.AccountID == other.AccountID
	case u.Key != "" && other.Key != "":
		return u.Key == other.Key
	default:
		return u.Name != "" && u.Name == other.Name
	}
}
