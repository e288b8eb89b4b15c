package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

// fails checks that a command failed with these words in its error.
func (tr *trial) fails(t *testing.T, entry hubtest.Vars, words ...string) {
	t.Helper()

	command := tr.do(t, entry).Commands.Nodes[0]
	if command.Status != "FAILED" {
		t.Errorf("it is %s", command.Status)
	}

	for _, word := range words {
		if !strings.Contains(textOf(command.Error), word) {
			t.Errorf("%q does not say %q", textOf(command.Error), word)
		}
	}
}

func TestAPathIsWalkedFromWhereTheIssueIs(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		// It is in the middle; of the two ways into the last one the one that asks for nothing is taken.
		succeeds(t, tr.do(t, hubtest.Status("AURORA-1540", "К выполнению", "В работе", "На проверке", "Готово")))

		if moves := tr.did("status changed"); moves != 2 || tr.issue(t, "AURORA-1540").Status != "Готово" {
			t.Errorf("%d moves, it is %s", moves, tr.issue(t, "AURORA-1540").Status)
		}

		tr.fails(t, hubtest.Status("AURORA-1543", "На проверке"), "К выполнению", "На проверке", "Взять в работу", "Отклонить")
		tr.fails(t, hubtest.Status("AURORA-1", "В работе"), "HTTP 404")
	})
}

func TestAResolutionIsGivenWhereTheScreenAsksForOne(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		succeeds(t, tr.do(t, hubtest.Status("AURORA-1512", "Готово"), hubtest.Status("AURORA-1543", "Отклонено")))

		if tr.issue(t, "AURORA-1512").Resolution != "Готово" || tr.issue(t, "AURORA-1543").Resolution == "" {
			t.Errorf("the resolutions are %q and %q", tr.issue(t, "AURORA-1512").Resolution, tr.issue(t, "AURORA-1543").Resolution)
		}
	})
}

func TestALinkTakesTheConflictingOnesAway(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		links := func(key string) []string {
			var links []string
			for _, link := range tr.issue(t, key).Links {
				links = append(links, fmt.Sprintf("%s %s %s", link.Source, link.Type, link.Target))
			}

			slices.Sort(links)

			return links
		}

		// It stands the other way round.
		succeeds(t, tr.do(t, hubtest.LinkTo("AURORA-1541", "AURORA-1540")))

		if got := links("AURORA-1541"); !slices.Equal(got, []string{"AURORA-1541 Blocks AURORA-1540"}) {
			t.Errorf("links are %q", got)
		}

		// Others go only where it is exclusive; those of another type or into the source stay.
		succeeds(t, tr.do(t, hubtest.LinkTo("AURORA-1541", "AURORA-1537"), hubtest.LinkTo("AURORA-1543", "AURORA-1541")))

		if got := links("AURORA-1541"); len(got) != 3 {
			t.Errorf("links are %q", got)
		}

		succeeds(t, tr.do(t, hubtest.LinkTo("AURORA-1541", "AURORA-1532", "exclusive", true)))

		if got := links("AURORA-1541"); !slices.Equal(got, []string{"AURORA-1541 Blocks AURORA-1532", "AURORA-1543 Blocks AURORA-1541"}) {
			t.Errorf("links are %q", got)
		}

		// A type without a direction is there whichever end it is seen from.
		before := len(tr.writes())

		succeeds(t, tr.do(t, hubtest.LinkTo("AURORA-1520", "AURORA-1521", "type", "Relates")))

		if more := tr.writes()[before:]; len(more) > 0 {
			t.Errorf("wrote %q", more)
		}

		tr.fails(t, hubtest.LinkTo("AURORA-1541", "AURORA-1537", "type", "Нет такого"), "HTTP 404")
	})
}

func TestASprintIsFoundByItsNameOnTheProjectsBoards(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		succeeds(t, tr.do(t, hubtest.Sprint("AURORA-1543", "Мобильный 9"), hubtest.Sprint("AURORA-1540", nil), hubtest.Sprint("AURORA-1541", "")))

		for key, sprint := range map[string]string{"AURORA-1543": "Мобильный 9", "AURORA-1540": "", "AURORA-1541": ""} {
			if got := tr.issue(t, key).Sprint; got != sprint {
				t.Errorf("%s is in %q, not %q", key, got, sprint)
			}
		}

		tr.fails(t, hubtest.Sprint("AURORA-1543", "Спринт 1"), `"Спринт 1"`, `"Спринт 2"`, `"Мобильный 8"`)

		if _, err := tr.sim.AddSprint("Аврора: мобильное приложение", "Спринт 3", "future"); err != nil {
			t.Fatal(err)
		}

		tr.fails(t, hubtest.Sprint("AURORA-1543", "Спринт 3"), "several sprints", "id ")

		// The sprint may also stand among fields.
		succeeds(t, tr.do(t, hubtest.Fields("AURORA-1543", hubtest.Vars{"sprint": "Спринт 2", "summary": "Иначе"})))

		if got := tr.issue(t, "AURORA-1543"); got.Sprint != "Спринт 2" || got.Summary != "Иначе" {
			t.Errorf("the issue is %+v", got)
		}
	})
}

func TestACommentOfSomebodyElseDoesNotCount(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		succeeds(t, tr.do(t, hubtest.Comment("AURORA-1512", "Повторяется и на стенде.")))

		if comments := tr.issue(t, "AURORA-1512").Comments; len(comments) != 3 {
			t.Errorf("the comments are %+v", comments)
		}
	})
}

func TestARefreshBringsWhatIsThereAndSaysWhatIsNot(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		moved, err := tr.sim.MoveIssue("AURORA-1543", "VEGA")
		if err != nil {
			t.Fatal(err)
		}

		succeeds(t, tr.do(t, hubtest.Refresh("AURORA-1501", "AURORA-1543", "AURORA-9")))
		succeeds(t, tr.do(t, hubtest.Refresh("AURORA-1501", "AURORA-9"), hubtest.Query("project = VEGA")))

		if issue := tr.site.Issue(t, moved); issue == nil || issue.Project != "VEGA" {
			t.Errorf("the moved one is %+v", issue)
		}

		if issue := tr.site.Issue(t, "AURORA-1501"); issue == nil || issue.Missing {
			t.Errorf("the other is %+v", issue)
		}

		tr.fails(t, hubtest.Query("nonsense ~~ 1"), "HTTP 400")

		// One that this login may not see spoils the others as little.
		tr.sim.Add(sim.Rule{Path: "/rest/api/*/issue/AURORA-8", Answer: &sim.Answer{
			Status: 403, Body: map[string]any{"errorMessages": []string{"You do not have the permission to see the specified issue."}},
		}})
		succeeds(t, tr.do(t, hubtest.Refresh("AURORA-1502", "AURORA-8", "AURORA-1503")))

		if issue := tr.site.Issue(t, "AURORA-1503"); issue == nil || issue.Missing {
			t.Errorf("the last is %+v", issue)
		}
	})
}

// A limit of calls that strikes in the middle lets a refresh go on where it is.
func TestARefreshGoesOnFromThePageThatJiraRefusedForHaste(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		for _, path := range []string{"/rest/api/3/search/jql", "/rest/api/2/search"} {
			tr.sim.Add(sim.TooFast("").On("POST", path, 2))
			tr.sim.Add(sim.HTMLPage(502).On("POST", path, 1))
		}

		batch := tr.do(t, hubtest.Query("project = AURORA"))
		succeeds(t, batch)

		if progress := batch.Commands.Nodes[0].Progress; progress == nil || progress.Done != 20 {
			t.Errorf("the progress is %+v", progress)
		}
	})
}

func TestTheHubIsToldWhatJiraIs(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		tr.do(t, hubtest.Refresh("AURORA-1501"))

		type told struct {
			Deployment string `json:"deployment"`
			Fields     []struct{ ID string }
			LinkTypes  []struct{ Name string } `json:"linkTypes"`
			Projects   []struct {
				Key        string
				IssueTypes []string `json:"issueTypes"`
			}
			Statuses []string
			Sprints  []struct{ Name string }
		}

		jira := hubtest.Ask[told](t, tr.site.Operator, `{ answer: jira {
			deployment fields { id } linkTypes { name } projects { key issueTypes } statuses sprints { name }
		} }`, nil)

		if len(jira.Fields) < 10 || len(jira.LinkTypes) != 5 || len(jira.Projects) != 2 || len(jira.Projects[0].IssueTypes) != 5 ||
			len(jira.Statuses) != 5 || len(jira.Sprints) != 5 {
			t.Errorf("the hub was told %+v", jira)
		}
	})
}
