package jira

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// paged answers with items 0 to total-1, two at a time, under that name.
func paged(name string, total int, extra string, item func(i int) string) func(http.ResponseWriter, *http.Request) {
	const few = 2

	return func(w http.ResponseWriter, r *http.Request) {
		start, _ := strconv.Atoi(r.URL.Query().Get("startAt"))

		var items []string
		for i := start; i < min(start+few, total); i++ {
			items = append(items, item(i))
		}

		last := strconv.FormatBool(start+few >= total)
		reply(w, 200, fmt.Sprintf(`{"startAt":%d,"maxResults":%d,%q:[%s]%s}`, start, few, name, strings.Join(items, ","), strings.ReplaceAll(extra, "LAST", last)))
	}
}

func TestCommentsAreReadThroughAllPages(t *testing.T) {
	f := server(t, routes{"GET /rest/api/2/issue/A-1/comment": paged("comments", 5, `,"total":5`, func(i int) string {
		return fmt.Sprintf(`{"id":"%d","author":{"name":"ann"},"body":"c%d"}`, i, i)
	})})

	comments, err := f.client.Comments(t.Context(), "A-1")
	check(t, err)

	if len(comments) != 5 || comments[4].Body != "c4" {
		t.Errorf("%+v", comments)
	}
}

func TestAServerThatGivesTheSamePageAgainIsAnError(t *testing.T) {
	f := server(t, routes{"GET /rest/api/2/issue/A-1/comment": `{"startAt":0,"total":5,"comments":[{"id":"1"},{"id":"2"}]}`})

	if _, err := f.client.Comments(t.Context(), "A-1"); err == nil {
		t.Error("nothing was said")
	}
}

func TestBoardsAndSprintsOfAProjectAreReadThroughAllPages(t *testing.T) {
	f := cloud(t, routes{
		"GET /rest/agile/1.0/board": paged("values", 3, `,"total":3,"isLast":LAST`, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"name":"B%d","type":%q}`, i+1, i+1, []string{"scrum", "kanban", "simple"}[i])
		}),
		"GET /rest/agile/1.0/board/1/sprint": paged("values", 5, `,"isLast":LAST`, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"name":"Спринт %d","state":"FUTURE","originBoardId":1}`, i+1, i+1)
		}),
		"GET /rest/agile/1.0/board/3/sprint": answers(400, `{"errorMessages":["The board does not support sprints"],"errors":{}}`),
	})

	boards, err := f.client.Boards(t.Context(), "A")
	check(t, err)
	same(t, boards, `[{"id":1,"name":"B1","type":"scrum"},{"id":2,"name":"B2","type":"kanban"},{"id":3,"name":"B3","type":"simple"}]`)

	if f.seen[0].query.Get("projectKeyOrId") != "A" {
		t.Errorf("%v", f.seen[0].query)
	}

	sprints, err := f.client.Sprints(t.Context(), boards[0], "active", "future")
	check(t, err)

	if len(sprints) != 5 || sprints[4] != (Sprint{5, "Спринт 5", "future", 1}) || f.seen[len(f.seen)-1].query.Get("state") != "active,future" {
		t.Errorf("%+v", sprints)
	}

	for _, board := range boards[1:] {
		if sprints, err := f.client.Sprints(t.Context(), board, "active"); err != nil || len(sprints) != 0 {
			t.Errorf("%s: %v %v", board.Type, sprints, err)
		}
	}
}

func TestAnIssueGoesToASprintOrToTheBacklog(t *testing.T) {
	f := server(t, routes{"POST /rest/agile/1.0/sprint/7/issue": answers(204, ""), "POST /rest/agile/1.0/backlog/issue": answers(204, "")})

	check(t, f.client.MoveToSprint(t.Context(), 7, "A-1"))
	check(t, f.client.MoveToBacklog(t.Context(), "A-1", "A-2"))
	same(t, f.seen[0].body, `{"issues":["A-1"]}`)
	same(t, f.seen[1].body, `{"issues":["A-1","A-2"]}`)
}

func TestACreateScreenIsReadInEveryForm(t *testing.T) {
	const (
		types  = `[{"id":"1","name":"Task"},{"id":"2","name":"Epic"}]`
		field  = `"name":"Epic Name","required":true,"hasDefaultValue":false,"schema":{"type":"string","custom":"com.pyxis.greenhopper.jira:gh-epic-label"},"operations":["set"]`
		fields = `[{"fieldId":"customfield_10102","key":"customfield_10102",` + field + `}]`
	)

	gone := answers(404, `{"errorMessages":["Issue Does Not Exist"],"errors":{}}`)

	for name, f := range map[string]*fake{
		"cloud": cloud(t, routes{
			"GET /rest/api/3/issue/createmeta/A/issuetypes":   `{"startAt":0,"total":2,"issueTypes":` + types + `}`,
			"GET /rest/api/3/issue/createmeta/A/issuetypes/2": `{"startAt":0,"total":1,"fields":` + fields + `}`,
		}),
		"server since 8.4": server(t, routes{
			"GET /rest/api/2/issue/createmeta":                gone,
			"GET /rest/api/2/issue/createmeta/A/issuetypes":   `{"startAt":0,"total":2,"isLast":true,"values":` + types + `}`,
			"GET /rest/api/2/issue/createmeta/A/issuetypes/2": `{"startAt":0,"total":1,"isLast":true,"values":` + fields + `}`,
		}),
		"server before": server(t, routes{
			"GET /rest/api/2/issue/createmeta/A/issuetypes": gone,
			"GET /rest/api/2/issue/createmeta": `{"projects":[{"key":"A","issuetypes":[{"id":"1","name":"Task","fields":{}},
				{"id":"2","name":"Epic","fields":{"customfield_10102":{` + field + `}}}]}]}`,
		}),
	} {
		t.Run(name, func(t *testing.T) {
			screen, err := f.client.CreateScreen(t.Context(), "A", "Epic")
			check(t, err)

			if got := screen["customfield_10102"]; len(screen) != 1 || !got.Required || got.HasDefault || got.ID != "customfield_10102" || got.Custom != epicNameSchema {
				t.Errorf("%+v", screen)
			}

			if _, err := f.client.CreateScreen(t.Context(), "A", "Saga"); err == nil || !strings.Contains(err.Error(), "Task, Epic") {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAnEditScreenIsRead(t *testing.T) {
	f := cloud(t, routes{"GET /rest/api/3/issue/A-1/editmeta": `{"fields":{"labels":{"key":"labels","name":"Labels","required":false,"schema":{"type":"array","items":"string"},"operations":["set"]}}}`})

	screen, err := f.client.EditScreen(t.Context(), "A-1")
	check(t, err)
	same(t, screen, `{"labels":{"ID":"labels","Name":"Labels","Type":"array","Items":"string","Custom":"","Required":false,"HasDefault":false,"Allowed":null}}`)
}

func TestWhatJiraIsCanBeAsked(t *testing.T) {
	projects := func(i int) string { return fmt.Sprintf(`{"id":"%d","key":"P%d","name":"Project %d"}`, i, i, i) }
	given := func(api string) routes {
		return routes{
			"GET " + api + "/project":                       `[` + projects(0) + `,` + projects(1) + `,` + projects(2) + `]`,
			"GET " + api + "/project/search":                paged("values", 3, `,"total":3,"isLast":LAST`, projects),
			"GET " + api + "/project/P0/statuses":           `[{"id":"1","name":"Task","subtask":false,"statuses":[{"name":"To Do"},{"name":"Done"}]},{"id":"2","name":"Sub-task","subtask":true,"statuses":[]}]`,
			"GET " + api + "/issueLinkType":                 `{"issueLinkTypes":[{"id":"1","name":"Blocks","inward":"is blocked by","outward":"blocks"}]}`,
			"GET " + api + "/myself":                        `{"name":"agent","key":"k","accountId":"5b1","displayName":"Agent"}`,
			"GET " + api + "/mypermissions":                 `{"permissions":{"CREATE_ISSUES":{"havePermission":true},"EDIT_ISSUES":{"havePermission":false}}}`,
			"GET " + api + "/issue/A-1/properties/hub":      `{"key":"hub","value":{"key":"1"}}`,
			"GET " + api + "/issue/A-2/properties/hub":      answers(404, `{"errorMessages":["The property hub does not exist."]}`),
			"GET " + api + "/issue/A%2FB/properties/h%3Fub": `{"value":1}`,
		}
	}

	for name, f := range map[string]*fake{"server": server(t, given("/rest/api/2")), "cloud": cloud(t, given("/rest/api/3"))} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()

			all, err := f.client.Projects(ctx)
			check(t, err)
			same(t, all, `[`+projects(0)+`,`+projects(1)+`,`+projects(2)+`]`)

			types, err := f.client.IssueTypes(ctx, "P0")
			check(t, err)
			same(t, types, `[{"ID":"1","Name":"Task","Subtask":false,"Statuses":["To Do","Done"]},{"ID":"2","Name":"Sub-task","Subtask":true,"Statuses":null}]`)

			links, err := f.client.LinkTypes(ctx)
			check(t, err)
			same(t, links, `[{"id":"1","name":"Blocks","inward":"is blocked by","outward":"blocks"}]`)

			user, err := f.client.Myself(ctx)
			check(t, err)
			same(t, user, `{"name":"agent","key":"k","accountId":"5b1","displayName":"Agent"}`)

			may, err := f.client.Permissions(ctx, "A", "CREATE_ISSUES", "EDIT_ISSUES", "LINK_ISSUES")
			check(t, err)
			same(t, may, `{"CREATE_ISSUES":true,"EDIT_ISSUES":false,"LINK_ISSUES":false}`)

			value, known, err := f.client.Property(ctx, "A-1", "hub")
			check(t, err)
			same(t, []any{value, known}, `[{"key":"1"},true]`)

			value, known, err = f.client.Property(ctx, "A-2", "hub")
			check(t, err)
			same(t, []any{value, known}, `[null,false]`)

			value, _, err = f.client.Property(ctx, "A/B", "h?ub")
			check(t, err)
			same(t, value, `1`)
		})
	}
}
