package sim_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

func TestALinkIsReadFromBothEnds(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		join := object{"type": object{"name": "Blocks"}, "inwardIssue": object{"key": "AURORA-1543"}, "outwardIssue": object{"key": "AURORA-1532"}}
		for range 2 { // the second changes nothing
			f.do(http.MethodPost, f.api+"/issueLink", join, http.StatusCreated)
		}

		source, target := f.get(f.api+"/issue/AURORA-1543?fields=issuelinks"), f.get(f.api+"/issue/AURORA-1532?fields=issuelinks")
		if source.at(t, "fields.issuelinks.0.outwardIssue.key") != "AURORA-1532" || source.at(t, "fields.issuelinks.0.type.outward") != "blocks" ||
			source.at(t, "fields.issuelinks.1") != nil {
			t.Errorf("the source says %s", source.body)
		}

		if target.at(t, "fields.issuelinks.0.inwardIssue.key") != "AURORA-1543" || target.at(t, "fields.issuelinks.0.outwardIssue") != nil {
			t.Errorf("the target says %s", target.body)
		}

		id, _ := source.at(t, "fields.issuelinks.0.id").(string)
		if got := f.get(f.api+"/issueLink/"+id).at(t, "inwardIssue.key"); got != "AURORA-1543" {
			t.Error("the link's own source is", got)
		}

		f.do(http.MethodDelete, f.api+"/issueLink/"+id, nil, http.StatusNoContent)
		f.do(http.MethodDelete, f.api+"/issueLink/"+id, nil, http.StatusNotFound)

		if seen, _ := f.Issue("AURORA-1532"); len(seen.Links) != 0 {
			t.Errorf("%+v", seen.Links)
		}

		join["type"] = object{"name": "Нет такой"}
		if got := f.do(http.MethodPost, f.api+"/issueLink", join, http.StatusNotFound).at(t, "errorMessages.0"); got != "No issue link type with name 'Нет такой' found." {
			t.Error(got)
		}
	})
}

func TestCommentsComeInPages(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		path := f.api + "/issue/AURORA-1543/comment"
		for at := range 7 {
			f.do(http.MethodPost, path, object{"body": f.text(fmt.Sprintf("Слово %d", at))}, http.StatusCreated)
		}

		page := f.get(path + "?startAt=5&maxResults=5")
		if page.at(t, "total") != 7.0 || page.at(t, "startAt") != 5.0 || page.at(t, "comments.1.id") == nil || page.at(t, "comments.2") != nil {
			t.Errorf("%s", page.body)
		}

		seen, _ := f.Issue("AURORA-1543")
		if last := seen.Comments[6]; last.Text != "Слово 6" || !strings.Contains(last.Author, map[sim.Dialect]string{sim.Cloud: "712020:", sim.DataCenter: "agent"}[f.dialect]) {
			t.Errorf("%+v", last)
		}

		if got := f.do(http.MethodPost, path, object{"body": f.text(strings.Repeat("я", 32_768))}, http.StatusBadRequest).at(t, "errors.comment"); got !=
			"The entered text is too long. It exceeds the allowed limit of 32767 characters." {
			t.Error(got)
		}

		if got := f.do(http.MethodPost, path, object{"body": f.text("  ")}, http.StatusBadRequest).at(t, "errors.comment"); got != "Comment body can not be empty!" {
			t.Error(got)
		}
	})
}

func TestATextOfTheOtherDialectIsRefused(t *testing.T) {
	t.Parallel()

	cloud, dc := start(t, sim.Config{Dialect: sim.Cloud}), start(t, sim.Config{Dialect: sim.DataCenter})

	no := cloud.do(http.MethodPut, "/rest/api/3/issue/AURORA-1543", object{"fields": object{"description": "просто текст"}}, http.StatusBadRequest)
	if got := no.at(t, "errors.description"); got != "Operation value must be an Atlassian Document (see the Atlassian Document Format)" {
		t.Error(got)
	}

	no = cloud.do(http.MethodPut, "/rest/api/3/issue/AURORA-1543", object{"fields": object{"description": cloud.text("")}}, http.StatusBadRequest)
	if got := no.at(t, "errors.description"); got != "INVALID_INPUT" {
		t.Error("a text node without a text:", got)
	}

	no = cloud.do(http.MethodPut, "/rest/api/3/issue/AURORA-1543", object{"fields": object{"assignee": object{"name": "kim"}}}, http.StatusBadRequest)
	if got := no.at(t, "errorMessages.0"); got != "'accountId' must be the only user identifying query parameter in GDPR strict mode." {
		t.Error(got)
	}

	no = dc.do(http.MethodPost, "/rest/api/2/issue/AURORA-1543/comment", object{"body": cloud.text("а")}, http.StatusBadRequest)
	if got, _ := no.at(t, "errorMessages.0").(string); !strings.HasPrefix(got, "Can not deserialize instance of java.lang.String out of START_OBJECT token") {
		t.Error(got)
	}
}

func TestSprintsAreListedByBoardAndMovedInto(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		boards := f.get("/rest/agile/1.0/board?projectKeyOrId=AURORA")
		if boards.at(t, "values.0.name") != "Аврора: сайт" || boards.at(t, "values.2") != nil || boards.at(t, "isLast") != true {
			t.Errorf("%s", boards.body)
		}

		open := f.get("/rest/agile/1.0/board/1/sprint?state=active,future&maxResults=2")
		if open.at(t, "values.0.name") != "Спринт 2" || open.at(t, "values.1.state") != "future" || open.at(t, "isLast") != false {
			t.Errorf("%s", open.body)
		}

		if counted := open.at(t, "total") != nil; counted != (f.dialect == sim.Cloud) {
			t.Errorf("%s counts sprints: %v", f.dialect, counted)
		}

		f.do(http.MethodGet, "/rest/agile/1.0/board/3/sprint", nil, http.StatusBadRequest)

		sprint := func(want string) {
			t.Helper()

			if seen, _ := f.Issue("AURORA-1512"); seen.Sprint != want {
				t.Errorf("it is in %q, not %q", seen.Sprint, want)
			}
		}

		sprint("Спринт 2")
		f.do(http.MethodPost, "/rest/agile/1.0/sprint/14/issue", object{"issues": []string{"AURORA-1512"}}, http.StatusNoContent)
		sprint("Спринт 4, стабилизация")
		f.do(http.MethodPost, "/rest/agile/1.0/sprint/11/issue", object{"issues": []string{"AURORA-1512"}}, http.StatusBadRequest) // closed
		f.do(http.MethodPost, "/rest/agile/1.0/sprint/14/issue", object{"issues": []string{"AURORA-1513"}}, http.StatusBadRequest) // a sub-task
		f.do(http.MethodPost, "/rest/agile/1.0/backlog/issue", object{"issues": []string{"AURORA-1512"}}, http.StatusNoContent)
		sprint("")

		field := map[sim.Dialect]string{sim.Cloud: "customfield_10020", sim.DataCenter: "customfield_10100"}[f.dialect]
		f.do(http.MethodPut, f.api+"/issue/AURORA-1512", object{"fields": object{field: 13}}, http.StatusNoContent)
		sprint("Спринт 3")

		no := f.do(http.MethodPut, f.api+"/issue/AURORA-1512", object{"fields": object{field: "13"}}, http.StatusBadRequest)
		if got := no.at(t, "errors."+field); got != "Number value expected as the Sprint id." {
			t.Error(got)
		}

		shown := f.get(f.api+"/issue/AURORA-1512").at(t, "fields."+field+".1")

		text, isText := shown.(string)
		if f.dialect == sim.DataCenter && (!isText || !strings.Contains(text, "[id=13,rapidViewId=1,state=FUTURE,name=Спринт 3,startDate=<null>")) {
			t.Error("Data Center prints", shown)
		}

		if object, _ := shown.(object); f.dialect == sim.Cloud && (object["name"] != "Спринт 3" || object["state"] != "future" || object["id"] != 13.0) {
			t.Error("Cloud shows", shown)
		}
	})
}

func TestTwoSprintsMayBearOneName(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		if _, err := f.AddSprint("Аврора: мобильное приложение", "Спринт 2", "active"); err != nil {
			t.Fatal(err)
		}

		var named []any

		for _, board := range []string{"1", "2"} {
			all, _ := f.get("/rest/agile/1.0/board/"+board+"/sprint?state=active").at(t, "values").([]any)
			named = append(named, slices.DeleteFunc(all, func(one any) bool {
				sprint, _ := one.(object)

				return sprint["name"] != "Спринт 2"
			})...)
		}

		if len(named) != 2 {
			t.Errorf("%v", named)
		}
	})
}
