package resolvers

import (
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func reportOf(input graph.ReportInput) (queue.Report, error) {
	id, err := queue.ParseCommandID(input.Command)
	if err != nil {
		return queue.Report{}, err
	}

	report := queue.Report{
		Command: id, Outcome: input.Outcome, Key: input.Key,
		Issues: snapshots(input.Issues), Missing: input.Missing, Instance: orEmpty(input.Instance),
	}

	if input.Error != nil {
		report.Error = &queue.ReportError{HTTPStatus: input.Error.HTTPStatus, Message: input.Error.Message}
	}

	return report, nil
}

func snapshots(input []*graph.IssueSnapshot) []queue.Snapshot {
	taken := make([]queue.Snapshot, len(input))
	for i, issue := range input {
		taken[i] = snapshot(issue)
	}

	return taken
}

// snapshot keeps apart what was read and is empty, and what was not read.
func snapshot(input *graph.IssueSnapshot) queue.Snapshot {
	taken := queue.Snapshot{
		Key: input.Key, JiraID: orEmpty(input.ID), Project: input.Project, IssueType: input.IssueType,
		Summary: input.Summary, Description: input.Description, Status: input.Status, Sprint: input.Sprint,
		Parent: input.Parent, Fields: input.Fields,
		LinksRead: input.Links != nil, Links: make([]queue.Link, len(input.Links)),
	}

	for i, link := range input.Links {
		taken.Links[i] = queue.Link{
			Type: link.Type, Direction: link.Direction, Key: link.Key,
			OutwardName: link.OutwardName, InwardName: link.InwardName,
		}
	}

	return taken
}

func jiraOf(input graph.JiraInput) queue.Jira {
	told := queue.Jira{
		BaseURL: input.BaseURL, Deployment: input.Deployment, Version: input.Version, Statuses: input.Statuses,
		Fields:    make([]queue.JiraField, len(input.Fields)),
		LinkTypes: make([]queue.JiraLinkType, len(input.LinkTypes)),
		Projects:  make([]queue.JiraProject, len(input.Projects)),
		Sprints:   make([]queue.JiraSprint, len(input.Sprints)),
	}

	for i, field := range input.Fields {
		told.Fields[i] = queue.JiraField(*field)
	}

	for i, linkType := range input.LinkTypes {
		told.LinkTypes[i] = queue.JiraLinkType(*linkType)
	}

	for i, project := range input.Projects {
		told.Projects[i] = queue.JiraProject(*project)
	}

	for i, sprint := range input.Sprints {
		told.Sprints[i] = queue.JiraSprint(*sprint)
	}

	return told
}
