package model

import (
	"maps"
	"slices"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// settled is where a push leaves the issues whose Jira ids it shows.
type settled struct {
	// at is the key under which each id was shown last, bearer the id that bears a key in the end.
	at     map[string]queue.Key
	bearer map[queue.Key]string
	// rows lead from each key that a known issue left to where it went, or to who passed there.
	rows map[queue.Key]queue.Key
}

func (s *settled) arrived(key queue.Key) bool {
	for _, to := range s.rows {
		if to == key {
			return true
		}
	}

	return false
}

// settle moves the issues that a push shows under another key, all at once. What was known of one whose place another
// takes goes; where it was shown on the way leads to it too, unless somebody else is there.
func (s *Site) settle(snapshots []queue.Snapshot) *settled {
	result := &settled{at: map[string]queue.Key{}, bearer: map[queue.Key]string{}, rows: map[queue.Key]queue.Key{}}
	issues, keys, ids := s.sightings(snapshots)

	for _, id := range ids {
		result.at[id] = keys[id][len(keys[id])-1]
		result.bearer[result.at[id]] = id
	}

	var order []queue.Key

	leads := map[queue.Key]queue.Key{}
	lead := func(from, to queue.Key) {
		if _, known := leads[from]; !known && from != to {
			leads[from] = to
			order = append(order, from)

			if s.Issues[from] != nil {
				result.rows[from] = to
			}
		}
	}

	for _, id := range ids {
		if issues[id] != nil {
			lead(issues[id].Key, result.at[id])
		}
	}

	for _, id := range ids {
		for _, key := range lastVisits(keys[id]) {
			if result.bearer[key] == "" {
				lead(key, result.at[id])
			}
		}
	}

	s.resettle(issues, result, leads)
	s.moveNotes(order, leads)

	return result
}

// sightings gives, for each Jira id that a push shows, the issue that the mirror had of it, if any, and all keys under
// which it was seen; and the ids in the order of their last snapshots.
func (s *Site) sightings(snapshots []queue.Snapshot) (map[string]*Issue, map[string][]queue.Key, []string) {
	issues, keys := map[string]*Issue{}, map[string][]queue.Key{}
	named := map[*Issue]bool{}

	var ids []string

	for i := range snapshots {
		id, key := snapshots[i].JiraID, snapshots[i].Key
		if id == "" {
			continue
		}

		if keys[id] == nil {
			issues[id] = s.bearing(id)
			nameless := s.Issues[s.present(key)]

			if issues[id] == nil && nameless != nil && nameless.JiraID == "" && !named[nameless] {
				issues[id], key = nameless, nameless.Key
				named[nameless] = true
			}
		}

		keys[id] = append(keys[id], key)
		ids = append(slices.DeleteFunc(ids, func(other string) bool { return other == id }), id)
	}

	return issues, keys, ids
}

// lastVisits gives the keys in the order in which each was seen for the last time, without the very last.
func lastVisits(keys []queue.Key) []queue.Key {
	var visits []queue.Key

	for i, key := range keys {
		if !slices.Contains(keys[i+1:], key) {
			visits = append(visits, key)
		}
	}

	return visits[:len(visits)-1]
}

func (s *Site) bearing(id string) *Issue {
	for _, issue := range s.Issues {
		if issue.JiraID == id {
			return issue
		}
	}

	return nil
}

func (s *Site) resettle(issues map[string]*Issue, result *settled, leads map[queue.Key]queue.Key) {
	for _, issue := range issues {
		if issue != nil {
			delete(s.Issues, issue.Key)
		}
	}

	for from := range leads {
		delete(s.Issues, from)
	}

	for key, id := range result.bearer {
		delete(s.Issues, key)

		if issue := issues[id]; issue != nil {
			issue.Key = key
			s.Issues[key] = issue
		}
	}

	for old, now := range s.Moved {
		if to, left := leads[now]; left {
			s.Moved[old] = to
		}
	}

	maps.Copy(s.Moved, leads)

	for key := range result.bearer {
		delete(s.Moved, key)
	}
}
