package client

import (
	"context"
	"time"
)

// Viewer says who the token's bearer is.
func (c *Client) Viewer(ctx context.Context) (*Viewer, error) {
	ctx, cancel := c.within(ctx, 0)
	defer cancel()

	answer, err := viewer(ctx, c)
	if err != nil {
		return nil, err
	}

	return present("viewer", answer.Viewer)
}

// Claim asks for the instance's next command. The hub holds an idle answer back for up to wait, at most 55 s.
func (c *Client) Claim(ctx context.Context, wait time.Duration, instance string) (*ClaimPayload, error) {
	ctx, cancel := c.within(ctx, wait)
	defer cancel()

	answer, err := claim(ctx, c, int(wait/time.Second), instance)
	if err != nil {
		return nil, err
	}

	return present("claim", answer.Claim)
}

// Heartbeat says that the instance is alive and, where problem is not "", what keeps it from working.
func (c *Client) Heartbeat(ctx context.Context, instance, version, problem string) (*Agent, error) {
	ctx, cancel := c.within(ctx, 0)
	defer cancel()

	answer, err := heartbeat(ctx, c, instance, optional(version), optional(problem))
	if err != nil {
		return nil, err
	}

	return present("heartbeat", answer.Heartbeat)
}

// Report says what became of a command; it is safe to repeat.
func (c *Client) Report(ctx context.Context, input ReportInput) (*ReportPayload, error) {
	ctx, cancel := c.within(ctx, 0)
	defer cancel()

	input.Issues, input.Missing = listed(input.Issues), listed(input.Missing)

	answer, err := report(ctx, c, input)
	if err != nil {
		return nil, err
	}

	return present("report", answer.Report)
}

// Push is issues as Jira has them now; at most 1,000 a call.
type Push struct {
	Issues []IssueSnapshot
	// Missing were asked for and not found.
	Missing []string
	// Refresh is the command that this page belongs to; "" for none.
	Refresh string
	// Total is how many issues that refresh will bring in all; nil while unknown.
	Total    *int
	Instance string
}

// PushIssues takes issues to the mirror, and says which commands that confirmed.
func (c *Client) PushIssues(ctx context.Context, push Push) (*PushPayload, error) {
	ctx, cancel := c.within(ctx, 0)
	defer cancel()

	answer, err := pushIssues(ctx, c, listed(push.Issues), listed(push.Missing), optional(push.Refresh), push.Total, optional(push.Instance))
	if err != nil {
		return nil, err
	}

	return present("pushIssues", answer.PushIssues)
}

// PushJira tells what Jira this is.
func (c *Client) PushJira(ctx context.Context, input JiraInput) error {
	ctx, cancel := c.within(ctx, 0)
	defer cancel()

	input.Fields, input.LinkTypes, input.Statuses = listed(input.Fields), listed(input.LinkTypes), listed(input.Statuses)
	input.Sprints = listed(input.Sprints)
	input.Projects = append([]JiraProjectInput{}, input.Projects...)

	for i := range input.Projects {
		input.Projects[i].IssueTypes = listed(input.Projects[i].IssueTypes)
	}

	answer, err := pushJira(ctx, c, input)
	if err != nil {
		return err
	}

	_, err = present("pushJira", answer.PushJira)

	return err
}

// listed writes no items as [], which the contract takes where it takes no null.
func listed[T any](items []T) []T {
	if items == nil {
		return []T{}
	}

	return items
}

// optional writes "" as null.
func optional(text string) *string {
	if text == "" {
		return nil
	}

	return &text
}
