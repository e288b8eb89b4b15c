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
	shown := map[*Issue]bool{}
	for i := range snapshots {
		shown[s.take(&snapshots[i])] = true
	}

	for _, key := range missing {
		issue := s.Issues[s.present(key)]
		if issue != nil && !issue.Missing && !shown[issue] {
			issue.Missing, shown[issue] = true, true
			s.tellIssue(issue, "")
		}
	}

	return shown
}

func (s *Site) take(snapshot *queue.Snapshot) *Issue {
	issue, movedFrom := s.find(snapshot)
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

	if !known || movedFrom != "" || IssueRow(issue.Issue) != before {
		s.tellIssue(issue, movedFrom)
	}

	return issue
}

// find gives the issue that a snapshot is of, a new one where the mirror does not know it, and the key that it had
// until now where that was another.
func (s *Site) find(snapshot *queue.Snapshot) (*Issue, queue.Key) {
	for key, issue := range s.Issues {
		if snapshot.JiraID != "" && issue.JiraID == snapshot.JiraID {
			if key == snapshot.Key {
				return issue, ""
			}

			s.moveIssue(issue, snapshot.Key)

			return issue, key
		}
	}

	issue := s.Issues[s.present(snapshot.Key)]
	if issue != nil && (issue.JiraID == "" || snapshot.JiraID == "") {
		return issue, ""
	}

	// Nobody knows it, or another issue bore that key before: of this one nothing is known.
	issue = &Issue{Issue: queue.Issue{Key: snapshot.Key, Fields: queue.Fields{}}}
	s.Issues[issue.Key] = issue
	delete(s.Moved, issue.Key)

	return issue, ""
}

// moveIssue gives an issue its new key. Its old ones, and those of an issue whose place it takes, lead there.
func (s *Site) moveIssue(issue *Issue, to queue.Key) {
	from := issue.Key

	delete(s.Issues, from)
	delete(s.Moved, to)

	for old, now := range s.Moved {
		if now == from {
			s.Moved[old] = to
		}
	}

	s.Moved[from] = to
	s.Issues[to] = issue
	issue.Key = to
	s.moveNote(from, to)
}

func (s *Site) tellIssue(issue *Issue, movedFrom queue.Key) {
	s.Told = append(s.Told, Entry{Kind: queue.EventIssue, Actor: Agent, Key: issue.Key, MovedFrom: movedFrom})
}
