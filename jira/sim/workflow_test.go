package sim_test

import (
	"net/http"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

// step takes a transition.
func (f *fixture) step(key, id string, fields object, status int) reply {
	f.t.Helper()

	body := object{"transition": object{"id": id}}
	if fields != nil {
		body["fields"] = fields
	}

	return f.do(http.MethodPost, f.api+"/issue/"+key+"/transitions", body, status)
}

func (f *fixture) status(key, want string) {
	f.t.Helper()

	if seen, _ := f.Issue(key); seen.Status != want {
		f.t.Errorf("%s is in %q, not %q", key, seen.Status, want)
	}
}

func TestAnIssueWalksItsWorkflowOnly(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		key := f.create("Путь", nil)

		no := f.step(key, "41", nil, http.StatusBadRequest)
		if got := no.at(t, "errorMessages.0"); got != "Transition id '41' is not valid for this issue." {
			t.Error(got)
		}

		f.step(key, "11", nil, http.StatusNoContent)
		f.step(key, "21", nil, http.StatusNoContent)
		f.status(key, "На проверке")

		open := f.get(f.api + "/issue/" + key + "/transitions?expand=transitions.fields")
		remarks := map[sim.Dialect]string{sim.Cloud: "customfield_10036", sim.DataCenter: "customfield_10109"}[f.dialect]

		for path, want := range map[string]any{
			"transitions.0.to.name": "В работе", "transitions.1.id": "41", "transitions.1.to.name": "Готово", "transitions.1.hasScreen": false,
			"transitions.2.id": "42", "transitions.2.to.name": "Готово", "transitions.2.fields." + remarks + ".required": true,
			"transitions.3.fields.resolution.required": true, "transitions.4": nil,
		} {
			if got := open.at(t, path); got != want {
				t.Errorf("%s is %v, not %v", path, got, want)
			}
		}

		f.step(key, "42", nil, http.StatusBadRequest)
		f.step(key, "42", object{remarks: f.text("мелочи")}, http.StatusNoContent)
		f.status(key, "Готово")

		if seen, _ := f.Issue(key); seen.Resolution != "Готово" {
			t.Error("a closing workflow resolves; it is", seen.Resolution)
		}

		f.step(key, "71", nil, http.StatusNoContent)

		if seen, _ := f.Issue(key); seen.Resolution != "" {
			t.Error("opened again, and resolved as", seen.Resolution)
		}
	})
}

func TestAResolutionIsAskedForWhereTheScreenHasOne(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		no := f.step("AURORA-1512", "41", nil, http.StatusBadRequest) // an error may be closed with a resolution only
		if got := no.at(t, "errorMessages.0"); got != "Field Resolution is required." {
			t.Error(got)
		}

		f.step("AURORA-1512", "41", object{"resolution": object{"name": "Дубликат"}}, http.StatusNoContent)

		if seen, _ := f.Issue("AURORA-1512"); seen.Resolution != "Дубликат" || seen.Status != "Готово" {
			t.Errorf("%+v", seen)
		}

		no = f.step("AURORA-1543", "11", object{"resolution": object{"name": "Готово"}}, http.StatusBadRequest)
		if got := no.at(t, "errors.resolution"); got != "Field 'resolution' cannot be set. It is not on the appropriate screen, or unknown." {
			t.Error(got)
		}

		if err := f.RequireResolution(sim.ForcedResolution{Project: "VEGA", To: "Готово"}); err != nil {
			t.Fatal(err)
		}

		f.step("VEGA-12", "31", nil, http.StatusBadRequest)
		f.step("VEGA-12", "31", object{"resolution": object{"id": "10000"}}, http.StatusNoContent)
	})
}

func TestScreensSayWhatMayBeSent(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		for _, knob := range []sim.ScreenField{
			{Project: "AURORA", Screen: "create", Field: "labels", Off: true},
			{Project: "AURORA", Type: "История", Field: "duedate", Required: true},
		} {
			if err := f.SetScreenField(knob); err != nil {
				t.Fatal(err)
			}
		}

		fields := object{"project": object{"key": "AURORA"}, "issuetype": object{"name": "Задача"}, "summary": "а", "labels": []string{"б"}}

		no := f.do(http.MethodPost, f.api+"/issue", object{"fields": fields}, http.StatusBadRequest)
		if got := no.at(t, "errors.labels"); got != "Field 'labels' cannot be set. It is not on the appropriate screen, or unknown." {
			t.Error(got)
		}

		key := f.create("Без меток", nil)
		f.do(http.MethodPut, f.api+"/issue/"+key, object{"fields": object{"labels": []string{"б"}}}, http.StatusNoContent)

		delete(fields, "labels")
		fields["issuetype"] = object{"name": "История"}

		no = f.do(http.MethodPost, f.api+"/issue", object{"fields": fields}, http.StatusBadRequest)
		if got := no.at(t, "errors.duedate"); got != "Due Date is required." {
			t.Error(got)
		}

		offered := f.get(f.api + "/issue/createmeta/AURORA/issuetypes/10002")
		list := map[sim.Dialect]string{sim.Cloud: "fields", sim.DataCenter: "values"}[f.dialect]

		all, _ := offered.at(t, list).([]any)
		for _, one := range all {
			one, _ := one.(object)
			if one["fieldId"] == "labels" {
				t.Error("the create screen still offers labels")
			}
		}

		if len(all) < 10 {
			t.Errorf("%s", offered.body)
		}

		if got := f.get(f.api+"/issue/AURORA-1537/editmeta").at(t, "fields.labels.operations.0"); got != "add" {
			t.Error("the edit screen's labels take", got)
		}

		types := map[sim.Dialect]string{sim.Cloud: "issueTypes.4.subtask", sim.DataCenter: "values.4.subtask"}[f.dialect]
		if f.get(f.api+"/issue/createmeta/AURORA/issuetypes").at(t, types) != true {
			t.Error("the fifth type is no sub-task")
		}
	})
}

func TestTheOldCreateMetaWentWithDataCenterNine(t *testing.T) {
	t.Parallel()

	path := "/rest/api/2/issue/createmeta?projectKeys=AURORA&issuetypeNames=%D0%97%D0%B0%D0%B4%D0%B0%D1%87%D0%B0&expand=projects.issuetypes.fields"
	older, newer := start(t, sim.Config{Dialect: sim.DataCenter, Version: "8.20.30"}), start(t, sim.Config{Dialect: sim.DataCenter})

	if got := older.get(path).at(t, "projects.0.issuetypes.0.fields.summary.required"); got != true {
		t.Error("in 8.20 the summary is required:", got)
	}

	if got := newer.do(http.MethodGet, path, nil, http.StatusNotFound).at(t, "errorMessages.0"); got != "Issue Does Not Exist" {
		t.Error(got)
	}
}

func TestAnEpicNeedsItsNameOnDataCenter(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.DataCenter})
	fields := object{"project": object{"key": "AURORA"}, "issuetype": object{"name": "Эпик"}, "summary": "а"}

	no := f.do(http.MethodPost, "/rest/api/2/issue", object{"fields": fields}, http.StatusBadRequest)
	if got := no.at(t, "errors.customfield_10102"); got != "Epic Name is required." {
		t.Error(got)
	}

	fields["customfield_10102"] = "а"
	f.do(http.MethodPost, "/rest/api/2/issue", object{"fields": fields}, http.StatusCreated)
}
