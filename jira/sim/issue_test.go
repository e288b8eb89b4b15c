package sim_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

func TestAnIssueIsReadAsItWasCreated(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		key := f.create("Отчёт", object{
			"description": f.text("Строка 🙂"), "labels": []string{"б", "а", "а"}, "priority": object{"name": "High"}, "duedate": "2026-12-24",
		})
		if key != "AURORA-1590" {
			t.Error("the first new issue is", key)
		}

		read := f.get(f.api + "/issue/" + key)
		for path, want := range map[string]any{
			"fields.summary": "Отчёт", "fields.labels.0": "а", "fields.labels.1": "б", "fields.labels.2": nil, "fields.priority.name": "High",
			"fields.status.name": "К выполнению", "fields.duedate": "2026-12-24", "fields.assignee": nil, "fields.issuetype.name": "Задача",
			"fields.project.key": "AURORA",
		} {
			if got := read.at(t, path); got != want {
				t.Errorf("%s: %v, not %v", path, got, want)
			}
		}

		if seen, _ := f.Issue(key); seen.Description != "Строка 🙂" {
			t.Errorf("the description is %q", seen.Description)
		}

		if read := f.get(f.api + "/issue/" + key + "?fields=summary,-labels"); read.at(t, "fields.status") != nil || read.at(t, "fields.summary") != "Отчёт" {
			t.Errorf("asked for the summary alone: %s", read.body)
		}
	})
}

func TestAnEditChangesWhatItNamesAndNothingWhereOneFieldIsWrong(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		path := f.api + "/issue/AURORA-1543"
		f.do(http.MethodPut, path, object{"fields": object{"summary": "  Новая тема ", "labels": []string{"а"}}}, http.StatusNoContent)
		f.do(http.MethodPut, path, object{"update": object{"labels": []any{object{"add": "б"}, object{"remove": "а"}}}}, http.StatusNoContent)

		no := f.do(http.MethodPut, path, object{"fields": object{"summary": "Ещё одна", "customfield_99999": 1}}, http.StatusBadRequest)
		if got := no.at(t, "errors.customfield_99999"); got != "Field 'customfield_99999' cannot be set. It is not on the appropriate screen, or unknown." {
			t.Error(got)
		}

		if seen, _ := f.Issue("AURORA-1543"); seen.Summary != "Новая тема" || !slices.Equal(seen.Labels, []string{"б"}) {
			t.Errorf("%+v", seen)
		}

		if got := f.do(http.MethodPut, path, object{}, http.StatusBadRequest).at(t, "errorMessages.0"); got != "one of 'fields' or 'update' required" {
			t.Error(got)
		}
	})
}

func TestCustomFieldsTakeTheirOwnKindsOnly(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.DataCenter})
	path := "/rest/api/2/issue/AURORA-1543"

	for field, want := range map[string]struct {
		sent  any
		shown string
		value any
	}{
		"customfield_10103": {3, "fields.customfield_10103", 3.0},
		"customfield_10104": {object{"value": "Мобильная"}, "fields.customfield_10104.id", "10201"},
		"customfield_10106": {[]any{object{"value": "iOS"}, object{"id": "10210"}}, "fields.customfield_10106.1.value", "Веб"},
		"customfield_10107": {object{"name": "petrov"}, "fields.customfield_10107.displayName", "Пётр Петров"},
		"customfield_10111": {"строка", "fields.customfield_10111", "строка"},
		"assignee":          {object{"name": "kim"}, "fields.assignee.name", "kim"},
		"components":        {[]any{object{"name": "API"}}, "fields.components.0.name", "API"},
		"fixVersions":       {[]any{object{"name": "2.1"}}, "fields.fixVersions.0.name", "2.1"},
	} {
		f.do(http.MethodPut, path, object{"fields": object{field: want.sent}}, http.StatusNoContent)

		if got := f.get(path).at(t, want.shown); got != want.value {
			t.Errorf("%s: %v, not %v", want.shown, got, want.value)
		}
	}

	for field, sent := range map[string]any{
		"customfield_10103": "три", "customfield_10104": object{"value": "Никакая"}, "customfield_10106": "iOS", "assignee": object{"name": "nobody"},
		"components": []any{object{"name": "Нет такого"}}, "duedate": "завтра", "priority": object{"name": "Очень"}, "labels": "а",
	} {
		if f.do(http.MethodPut, path, object{"fields": object{field: sent}}, http.StatusBadRequest).at(t, "errors."+field) == nil {
			t.Errorf("%s was refused without a word of it", field)
		}
	}
}

func TestParentsAndEpicsAreOfTheDialect(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		child := f.create("Часть", object{"issuetype": object{"name": "Подзадача"}, "parent": object{"key": "AURORA-1537"}})
		if seen, _ := f.Issue(child); seen.Parent != "AURORA-1537" || seen.Sprint != "Спринт 2" {
			t.Errorf("%+v", seen)
		}

		no := f.do(http.MethodPost, f.api+"/issue", object{"fields": object{
			"project": object{"key": "AURORA"}, "issuetype": object{"name": "Подзадача"}, "summary": "Без родителя",
		}}, http.StatusBadRequest)
		if got := no.at(t, "errors.issuetype"); got != "Issue type is a sub-task but parent issue key or id not specified." {
			t.Error(got)
		}

		epic := object{"parent": object{"key": "AURORA-1502"}}
		if f.dialect == sim.DataCenter {
			epic = object{"customfield_10101": "AURORA-1502"}
		}

		key := f.create("В эпике", epic)
		if seen, _ := f.Issue(key); seen.Epic != "AURORA-1502" {
			t.Errorf("%+v", seen)
		}

		if fields, _ := f.get(f.api+"/issue/AURORA-1543").at(t, "fields").(object); fields != nil {
			if parent, there := fields["parent"]; there || len(fields) < 20 {
				t.Errorf("an issue under nothing shows the parent %v", parent)
			}
		}

		parent := f.get(f.api+"/issue/"+key).at(t, "fields.parent.key")
		if cloud := f.dialect == sim.Cloud; cloud != (parent == "AURORA-1502") {
			t.Errorf("%s: the parent of a task in an epic is %v", f.dialect, parent)
		}
	})
}

func TestPropertiesAreWrittenWithTheIssueAndAlone(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		key, _ := f.do(http.MethodPost, f.api+"/issue", object{
			"fields":     object{"project": object{"key": "VEGA"}, "issuetype": object{"id": "10002"}, "summary": "С меткой"},
			"properties": []any{object{"key": "hub", "value": object{"dedupe": "k1"}}},
		}, http.StatusCreated).at(t, "key").(string)
		path := f.api + "/issue/" + key + "/properties"

		if got := f.get(path+"/hub").at(t, "value.dedupe"); got != "k1" {
			t.Error(got)
		}

		f.do(http.MethodPut, path+"/hub", "other", http.StatusOK)
		f.do(http.MethodPut, path+"/more", 1, http.StatusCreated)

		if got := f.get(f.api+"/issue/"+key+"?properties=hub&fields=summary").at(t, "properties.hub"); got != "other" {
			t.Error(got)
		}

		if got := f.get(path).at(t, "keys.1.key"); got != "more" {
			t.Error(got)
		}

		f.do(http.MethodDelete, path+"/more", nil, http.StatusNoContent)
		f.do(http.MethodGet, path+"/more", nil, http.StatusNotFound)
	})
}

func TestAMovedIssueAnswersToItsOldKey(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		moved, err := f.MoveIssue("AURORA-1543", "VEGA")
		if err != nil {
			t.Fatal(err)
		}

		if got := f.get(f.api+"/issue/AURORA-1543").at(t, "key"); got != moved {
			t.Error("the old key answers with", got)
		}

		if found := f.find("key in (AURORA-1543, AURORA-1537) ORDER BY key"); !slices.Equal(found, []string{"AURORA-1537", moved}) {
			t.Error("JQL by the old key finds", found)
		}
	})
}

func TestOnCloudManyAreReadAtOnceAndTheMissingAreNamed(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.Cloud})
	read := f.do(http.MethodPost, f.api+"/issue/bulkfetch", object{
		"issueIdsOrKeys": []string{"AURORA-1537", "AURORA-404", "AURORA-1540"}, "fields": []string{"status"},
	}, http.StatusOK)

	if read.at(t, "issues.1.key") != "AURORA-1540" || read.at(t, "issueErrors.0.id") != "AURORA-404" {
		t.Errorf("%s", read.body)
	}
}
