package queue

import "fmt"

// Limits of what the agent tells of its Jira. Its texts but the address are at most MaxName long.
const (
	// MaxTold is how long each list may be, the issue types of all projects being one.
	MaxTold = 10_000
	// MaxURL is how long an address may be.
	MaxURL = 2_000
)

// check refuses what is too large: it is stored with the site and read for every confirmation of fields.
func (j *Jira) check() error {
	issueTypes := 0
	for i := range j.Projects {
		issueTypes += len(j.Projects[i].IssueTypes)
	}

	for _, list := range []struct {
		name  string
		items int
	}{
		{"fields", len(j.Fields)},
		{"linkTypes", len(j.LinkTypes)},
		{"projects", len(j.Projects)},
		{"issueTypes of all projects together", issueTypes},
		{"statuses", len(j.Statuses)},
		{"sprints", len(j.Sprints)},
	} {
		if err := checkListed(list.name, list.items, MaxTold); err != nil {
			return err
		}
	}

	return j.checkTexts()
}

func (j *Jira) checkTexts() error {
	var err error

	// The first text that is too long is told, by its place.
	check := func(limit int, text, place string, args ...any) {
		if err == nil && length(text) > limit {
			err = checkLength(fmt.Sprintf(place, args...), text, limit)
		}
	}
	item := func(list string, i int, members ...string) {
		for at := 0; at < len(members); at += 2 {
			check(MaxName, members[at+1], "%s[%d].%s", list, i, members[at])
		}
	}

	check(MaxURL, j.BaseURL, "baseUrl")
	check(MaxName, j.Deployment, "deployment")
	check(MaxName, j.Version, "version")

	for i, field := range j.Fields {
		item("fields", i, "id", field.ID, "name", field.Name, "schema", textOf(field.Schema))
	}

	for i, link := range j.LinkTypes {
		item("linkTypes", i, "name", link.Name, "outward", link.Outward, "inward", link.Inward)
	}

	for i, project := range j.Projects {
		item("projects", i, "key", project.Key, "name", project.Name)

		for at, issueType := range project.IssueTypes {
			check(MaxName, issueType, "projects[%d].issueTypes[%d]", i, at)
		}
	}

	for i, status := range j.Statuses {
		check(MaxName, status, "statuses[%d]", i)
	}

	for i, sprint := range j.Sprints {
		item("sprints", i, "id", sprint.ID, "name", sprint.Name, "state", sprint.State, "board", textOf(sprint.Board))
	}

	return err
}
