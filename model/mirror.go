package model

import (
	"maps"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Issue is a row of the mirror, with the steps in which it was seen and in which its links were read; 0 for never.
type Issue struct {
	queue.Issue

	Seen, LinksRead int
}

// Push takes snapshots in, and gives the command that they confirmed; nil for none.
func (s *Site) Push(push queue.Push) (*Command, queue.Code) {
	snapshots, missing, ok := readPush(push.Issues, push.Missing)
	if !ok || push.Total != nil && *push.Total < 0 {
		return nil, queue.Unprocessable
	}

	if push.Refresh != 0 {
		c := s.Commands[push.Refresh]

		switch {
		case c == nil:
			return nil, queue.NotFound
		case c.kind() != queue.KindRefresh:
			return nil, queue.Unprocessable
		case c.Status == queue.Claimed:
			s.count(c, snapshots, missing, push.Total)
		}
	}

	return s.confirm(s.store(snapshots, missing)), ""
}

// readPush takes keys to their one spelling and makes texts fit to be kept; false where a key is none of Jira's.
func readPush(pushed []queue.Snapshot, absent []queue.Key) ([]queue.Snapshot, []queue.Key, bool) {
	good := true
	read := func(key *queue.Key) {
		parsed, ok := spelled(*key)
		good = good && ok && !isTemp(parsed)
		*key = parsed
	}

	snapshots, missing := slices.Clone(pushed), slices.Clone(absent)
	for i := range snapshots {
		read(&snapshots[i].Key)
		snapshots[i].Summary = clean(snapshots[i].Summary)
		snapshots[i].Links = slices.Clone(snapshots[i].Links)

		for link := range snapshots[i].Links {
			read(&snapshots[i].Links[link].Key)
		}
	}

	for i := range missing {
		read(&missing[i])
	}

	return snapshots, missing, good
}

// count counts the distinct keys that a refresh brought in its present delivery.
func (s *Site) count(c *Command, snapshots []queue.Snapshot, missing []queue.Key, total *int) {
	for i := range snapshots {
		c.counted[snapshots[i].Key] = true
	}

	for _, key := range missing {
		c.counted[key] = true
	}

	if c.Progress == nil && (len(c.counted) > 0 || total != nil) {
		c.Progress = &queue.Progress{}
	}

	if c.Progress != nil {
		c.Progress.Done = len(c.counted)
		if total != nil {
			c.Progress.Total = total
		}
	}
}

// present is the key that an issue has now.
func (s *Site) present(key queue.Key) queue.Key {
	if now, moved := s.Moved[key]; moved {
		return now
	}

	return key
}

// store takes snapshots in, in the order in which they came, and gives the issues that they showed.
func (s *Site) store(snapshots []queue.Snapshot, missing []queue.Key) map[*Issue]bool {
	moved := s.settle(snapshots)
	shown, changed := map[*Issue]bool{}, map[*Issue]bool{}

	for i := range snapshots {
		if issue := s.find(&snapshots[i], moved); issue != nil {
			shown[issue] = true

			if s.take(issue, &snapshots[i]) {
				changed[issue] = true
			}
		}
	}

	for _, key := range missing {
		issue := s.Issues[s.present(key)]
		if issue != nil && !issue.Missing && !shown[issue] {
			issue.Missing, shown[issue], changed[issue] = true, true, true
		}
	}

	for from, to := range moved.rows {
		s.tellIssue(s.Issues[to], from)
	}

	for issue := range shown {
		// One that moved was told of; but where another left its key, it is said once more who has it now.
		_, left := moved.rows[issue.Key]

		if arrived := moved.arrived(issue.Key); arrived && left || changed[issue] && !arrived {
			s.tellIssue(issue, "")
		}
	}

	return shown
}

// take stores a snapshot, and tells whether it showed anything new.
func (s *Site) take(issue *Issue, snapshot *queue.Snapshot) bool {
	before := IssueRow(issue.Issue)
	known := issue.Seen != 0

	issue.Project, issue.IssueType, issue.Summary = snapshot.Project, snapshot.IssueType, snapshot.Summary
	issue.Description, issue.Status, issue.Sprint = snapshot.Description, snapshot.Status, snapshot.Sprint
	issue.Parent, issue.Missing, issue.Seen = snapshot.Parent, false, s.Step

	if snapshot.JiraID != "" {
		issue.JiraID = snapshot.JiraID
	}

	maps.Copy(issue.Fields, snapshot.Fields)

	if snapshot.LinksRead {
		issue.Links, issue.LinksRead = snapshot.Links, s.Step
	}

	return !known || IssueRow(issue.Issue) != before
}

// find gives the issue that a snapshot is of, a new one where the mirror does not know it; nil where the push shows
// another under its key later on.
func (s *Site) find(snapshot *queue.Snapshot, moved *settled) *Issue {
	key := s.present(snapshot.Key)

	if id := snapshot.JiraID; id != "" {
		if key = moved.at[id]; moved.bearer[key] != id {
			return nil
		}
	}

	if s.Issues[key] == nil {
		s.Issues[key] = &Issue{Issue: queue.Issue{Key: key, Fields: queue.Fields{}}}
	}

	return s.Issues[key]
}

func (s *Site) tellIssue(issue *Issue, movedFrom queue.Key) {
	s.Told = append(s.Told, Entry{Kind: queue.EventIssue, Actor: Agent, Key: issue.Key, MovedFrom: movedFrom})
}
