package db

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// issueRow is a row of issues; key_project and key_number are of its key and only for sorting.
type issueRow struct {
	bun.BaseModel `bun:"table:issues,alias:i"`

	SiteID       int64           `bun:"site_id,pk"`
	Key          string          `bun:"key,pk"`
	JiraID       *string         `bun:"jira_id"`
	Project      string          `bun:"project"`
	IssueType    string          `bun:"issue_type"`
	Summary      string          `bun:"summary"`
	Description  *string         `bun:"description"`
	Status       string          `bun:"status"`
	Sprint       *string         `bun:"sprint"`
	Parent       *string         `bun:"parent"`
	Fields       json.RawMessage `bun:"fields"`
	Links        json.RawMessage `bun:"links"`
	LinksVersion int64           `bun:"links_version"`
	RefreshedAt  time.Time       `bun:"refreshed_at"`
	Missing      bool            `bun:"missing"`
}

func (r *issueRow) issue() (*queue.Issue, error) {
	fields, err := decodeFields(r.Fields)
	if err != nil {
		return nil, fmt.Errorf("fields of issue %s: %w", r.Key, err)
	}

	links, err := decodeLinks(r.Links)
	if err != nil {
		return nil, fmt.Errorf("links of issue %s: %w", r.Key, err)
	}

	return &queue.Issue{
		Key:          queue.Key(r.Key),
		JiraID:       orZero(r.JiraID),
		Project:      r.Project,
		IssueType:    r.IssueType,
		Summary:      r.Summary,
		Description:  r.Description,
		Status:       r.Status,
		Sprint:       r.Sprint,
		Parent:       keyOrNil(r.Parent),
		Fields:       fields,
		Links:        links,
		LinksVersion: r.LinksVersion,
		RefreshedAt:  r.RefreshedAt.UTC(),
		Missing:      r.Missing,
	}, nil
}

// decodeFields reads issues.fields, numbers in their spelling; never nil.
func decodeFields(raw []byte) (queue.Fields, error) {
	var fields queue.Fields
	if err := decodeJSON(raw, &fields); err != nil {
		return nil, err
	}

	return orNone(fields), nil
}

// decodeLinks reads issues.links; never nil.
func decodeLinks(raw []byte) ([]queue.Link, error) {
	var links []queue.Link
	if err := decodeJSON(raw, &links); err != nil {
		return nil, err
	}

	return orEmpty(links), nil
}
