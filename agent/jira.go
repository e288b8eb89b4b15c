package agent

import (
	"context"
	"iter"

	"github.com/sdlc-hub/sdlc-hub/jira"
)

// Jira is what the agent asks of its Jira. *jira.Client is one; an error of it that is an *jira.Error says what a
// second try would mean, any other is final.
type Jira interface {
	reader
	writer
}

type reader interface {
	Server() jira.Server
	Myself(ctx context.Context) (jira.User, error)
	Fields(ctx context.Context) (*jira.Fields, error)
	LinkTypes(ctx context.Context) ([]jira.LinkType, error)
	Projects(ctx context.Context) ([]jira.Project, error)
	IssueTypes(ctx context.Context, project string) ([]jira.IssueType, error)
	Boards(ctx context.Context, project string) ([]jira.Board, error)
	Sprints(ctx context.Context, board jira.Board, states ...string) ([]jira.Sprint, error)

	Issue(ctx context.Context, key string, fields ...string) (jira.Issue, error)
	Issues(ctx context.Context, keys []string, fields ...string) (found []jira.Issue, missing []string, err error)
	Search(ctx context.Context, jql string, pageSize int, fields ...string) iter.Seq2[jira.Page, error]
	Property(ctx context.Context, key, name string) (any, bool, error)
	CreateScreen(ctx context.Context, project, issueType string) (map[string]jira.ScreenField, error)
	Transitions(ctx context.Context, key string) ([]jira.Transition, error)
	Comments(ctx context.Context, key string) ([]jira.Comment, error)
}

type writer interface {
	CreateIssue(ctx context.Context, issue jira.NewIssue) (jira.Created, error)
	EditIssue(ctx context.Context, key string, fields map[string]any) error
	DoTransition(ctx context.Context, key, id string, fields map[string]any) error
	Link(ctx context.Context, linkType, source, target string) error
	DeleteLink(ctx context.Context, id string) error
	MoveToSprint(ctx context.Context, sprint int64, keys ...string) error
	MoveToBacklog(ctx context.Context, keys ...string) error
	AddComment(ctx context.Context, key, body string) (jira.Comment, error)
}

var _ Jira = (*jira.Client)(nil)
