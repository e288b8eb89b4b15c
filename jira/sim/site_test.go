package sim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

func TestASiteSaysWhatItIs(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		kind, me := "Server", "name"
		if f.dialect == sim.Cloud {
			kind, me = "Cloud", "accountId"
		}

		for path, want := range map[string]map[string]any{
			"/rest/api/2/serverInfo":            {"deploymentType": kind, "baseUrl": f.url},
			f.api + "/serverInfo":               {"deploymentType": kind},
			f.api + "/issueLinkType":            {"issueLinkTypes.0.outward": "blocks", "issueLinkTypes.4.inward": "проверяется"},
			f.api + "/project":                  {"0.key": "AURORA", "1.key": "VEGA"},
			f.api + "/project/AURORA":           {"issueTypes.2.name": "Задача", "key": "AURORA"},
			f.api + "/project/AURORA/statuses":  {"0.statuses.0.name": "К выполнению", "4.subtask": true},
			f.api + "/project/VEGA/versions":    {"0": nil},
			f.api + "/project/10000/components": {"1.name": "API"},
			f.api + "/status":                   {"2.name": "На проверке", "2.statusCategory.key": "indeterminate"},
			f.api + "/priority":                 {"2.name": "Medium"},
			f.api + "/resolution":               {"0.name": "Готово"},
			f.api + "/mypermissions?permissions=CREATE_ISSUES&projectKey=AURORA":      {"permissions.CREATE_ISSUES.havePermission": true},
			f.api + "/user/assignable/search?project=AURORA&query=%D0%9A%D0%B8%D0%BC": {"0.displayName": "Виктор Ким", "1": nil},
			"/rest/agile/1.0/board/2":                      {"type": "scrum"},
			"/rest/agile/1.0/sprint/11":                    {"state": "closed", "originBoardId": 1.0},
			"/rest/agile/1.0/sprint/12/issue?maxResults=1": {"issues.0.key": "AURORA-1512", "issues.1": nil},
		} {
			answer := f.get(path)
			for member, value := range want {
				if got := answer.at(t, member); got != value {
					t.Errorf("%s: %s is %v, not %v", path, member, got, value)
				}
			}
		}

		if f.get(f.api+"/myself").at(t, me) == nil {
			t.Error("the account has no", me)
		}

		f.do(http.MethodGet, f.api+"/issue/AURORA-404", nil, http.StatusNotFound)
		f.do(http.MethodGet, f.api+"/project/NONE", nil, http.StatusNotFound)
	})
}

func TestFieldsAreKnownByTheirSchemaAndTwoBearOneName(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		var all []any
		if err := json.Unmarshal(f.get(f.api+"/field").body, &all); err != nil {
			t.Fatal(err)
		}

		custom, names := map[any]bool{}, map[any]int{}

		for _, one := range all {
			field, _ := one.(object)
			schema, _ := field["schema"].(object)
			custom[schema["custom"]] = true
			names[field["name"]]++
		}

		for _, schema := range []string{"gh-sprint", "gh-epic-link", "gh-epic-label"} {
			if !custom["com.pyxis.greenhopper.jira:"+schema] {
				t.Error("no field of", schema)
			}
		}

		if names["Оценка"] != 2 || names["Story Points"] != 1 {
			t.Error(names)
		}
	})
}

func TestManyCallsAtOnceMakeAsManyIssues(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		var all sync.WaitGroup

		for at := range 8 {
			all.Go(func() {
				for n := range 5 {
					body := object{"fields": object{
						"project": object{"key": "VEGA"}, "issuetype": object{"name": "Задача"}, "summary": fmt.Sprintf("%d/%d", at, n), "labels": []string{"вместе"},
					}}
					if r, err := f.try(http.MethodPost, f.api+"/issue", body); err != nil || r.status != http.StatusCreated {
						t.Error(r.status, err)
					}

					if r, err := f.try(http.MethodGet, f.api+"/issue/VEGA-12", nil); err != nil || r.status != http.StatusOK {
						t.Error(r.status, err)
					}
				}
			})
		}

		all.Wait()

		keys := map[string]bool{}
		for _, i := range f.Labelled("вместе") {
			keys[i.Key] = true
		}

		if len(keys) != 40 {
			t.Errorf("%d keys", len(keys))
		}
	})
}

func TestItHoldsNoMoreThanItMay(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.DataCenter, MaxIssues: 23})
	f.create("Последняя", nil)

	body := object{"fields": object{"project": object{"key": "VEGA"}, "issuetype": object{"name": "Задача"}, "summary": "Лишняя"}}
	f.do(http.MethodPost, "/rest/api/2/issue", body, http.StatusInternalServerError)
}

func TestPeopleReadThatItIsASimulation(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		in := func(language, path string, status int, wanted ...string) {
			t.Helper()

			got := f.as(func(r *http.Request) { r.Header.Set("Accept-Language", language) }, http.MethodGet, path)
			for _, word := range wanted {
				if got.status != status || !strings.Contains(string(got.body), word) {
					t.Errorf("%s in %s: %d, and no %q in it", path, language, got.status, word)
				}
			}

			if strings.Contains(string(got.body), "http://") || strings.Contains(string(got.body), "https://") {
				t.Error("the page leads elsewhere")
			}
		}

		in("ru-RU,ru;q=0.9,en;q=0.8", "/", http.StatusOK, "Это имитация Jira", "AURORA-1537", "Выпуск 2.0", `lang="ru"`)
		in("en;q=0.9, ru;q=0.3", "/", http.StatusOK, "This is a simulated Jira", "AURORA-1537")
		in("de", "/browse/AURORA-1512", http.StatusOK, "simulated", "Чек не приходит", "blocks", "AURORA-1537", "Спринт 2", "Исправлено в ветке")
		in("ru", "/browse/AURORA-404", http.StatusNotFound, "Такой задачи нет")

		f.create("<script>alert(1)</script>", nil)
		in("en", "/", http.StatusOK, "&lt;script&gt;")
		in("en", "/_sim/style.css", http.StatusOK, ".notice")

		moved, err := f.MoveIssue("AURORA-1543", "VEGA")
		if err != nil {
			t.Fatal(err)
		}

		in("en", "/browse/AURORA-1543", http.StatusOK, moved)
	})
}
