package agent

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// Each of the seven kinds, first where there is something to do and then where Jira already shows the wanted state.
func TestEnsureWritesOnceAndThenNothing(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, tr *trial) {
		wanted := []hubtest.Vars{
			hubtest.Creation("new:1", "issueType", "Задача", "summary", "Отчёт", "description", "Строка\nи ещё"),
			hubtest.Fields("AURORA-1543", hubtest.Vars{"summary": "Сертификаты", "priority": "High", "labels": []string{"стенд"}}),
			hubtest.Status("AURORA-1543", "В работе", "На проверке", "Готово"),
			hubtest.LinkTo("AURORA-1543", "AURORA-1537"),
			hubtest.Sprint("AURORA-1543", "Спринт 3"),
			hubtest.Comment("AURORA-1543", "Готово 🙂\nи проверено"),
			hubtest.Refresh("AURORA-1543", "AURORA-1", "AURORA-1501"),
		}

		first := tr.do(t, wanted...)
		succeeds(t, first)

		if t.Failed() {
			return
		}

		issue := tr.issue(t, "AURORA-1543")
		if issue.Summary != "Сертификаты" || issue.Status != "Готово" || issue.Sprint != "Спринт 3" || len(issue.Links) != 1 || len(issue.Comments) != 1 {
			t.Errorf("the issue is %+v", issue)
		}

		if key := textOf(first.Commands.Nodes[0].ResultKey); key != "AURORA-1590" {
			t.Errorf("the new issue is %s", key)
		}

		mirrored := tr.site.Issue(t, "AURORA-1543")
		if mirrored == nil || mirrored.Summary != "Сертификаты" || mirrored.Status != "Готово" || textOf(mirrored.Sprint) != "Спринт 3" {
			t.Errorf("the mirror has %+v", mirrored)
		}

		before := len(tr.writes())

		succeeds(t, tr.do(t, wanted[1:]...))

		if more := tr.writes()[before:]; len(more) > 0 {
			t.Errorf("wrote again: %q", more)
		}
	})
}
