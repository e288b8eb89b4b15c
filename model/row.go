package model

import (
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Row is a command as a table has it, in values that compare.
type Row struct {
	ID             queue.CommandID
	Batch          queue.BatchID
	Position       int
	Kind           queue.Kind
	TempKey        queue.Key
	RetryOf, Chain queue.CommandID
	Status         queue.Status
	Waiting        int
	Error          string
	Result         queue.Key
	Deliveries     int
	RootCause      queue.CommandID
	// Done and Total are of the progress; -1 where it has none.
	Done, Total     int
	Given, Finished bool
}

// Row gives the command's.
func (c *Command) Row() Row {
	row := Row{
		ID: c.ID, Batch: c.Batch.ID, Position: c.Position, Kind: c.kind(), TempKey: c.TempKey, RetryOf: c.RetryOf, Chain: c.Chain,
		Status: c.Status, Waiting: c.Waiting(), Error: c.Error, Result: c.Result, Deliveries: c.Deliveries, RootCause: c.RootCause,
		Done: -1, Total: -1, Given: c.Deliveries > 0, Finished: c.Ended(),
	}

	if c.Progress != nil {
		row.Done = c.Progress.Done
		if c.Progress.Total != nil {
			row.Total = *c.Progress.Total
		}
	}

	return row
}

// BatchRow is a batch as a table has it.
type BatchRow struct {
	ID             queue.BatchID
	Title, Author  string
	Held, Finished bool
	Status         queue.BatchStatus
	Counts         string
}

// Row gives the batch's; its counts are counted.
func (s *Site) Row(b *Batch) BatchRow {
	commands := []*Command{}

	for _, c := range s.Commands {
		if c.Batch == b {
			commands = append(commands, c)
		}
	}

	counts := count(commands)
	row := BatchRow{ID: b.ID, Title: b.Title, Author: b.Author, Held: b.Held, Status: queue.Running, Counts: Counts(counts)}

	switch open := counts[queue.Queued] + counts[queue.Claimed]; {
	case open == 0:
		row.Status, row.Finished = queue.Finished, true
	case counts[queue.Queued] == len(commands):
		row.Status = queue.Pending
	}

	return row
}

// SiteCounts are those of all commands.
func (s *Site) SiteCounts() string { return Counts(count(s.Ordered())) }

func count(commands []*Command) map[queue.Status]int {
	counts := map[queue.Status]int{}
	for _, c := range commands {
		counts[c.Status]++
	}

	return counts
}

// Counts writes how many commands stand in each status.
func Counts(counts map[queue.Status]int) string {
	return fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d", counts[queue.Queued], counts[queue.Claimed], counts[queue.Done],
		counts[queue.Failed], counts[queue.Cancelled], counts[queue.Skipped], counts[queue.Confirmed])
}

// IssueRow is all of an issue that a snapshot brings, as a text that compares.
func IssueRow(issue queue.Issue) string {
	return fmt.Sprint(issue.Key, " ", issue.JiraID, " ", issue.Missing, " ", spelling([]any{
		issue.Project, issue.IssueType, issue.Summary, issue.Description, issue.Status, issue.Sprint, issue.Parent, issue.Fields,
		append([]queue.Link{}, issue.Links...),
	}))
}
