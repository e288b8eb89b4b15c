package sim_test

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira"
)

// Every request and every answer of it is held against Atlassian's documents on the way (see start).
func TestEveryCallOfTheClientIsUnderstood(t *testing.T) {
	const text = "Первая строка\r\n\n\nхвост  \n- не список"

	both(t, func(t *testing.T, f *fixture) {
		ctx := t.Context()
		user, token := f.Login()

		c, err := jira.Connect(ctx, jira.Config{URL: f.url, User: user, Token: token})
		must(t, err)
		t.Cleanup(c.Close)

		me, err := c.Myself(ctx)
		must(t, err)

		may, err := c.Permissions(ctx, "AURORA", "BROWSE_PROJECTS", "CREATE_ISSUES")
		must(t, err)

		projects, err := c.Projects(ctx)
		must(t, err)

		types, err := c.IssueTypes(ctx, "AURORA")
		must(t, err)

		links, err := c.LinkTypes(ctx)
		must(t, err)

		boards, err := c.Boards(ctx, "AURORA")
		must(t, err)

		if !may["CREATE_ISSUES"] || len(projects) == 0 || len(types) == 0 || len(links) == 0 || len(boards) == 0 {
			t.Fatal("it is told too little of Jira:", may, projects, types, links, boards)
		}

		sprints, err := c.Sprints(ctx, boards[0], "active", "future")
		must(t, err)

		screen, err := c.CreateScreen(ctx, "AURORA", "Задача")
		must(t, err)

		if len(sprints) == 0 || !screen["summary"].Required {
			t.Fatal("it is told too little of a project:", sprints, screen)
		}

		one, err := c.CreateIssue(ctx, jira.NewIssue{
			Project: "AURORA", IssueType: "Задача", Summary: `Ещё <одна> & "задача"`, Description: text, Fields: map[string]any{"priority": "High"},
			Labels: []string{"hub-1"}, Properties: map[string]any{"hub": object{"key": "1"}},
		})
		must(t, err)

		two, err := c.CreateIssue(ctx, jira.NewIssue{Project: "AURORA", IssueType: "Задача", Summary: "Вторая"})
		must(t, err)

		if _, marked, err := c.Property(ctx, one.Key, "hub"); err != nil || !marked {
			t.Error("the mark is not there:", err)
		}

		if _, marked, err := c.Property(ctx, two.Key, "hub"); err != nil || marked {
			t.Error("a mark is there that nobody set:", err)
		}

		must(t, c.Link(ctx, "Blocks", one.Key, two.Key))
		must(t, c.MoveToSprint(ctx, sprints[0].ID, one.Key))

		source, err := c.Issue(ctx, one.Key, "labels")
		must(t, err)

		target, err := c.Issue(ctx, two.Key)
		must(t, err)

		if source.Description == nil || *source.Description != text || source.Sprint == nil || *source.Sprint != sprints[0].Name || target.Sprint != nil {
			t.Errorf("%+v\n%+v", source, target)
		}

		if len(source.Links) != 1 || source.Links[0].Direction != jira.Outward || len(target.Links) != 1 || target.Links[0].Direction != jira.Inward {
			t.Errorf("%+v\n%+v", source.Links, target.Links)
		}

		must(t, c.DeleteLink(ctx, source.Links[0].ID))
		must(t, c.MoveToBacklog(ctx, one.Key))

		comment, err := c.AddComment(ctx, one.Key, text)
		must(t, err)

		comments, err := c.Comments(ctx, one.Key)
		must(t, err)

		if len(comments) != 1 || comments[0].Body != text || !comments[0].Author.Same(me) || comment.ID != comments[0].ID {
			t.Errorf("%+v", comments)
		}

		transitions, err := c.Transitions(ctx, one.Key)
		must(t, err)
		must(t, c.DoTransition(ctx, one.Key, transitions[0].ID, nil))

		if _, err := c.EditScreen(ctx, one.Key); err != nil {
			t.Error(err)
		}

		must(t, c.EditIssue(ctx, one.Key, map[string]any{"description": nil, "priority": "Low"}))

		if err := c.EditIssue(ctx, one.Key, map[string]any{"summary": strings.Repeat("я", 300)}); jira.KindOf(err) != jira.Refused {
			t.Error(err)
		}

		f.Reindex()

		found, missing, err := c.Issues(ctx, []string{one.Key, "AURORA-99999", two.Key, "NOPE-1"})
		must(t, err)

		if len(found) != 2 || len(missing) != 2 {
			t.Errorf("%+v %v", found, missing)
		}

		for _, issue := range found {
			if issue.Sprint != nil || len(issue.Links) != 0 || issue.Key == one.Key && issue.Status != transitions[0].To {
				t.Errorf("%+v", issue)
			}
		}

		seen := map[string]bool{}

		for page, err := range c.Search(ctx, "project = "+jira.Quote("AURORA")+" ORDER BY key ASC", 7, "*navigable") {
			must(t, err)

			for _, issue := range page.Issues {
				seen[issue.Key] = true
			}
		}

		if !seen[one.Key] || !seen[two.Key] || len(seen) < 15 {
			t.Error("a search in pages found", len(seen))
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()

	if err != nil {
		t.Fatal(err)
	}
}
