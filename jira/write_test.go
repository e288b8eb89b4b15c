package jira

import (
	"net/http"
	"strings"
	"testing"
)

func TestAnIssueIsCreatedWithItsMarkInOneRequest(t *testing.T) {
	issue := NewIssue{
		Project: "A", IssueType: "Story", Summary: "Отчёт", Description: "One\ntwo", Epic: "A-5",
		Fields: map[string]any{"labels": []any{"own"}, "Area": "North", "assignee": "ann", "fixVersions": []any{"1.0"}, "Criteria": "x"},
		Labels: []string{"hub-1"}, Properties: map[string]any{"hub": map[string]any{"key": "1"}},
	}

	f := server(t, routes{"POST /rest/api/2/issue": answers(201, `{"id":"10001","key":"A-1"}`)})
	created, err := f.client.CreateIssue(t.Context(), issue)
	check(t, err)

	if created != (Created{JiraID: "10001", Key: "A-1"}) {
		t.Errorf("%+v", created)
	}

	same(t, f.only("POST", "/rest/api/2/issue").body, `{"fields":{"project":{"key":"A"},"issuetype":{"name":"Story"},"summary":"Отчёт","description":"One\ntwo",
		"customfield_10101":"A-5","labels":["own","hub-1"],"customfield_10203":{"value":"North"},"assignee":{"name":"ann"},"fixVersions":[{"name":"1.0"}],
		"customfield_10204":"x"},"properties":[{"key":"hub","value":{"key":"1"}}]}`)

	f = cloud(t, routes{"POST /rest/api/3/issue": answers(201, `{"id":"10001","key":"A-1"}`)})
	_, err = f.client.CreateIssue(t.Context(), issue)
	check(t, err)

	same(t, f.only("POST", "/rest/api/3/issue").body, `{"fields":{"project":{"key":"A"},"issuetype":{"name":"Story"},"summary":"Отчёт",
		"description":{"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"One"},{"type":"hardBreak"},{"type":"text","text":"two"}]}]},
		"parent":{"key":"A-5"},"labels":["own","hub-1"],"customfield_10203":{"value":"North"},"assignee":{"accountId":"ann"},"fixVersions":[{"name":"1.0"}],
		"customfield_10204":{"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"x"}]}]}},
		"properties":[{"key":"hub","value":{"key":"1"}}]}`)
}

func TestAParentAndAnEpicAreOneThingOnCloud(t *testing.T) {
	issue := NewIssue{Project: "A", IssueType: "Sub-task", Summary: "s", Parent: "A-1", Epic: "A-5"}

	f := server(t, routes{"POST /rest/api/2/issue": answers(201, `{"id":"1","key":"A-2"}`)})
	_, err := f.client.CreateIssue(t.Context(), issue)
	check(t, err)
	same(t, f.only("POST", "/rest/api/2/issue").body, `{"fields":{"project":{"key":"A"},"issuetype":{"name":"Sub-task"},"summary":"s","parent":{"key":"A-1"},"customfield_10101":"A-5"}}`)

	if _, err := cloud(t, nil).client.CreateIssue(t.Context(), issue); err == nil || !strings.Contains(err.Error(), "one parent") {
		t.Errorf("%v", err)
	}
}

func TestWhereThereIsNoEpicLinkAnEpicIsAnError(t *testing.T) {
	f := server(t, routes{"GET /rest/api/2/field": `[{"id":"summary","name":"Summary"}]`})

	if _, err := f.client.CreateIssue(t.Context(), NewIssue{Project: "A", IssueType: "Task", Summary: "s", Epic: "A-5"}); err == nil {
		t.Error("nothing was said")
	}
}

func TestValuesGoAsJiraTakesThem(t *testing.T) {
	fields := map[string]any{
		"summary": "<a> & b", "description": "", "Story Points": 5, "labels": []string{"x", "y"}, "Reviewers": []any{"ann", map[string]any{"name": "bob"}},
		"priority": "High", "Area": "", "parent": "A-9", "assignee": nil, "Epic Link": "A-5", "customfield_10201": map[string]any{"id": "7"},
	}

	f := server(t, routes{"PUT /rest/api/2/issue/A-1": answers(204, "")})
	check(t, f.client.EditIssue(t.Context(), "A-1", fields))
	same(t, f.only("PUT", "/rest/api/2/issue/A-1").body, `{"fields":{"summary":"<a> & b","description":"","customfield_10206":5,"labels":["x","y"],
		"customfield_10205":[{"name":"ann"},{"name":"bob"}],"priority":{"name":"High"},"customfield_10203":null,"parent":{"key":"A-9"},"assignee":null,
		"customfield_10101":"A-5","customfield_10201":{"id":"7"}}}`)

	f = cloud(t, routes{"PUT /rest/api/3/issue/A-1": answers(204, "")})
	check(t, f.client.EditIssue(t.Context(), "A-1", map[string]any{"description": "", "Reviewers": []any{"5b1"}, "assignee": "5b1"}))
	same(t, f.only("PUT", "/rest/api/3/issue/A-1").body, `{"fields":{"description":null,"customfield_10205":[{"accountId":"5b1"}],"assignee":{"accountId":"5b1"}}}`)
}

func TestAFieldIsFoundByItsIDOrItsOneName(t *testing.T) {
	fields, err := server(t, nil).client.Fields(t.Context())
	check(t, err)

	for name, id := range map[string]string{
		"Area": "customfield_10203", "customfield_10201": "customfield_10201", "sprint": "customfield_10100", "summary": "summary", "parent": "parent",
	} {
		if field, err := fields.Find(name); err != nil || field.ID != id {
			t.Errorf("%s: %+v %v", name, field, err)
		}
	}

	if _, err := fields.Find("Team"); err == nil || !strings.Contains(err.Error(), "customfield_10201, customfield_10202") {
		t.Errorf("a name of two: %v", err)
	}

	if _, err := fields.Find("area"); err == nil {
		t.Error("a name in other letters, and nothing was said")
	}

	for _, field := range []func() (Field, bool){fields.Sprint, fields.EpicLink, fields.EpicName} {
		if found, ok := field(); !ok || found.Schema() == found.Type {
			t.Errorf("%+v", found)
		}
	}
}

func TestAnUnknownFieldIsNeverSent(t *testing.T) {
	f := server(t, nil)
	if err := f.client.EditIssue(t.Context(), "A-1", map[string]any{"Team": "x"}); err == nil || KindOf(err) != 0 {
		t.Errorf("%v", err)
	}

	if len(f.seen) != 1 { // the fields
		t.Errorf("%+v", f.seen)
	}
}

func TestATransitionShowsItsScreenAndTakesItsFields(t *testing.T) {
	f := server(t, routes{
		"GET /rest/api/2/issue/A-1/transitions": `{"transitions":[{"id":"11","name":"Go","to":{"name":"In Progress","id":"3"}},
			{"id":"21","name":"End","to":{"name":"Done"},"fields":{"resolution":{"required":true,"name":"Resolution","hasDefaultValue":false,
			"schema":{"type":"resolution","system":"resolution"},"operations":["set"],"allowedValues":[{"id":"1","name":"Fixed"},"odd"]}}}]}`,
		"POST /rest/api/2/issue/A-1/transitions": answers(204, ""),
	})

	transitions, err := f.client.Transitions(t.Context(), "A-1")
	check(t, err)

	if len(transitions) != 2 || transitions[0].To != "In Progress" || len(transitions[0].Fields) != 0 || f.seen[0].query.Get("expand") != "transitions.fields" {
		t.Errorf("%+v", transitions)
	}

	same(t, transitions[1].Fields, `{"resolution":{"ID":"resolution","Name":"Resolution","Type":"resolution","Items":"","Custom":"","Required":true,"HasDefault":false,"Allowed":[{"id":"1","name":"Fixed"}]}}`)

	check(t, f.client.DoTransition(t.Context(), "A-1", "21", map[string]any{"resolution": "Fixed"}))
	same(t, f.only("POST", "/rest/api/2/issue/A-1/transitions").body, `{"transition":{"id":"21"},"fields":{"resolution":{"name":"Fixed"}}}`)
}

func TestALinkHasItsSourceWhereJiraWantsIt(t *testing.T) {
	for _, f := range []*fake{
		server(t, routes{"POST /rest/api/2/issueLink": answers(201, "")}), cloud(t, routes{"POST /rest/api/3/issueLink": answers(201, "")}),
	} {
		check(t, f.client.Link(t.Context(), "Blocks", "A-1", "A-2"))
		same(t, f.seen[0].body, `{"type":{"name":"Blocks"},"inwardIssue":{"key":"A-1"},"outwardIssue":{"key":"A-2"}}`)
	}
}

func TestALinkIsDeletedByItsID(t *testing.T) {
	f := cloud(t, routes{"DELETE /rest/api/3/issueLink/17": answers(http.StatusNoContent, "")})
	check(t, f.client.DeleteLink(t.Context(), "17"))
}

func TestACommentIsWrittenAndReadAsPlainText(t *testing.T) {
	const text = "One\r\n\n\ntwo  "

	f := server(t, routes{"POST /rest/api/2/issue/A-1/comment": answers(201, `{"id":"5","author":{"name":"agent","key":"JIRAUSER1"},"body":"One"}`)})
	comment, err := f.client.AddComment(t.Context(), "A-1", text)
	check(t, err)
	same(t, f.seen[0].body, `{"body":"One\r\n\n\ntwo  "}`)

	if comment.ID != "5" || !comment.Author.Same(User{Key: "JIRAUSER1", Name: "renamed"}) {
		t.Errorf("%+v", comment)
	}

	f = cloud(t, routes{
		"POST /rest/api/3/issue/A-1/comment": answers(201, `{"id":"5","author":{"accountId":"5b1"}}`),
		"GET /rest/api/3/issue/A-1/comment":  `{"startAt":0,"total":1,"comments":[{"id":"5","author":{"accountId":"5b1"},"body":` + inJSON(ToDocument(text)) + `}]}`,
	})
	comment, err = f.client.AddComment(t.Context(), "A-1", text)
	check(t, err)
	same(t, f.seen[0].body, `{"body":`+inJSON(ToDocument(text))+`}`)

	if !comment.Author.Same(User{AccountID: "5b1"}) || comment.Author.Same(User{AccountID: "5b2"}) || comment.Author.Same(User{Name: "x"}) {
		t.Errorf("%+v", comment)
	}

	comments, err := f.client.Comments(t.Context(), "A-1")
	check(t, err)

	if len(comments) != 1 || comments[0].Body != text {
		t.Errorf("%+v", comments)
	}
}
