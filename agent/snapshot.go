package agent

import (
	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// snapshotOf gives the issue as the hub takes it; false where its key is none by the hub's rules.
func snapshotOf(issue jira.Issue) (client.IssueSnapshot, bool) {
	if !proper(issue.Key) {
		return client.IssueSnapshot{}, false
	}

	snapshot := client.IssueSnapshot{
		Key: issue.Key, Project: issue.Project, IssueType: issue.IssueType, Summary: issue.Summary,
		Description: issue.Description, Status: issue.Status, Sprint: issue.Sprint,
		Fields: client.FieldValues{}, Links: []client.IssueLinkInput{},
	}

	if issue.JiraID != "" {
		snapshot.Id = &issue.JiraID
	}

	if issue.Parent != nil && proper(*issue.Parent) {
		snapshot.Parent = issue.Parent
	}

	for id, value := range issue.Fields {
		// It changes by being looked at, and is this account's own.
		if id != "lastViewed" {
			snapshot.Fields[id] = value
		}
	}

	for _, link := range issue.Links {
		if proper(link.Key) {
			snapshot.Links = append(snapshot.Links, client.IssueLinkInput{
				Type: link.Type, Direction: client.LinkDirection(link.Direction), Key: link.Key,
				OutwardName: &link.OutwardName, InwardName: &link.InwardName,
			})
		}
	}

	return snapshot, true
}

func proper(key string) bool {
	parsed, ok := queue.ParseKey(key)

	return ok && !parsed.Temp()
}

// mirrored gives the issue as the hub's mirror will have it, to be compared as the hub compares.
func mirrored(issue jira.Issue) *queue.Issue {
	row := &queue.Issue{
		Key: queue.Key(issue.Key), Summary: issue.Summary, Description: issue.Description, Status: issue.Status,
		Sprint: issue.Sprint, Fields: queue.Fields(issue.Fields),
	}

	if issue.Parent != nil {
		parent := queue.Key(*issue.Parent)
		row.Parent = &parent
	}

	return row
}
