package sim_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

func TestJQLFindsWhatItNames(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		mine := f.create(`Отчёт о "лимитах" и лимите`, object{"labels": []string{"hub-5f1c"}})

		for jql, want := range map[string][]string{
			`labels = "hub-5f1c"`:       {mine},
			`labels in (HUB-5F1C, нет)`: {mine},
			`project = AURORA AND creator = currentUser() AND created >= "-1h"`:            {mine},
			`project = аврора and reporter = currentUser() order by created DESC, key asc`: {mine},
			`issuetype = "Подзадача" AND parent = AURORA-1537 ORDER BY key`:                {"AURORA-1538", "AURORA-1539"},
			`issuetype = Подзадача AND (parent = AURORA-1512 OR key = AURORA-1538)`:        {"AURORA-1538", "AURORA-1513"},
			`key in (AURORA-1537, "AURORA-1501", aurora-1540) ORDER BY key ASC`:            {"AURORA-1501", "AURORA-1537", "AURORA-1540"},
			`issuekey = 'AURORA-1537'`:                           {"AURORA-1537"},
			`summary ~ "лимит отчет" AND NOT key = AURORA-1541`:  {},
			`summary ~ "отчёт лимита"`:                           {mine},
			`summary ~ "\"Отчёт о\""`:                            {mine},
			`summary ~ "\"о Отчёт\""`:                            {},
			`sprint in openSprints() AND status = "На проверке"`: {"AURORA-1512"},
			`"Story Points" >= 8`:                                {"AURORA-1520"},
			`cf[` + map[sim.Dialect]string{sim.Cloud: "10016", sim.DataCenter: "10103"}[f.dialect] + `] = 8`: {"AURORA-1520"},
			`resolution = Дубликат or resolution = "Не воспроизводится"`:                                     {"AURORA-1542"},
			`project = VEGA AND sprint is EMPTY AND assignee is null order by key`:                           {"VEGA-12", "VEGA-13"},
			`project != AURORA AND key > VEGA-12`:                                                            {"VEGA-13"},
			`assignee = "` + map[sim.Dialect]string{sim.Cloud: "712020:5b10ac8d-82e0-4b22-8c7d-4ef500000001", sim.DataCenter: "ivanova"}[f.dialect] + `" AND issuetype = Задача AND sprint = "Спринт 2"`: {"AURORA-1537"},
			`labels not in (оплата) AND labels is not empty and labels != "hub-5f1c"`: {"AURORA-1531"},
			`description ~ "стенде" or comment ~ "стенде"`:                            {"AURORA-1512"},
		} {
			if found := f.find(jql); !slices.Equal(found, want) {
				t.Errorf("%s\nfound %v, not %v", jql, found, want)
			}
		}
	})
}

func TestWhatJQLCannotReadIsRefusedInJirasWords(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		path := f.api + "/search"
		if f.dialect == sim.Cloud {
			path += "/jql"
		}

		for jql, want := range map[string]string{
			"assignee = kim@example.com":         "Error in the JQL Query: The character '@' is a reserved JQL character. You must enclose it in a string or use the escape '\\u0040' instead. (line 1, character 15)",
			"key in (AURORA-1537, DELETED-1)":    "An issue with key 'DELETED-1' does not exist for field 'key'.",
			"issuekey = нет":                     "The issue key 'нет' for field 'issuekey' is invalid.",
			"nonsense = 1":                       "Field 'nonsense' does not exist or you do not have permission to view it.",
			"Оценка = 1":                         "Field 'Оценка' does not exist or you do not have permission to view it.",
			"project = НЕТ":                      "The value 'НЕТ' does not exist for the field 'project'.",
			"project = AURORA AND":               "Error in the JQL Query: Expecting a field name at the end of the query.",
			"(project = AURORA":                  "Error in the JQL Query: Expecting ')' before the end of the query.",
			"project = AURORA labels = a":        "Error in the JQL Query: Expecting either 'OR' or 'AND' but got 'labels'. (line 1, character 18)",
			"project AURORA":                     "Error in the JQL Query: Expecting operator but got 'AURORA'. The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'. (line 1, character 9)",
			`summary ~ "без конца`:               "Error in the JQL Query: The quoted string 'без конца' has not been completed. (line 1, character 11)",
			`summary = "тема"`:                   "The operator '=' is not supported by the 'summary' field.",
			`project ~ AURORA`:                   "The operator '~' is not supported by the 'project' field.",
			`created >= "вчера"`:                 "Date value 'вчера' for field 'created' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.",
			`summary ~ "[черновик"`:              "Unable to parse the text '[черновик' for field 'summary'.",
			`summary ~ "*а"`:                     "The text query '*а' for field 'summary' is not allowed to start with character '*'",
			`project = currentUser()`:            "Unable to find JQL function 'currentuser()'.",
			`project = AURORA ORDER BY nonsense`: "Field 'nonsense' does not exist or you do not have permission to view it.",
		} {
			no := f.do(http.MethodPost, path, object{"jql": jql, "fields": []string{"summary"}}, http.StatusBadRequest)
			if got := no.at(t, "errorMessages.0"); got != want {
				t.Errorf("%s\nsaid     %v\ninstead of %s", jql, got, want)
			}
		}
	})
}

func TestDatesAreOfTheAccountsZoneAndOfMinutes(t *testing.T) {
	t.Parallel()

	at := &clock{now: time.Date(2026, 11, 30, 21, 30, 40, 0, time.UTC)} // in Moscow the next day has begun
	f := start(t, sim.Config{Dialect: sim.DataCenter, Now: at.tell})
	key := f.create("Ночная", nil)

	for jql, want := range map[string]int{
		`created >= "2026-12-01"`: 1, `created >= "2026-12-01 00:30"`: 1, `created > "2026/12/01 00:30"`: 0, `created < "2026-12-01 00:31"`: 1,
		`created >= "2026-11-30 21:31"`: 1, `created >= startOfDay()`: 1, `created >= -1m`: 1, `created > now()`: 0,
	} {
		if found := f.find(jql + " AND creator = currentUser()"); len(found) != want {
			t.Errorf("%s finds %v", jql, found)
		}
	}

	if got := f.get("/rest/api/2/issue/"+key).at(t, "fields.created"); got != "2026-12-01T00:30:40.000+0300" {
		t.Error("created", got)
	}
}

func TestPagesHoldEveryIssueOnce(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		if _, _, err := f.AddIssues("VEGA", 350); err != nil {
			t.Fatal(err)
		}

		found := f.find("project = VEGA ORDER BY key")
		if len(found) != 352 || found[0] != "VEGA-12" || found[351] != "VEGA-363" {
			t.Errorf("%d issues, from %s to %s", len(found), found[0], found[len(found)-1])
		}

		slices.Sort(found)

		if len(slices.Compact(found)) != 352 {
			t.Error("some came twice")
		}
	})
}

func TestTheIndexLagsAndReadingByKeyDoesNot(t *testing.T) {
	t.Parallel()

	for _, dialect := range []sim.Dialect{sim.Cloud, sim.DataCenter} {
		at := &clock{now: time.Now()}
		f := start(t, sim.Config{Dialect: dialect, Now: at.tell})
		f.SetIndexLag(15 * time.Second)

		key := f.create("Новая", object{"labels": []string{"hub-1"}})
		f.get(f.api + "/issue/" + key)

		if found := f.find("labels = hub-1"); len(found) != 0 {
			t.Error("found at once:", found)
		}

		// The key is known, so that asking for it is no error; it is only not found yet.
		if found := f.find("key = " + key); len(found) != 0 {
			t.Error("found by key at once:", found)
		}

		at.now = at.now.Add(15 * time.Second)

		if found := f.find("labels = hub-1"); !slices.Equal(found, []string{key}) {
			t.Error("found after the lag:", found)
		}

		f.HoldIndex(true)
		f.do(http.MethodPut, f.api+"/issue/"+key, object{"fields": object{"labels": []string{}}}, http.StatusNoContent)

		at.now = at.now.Add(time.Hour)

		if found := f.find("labels = hub-1"); !slices.Equal(found, []string{key}) {
			t.Error("a held index has moved:", found)
		}

		f.Reindex()

		if found := f.find("labels = hub-1"); len(found) != 0 {
			t.Error("found after a reindex:", found)
		}
	}
}

func TestTheOldSearchIsGoneOnCloud(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.Cloud})
	if no := f.do(http.MethodGet, "/rest/api/2/search?jql="+url.QueryEscape("project = AURORA"), nil, http.StatusGone); no.at(t, "errorMessages.0") == nil {
		t.Errorf("%s", no.body)
	}

	if no := f.do(http.MethodGet, f.api+"/search/jql?jql="+url.QueryEscape("order by key"), nil, http.StatusBadRequest); no.at(t, "errorMessages.0") !=
		"Unbounded JQL queries are not allowed here. Please add a search restriction to your query." {
		t.Errorf("%s", no.body)
	}

	ids := f.get(f.api + "/search/jql?jql=" + url.QueryEscape("project = VEGA"))
	if ids.at(t, "issues.0.id") == nil || ids.at(t, "issues.0.key") != nil || ids.at(t, "isLast") != true {
		t.Errorf("without fields: %s", ids.body)
	}
}

func TestDataCenterPassesOverUnknownKeysWhenToldTo(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.DataCenter})
	jql := "key in (AURORA-1537, AURORA-404)"

	warned := f.do(http.MethodPost, "/rest/api/2/search", object{"jql": jql, "validateQuery": "warn"}, http.StatusOK)
	if warned.at(t, "total") != 1.0 || warned.at(t, "warningMessages.0") == nil {
		t.Errorf("%s", warned.body)
	}

	silent := f.get("/rest/api/2/search?validateQuery=false&jql=" + url.QueryEscape(jql))
	if silent.at(t, "total") != 1.0 || silent.at(t, "warningMessages.0") != nil {
		t.Errorf("%s", silent.body)
	}
}
