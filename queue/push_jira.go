package queue

import "context"

// PushJira replaces what is known of the site's Jira. A list that is too long is TooLarge, a text Unprocessable.
func (q *Queue) PushJira(ctx context.Context, by Actor, jira Jira) (*Jira, error) {
	if err := jira.check(); err != nil {
		return nil, err
	}

	jira.clean()

	err := q.change(ctx, by, func(tx Tx) error {
		site, err := tx.Site(ctx)
		if err != nil {
			return err
		}

		jira.ToldAt = site.Now
		c := newChange(site, nil, by)
		c.out.Jira = &jira

		return tx.Apply(ctx, c.changes())
	})
	if err != nil {
		return nil, err
	}

	return &jira, nil
}

// clean makes every text fit to be stored.
func (j *Jira) clean() {
	j.BaseURL, j.Deployment, j.Version = clean(j.BaseURL), clean(j.Deployment), clean(j.Version)

	for i, field := range j.Fields {
		j.Fields[i] = JiraField{ID: clean(field.ID), Name: clean(field.Name), Schema: cleanOptional(field.Schema)}
	}

	for i, link := range j.LinkTypes {
		j.LinkTypes[i] = JiraLinkType{Name: clean(link.Name), Outward: clean(link.Outward), Inward: clean(link.Inward)}
	}

	for i, project := range j.Projects {
		j.Projects[i] = JiraProject{Key: clean(project.Key), Name: clean(project.Name), IssueTypes: cleanAll(project.IssueTypes)}
	}

	j.Statuses = cleanAll(j.Statuses)

	for i, sprint := range j.Sprints {
		j.Sprints[i] = JiraSprint{
			ID: clean(sprint.ID), Name: clean(sprint.Name), State: clean(sprint.State), Board: cleanOptional(sprint.Board),
		}
	}
}

func cleanAll(texts []string) []string {
	cleaned := make([]string, len(texts))
	for i, text := range texts {
		cleaned[i] = clean(text)
	}

	return cleaned
}
