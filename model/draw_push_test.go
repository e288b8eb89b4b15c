package model

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// drawPush makes snapshots, many of which show what the command in hand wants.
func (m *machine) drawPush(atMost int) ([]queue.Snapshot, []queue.Key) {
	t := m.t

	count := pick(t, "snapshots", 1, 1, 0, 2, atMost)
	snapshots := make([]queue.Snapshot, 0, count)

	for range count {
		snapshot := m.drawSnapshot()

		switch pick(t, "shows", "what is wanted", "what is wanted", "what is wanted", "anything", "nothing new") {
		case "what is wanted":
			m.fulfil(&snapshot)
		case "nothing new":
			m.stay(&snapshot)
		}

		snapshots = append(snapshots, snapshot)
	}

	if atMost > 2 && chance(t, "trade", 15) {
		snapshots = m.trade(snapshots)
	}

	var missing []queue.Key
	if chance(t, "missing", 20) {
		missing = append(missing, pick(t, "missing key", slices.Concat(m.wanted(), realKeys, []queue.Key{"bor-1"})...))
	}

	if chance(t, "bad key", 2) {
		missing = append(missing, pick(t, "bad key", queue.Key("new:1"), "AUR"))
	}

	return snapshots, missing
}

// trade adds snapshots that show issues under each other's keys, round in a circle or each under the next one's.
func (m *machine) trade(snapshots []queue.Snapshot) []queue.Snapshot {
	keys := shuffled(m.t, realKeys)[:pick(m.t, "traders", 2, 3, 4)]
	circle := chance(m.t, "circle", 60)

	for i, key := range keys {
		if i == 0 && !circle {
			continue
		}

		from := keys[(i+len(keys)-1)%len(keys)]

		snapshot := m.drawSnapshot()
		snapshot.Key, snapshot.JiraID = key, string(from)

		if issue := m.model.Issues[from]; issue != nil {
			snapshot.JiraID = issue.JiraID
		}

		snapshots = append(snapshots, snapshot)
	}

	m.tally("keys traded")

	return shuffled(m.t, snapshots)
}

func (m *machine) drawSnapshot() queue.Snapshot {
	t := m.t
	key := pick(t, "issue", append(realKeys, "aur-2")...)

	// Each key has a Jira id of its own, as a rule; one that another key has makes a moved issue.
	id := strings.ToUpper(string(key))
	if chance(t, "odd id", 25) {
		id = pick(t, "jira id", "", string(realKeys[0]), string(realKeys[1]), string(realKeys[3]))
	}

	snapshot := queue.Snapshot{
		Key: key, JiraID: id, Project: "AUR", IssueType: "Task", Summary: pick(t, "summary", "a\nb", "Отчёт", "a\x00"),
		Description: optional(t, "description", "", "a\r\nb", "5"), Status: pick(t, "status", "Open", "Done"), Sprint: drawSprint(t),
	}

	if chance(t, "parent", 30) {
		snapshot.Parent = new(queue.Key("CYG-1"))
	}

	if chance(t, "fields read", 60) {
		snapshot.Fields = queue.Fields{pick(t, "field id", "f1", "f2", "f3"): drawValue(t)}
	}

	if chance(t, "links read", 50) {
		snapshot.LinksRead = true
		for range evenly(3).Draw(t, "links") {
			snapshot.Links = append(snapshot.Links, drawLink(t, pick(t, "type", "Blocks", "Relates", "Odd"), pick(t, "linked", realKeys...)))
		}
	}

	return snapshot
}

func drawLink(t *rapid.T, linkType string, key queue.Key) queue.Link {
	link := queue.Link{Type: linkType, Direction: pick(t, "direction", queue.Outward, queue.Inward), Key: key}

	words := map[string][2]string{"Blocks": {"blocks", "is blocked by"}, "Relates": {"relates to", "relates to"}}
	if pair, known := words[linkType]; known && chance(t, "words", 50) {
		link.OutwardName, link.InwardName = &pair[0], &pair[1]
	}

	return link
}

// stay makes a snapshot show an issue as the mirror has it.
func (m *machine) stay(snapshot *queue.Snapshot) {
	issue := m.model.Issues[m.model.present(snapshot.Key)]
	if issue == nil {
		return
	}

	*snapshot = queue.Snapshot{
		Key: issue.Key, JiraID: issue.JiraID, Project: issue.Project, IssueType: issue.IssueType, Summary: issue.Summary,
		Description: issue.Description, Status: issue.Status, Sprint: issue.Sprint, Parent: issue.Parent,
		LinksRead: rapid.Bool().Draw(m.t, "links read again"),
	}

	if snapshot.LinksRead {
		snapshot.Links = slices.Clone(issue.Links)
	}
}

// wanted are the issues that tell whether the command in hand is fulfilled.
func (m *machine) wanted() []queue.Key {
	c := m.model.InHand()
	if c == nil {
		return nil
	}

	return Subjects(c.Handed())
}

// fulfil makes a snapshot show what the command in hand wants, or nearly.
func (m *machine) fulfil(snapshot *queue.Snapshot) {
	c := m.model.InHand()
	if c == nil {
		return
	}

	wanted := c.Handed()
	for _, key := range Subjects(wanted) {
		if snapshot.Key = key; chance(m.t, "first side", 60) {
			break
		}
	}

	if chance(m.t, "by another issue", 20) {
		snapshot.Key = pick(m.t, "issue", realKeys...)
	}

	if chance(m.t, "its id", 75) {
		snapshot.JiraID = string(snapshot.Key)
		if issue := m.model.Issues[m.model.present(snapshot.Key)]; issue != nil {
			snapshot.JiraID = issue.JiraID
		}
	}

	switch p := wanted.(type) {
	case queue.EnsureFields:
		snapshot.Fields = queue.Fields{}

		for _, name := range slices.Sorted(maps.Keys(p.Fields)) {
			value := p.Fields[name]
			if chance(m.t, "nearly", 60) {
				value = drawNear(m.t, value)
			}

			text, isText := value.(string)

			switch {
			case name == "status" && isText:
				snapshot.Status = text
			case name == "sprint" && isText:
				snapshot.Sprint = &text
			case name == "summary" && isText:
				snapshot.Summary = text
			case name == "description" && isText:
				snapshot.Description = &text
			case name == "Effort":
				snapshot.Fields["f3"] = value
			default:
				snapshot.Fields[name] = value
			}
		}
	case queue.EnsureStatus:
		snapshot.Status = p.Path[len(p.Path)-1]
	case queue.EnsureSprint:
		snapshot.Sprint = p.Sprint
	case queue.EnsureLink:
		link := drawLink(m.t, p.Type, p.Target)
		if link.Direction = queue.Outward; snapshot.Key == p.Target {
			link.Direction, link.Key = queue.Inward, p.Source
		}

		snapshot.LinksRead, snapshot.Links = true, append(snapshot.Links, link)

		if chance(m.t, "one more", 40) {
			link := drawLink(m.t, p.Type, pick(m.t, "linked", realKeys...))
			link.Direction = pick(m.t, "direction", queue.Outward, queue.Outward, queue.Inward)
			snapshot.Links = append(snapshot.Links, link)
		}
	}
}
