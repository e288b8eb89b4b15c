package jira

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestAnIssueLooksTheSameFromBothKinds(t *testing.T) {
	const links = `"issuelinks":[
		{"id":"1","type":{"name":"Blocks","inward":"is blocked by","outward":"blocks"},"outwardIssue":{"key":"A-2"}},
		{"id":"2","type":{"name":"Blocks","inward":"is blocked by","outward":"blocks"},"inwardIssue":{"key":"A-3"}},
		{"id":"3","type":{"name":"Relates","inward":"relates to","outward":"relates to"}}]`

	common := `"id":"10001","key":"A-1","fields":{"project":{"key":"A"},"issuetype":{"name":"Task"},"summary":"Sum","status":{"name":"To Do"},
		"parent":{"key":"A-9"},"labels":["x"],"customfield_10206":12345678901234567.25,` + links + `,`

	for name, f := range map[string]*fake{
		"server": server(t, routes{"GET /rest/api/2/issue/A-1": `{` + common + `"description":"One\n\ntwo",
			"customfield_10100":["S@1[id=1,rapidViewId=2,state=CLOSED,name=S1,startDate=<null>,endDate=<null>,completeDate=<null>,sequence=1]",
			"S@2[id=2,rapidViewId=2,state=ACTIVE,name=S2, b,startDate=<null>,endDate=<null>,completeDate=<null>,sequence=2]"],
			"customfield_10204":"h1. x"}}`}),
		"cloud": cloud(t, routes{"GET /rest/api/3/issue/A-1": `{` + common + `"description":{"type":"doc","version":1,"content":[
			{"type":"paragraph","content":[{"type":"text","text":"One"}]},{"type":"paragraph","content":[{"type":"text","text":"two"}]}]},
			"customfield_10100":[{"id":1,"name":"S1","state":"closed","boardId":2},{"id":2,"name":"S2, b","state":"active","boardId":2}],
			"customfield_10204":{"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"h1. x"}]}]}}}`}),
	} {
		t.Run(name, func(t *testing.T) {
			issue, err := f.client.Issue(t.Context(), "A-1", "labels", "Story Points", "sprint", "Criteria", "Sprint")
			check(t, err)
			same(t, issue, `{"Key":"A-1","JiraID":"10001","Project":"A","IssueType":"Task","Summary":"Sum","Description":"One\n\ntwo",
				"Status":"To Do","Sprint":"S2, b","Parent":"A-9","Fields":{"labels":["x"],"customfield_10206":12345678901234567.25,
				"customfield_10100":[{"id":1,"name":"S1","state":"closed"},{"id":2,"name":"S2, b","state":"active"}],"customfield_10204":"h1. x"},
				"Links":[{"ID":"1","Type":"Blocks","Direction":"OUTWARD","Key":"A-2","OutwardName":"blocks","InwardName":"is blocked by"},
				{"ID":"2","Type":"Blocks","Direction":"INWARD","Key":"A-3","OutwardName":"blocks","InwardName":"is blocked by"}]}`)
		})
	}
}

func TestAnIssueWithNothingInItIsRead(t *testing.T) {
	f := server(t, routes{"GET /rest/api/2/issue/A-1": `{"id":"1","key":"A-1","fields":{"description":null,"parent":null,"customfield_10100":null,"issuelinks":null}}`})

	issue, err := f.client.Issue(t.Context(), "A-1")
	check(t, err)

	if issue.Description != nil || issue.Sprint != nil || issue.Parent != nil || len(issue.Links)+len(issue.Fields) != 0 {
		t.Errorf("%+v", issue)
	}

	asked := strings.Split(f.only("GET", "/rest/api/2/issue/A-1").query.Get("fields"), ",")
	for _, field := range []string{"summary", "description", "status", "parent", "issuelinks", "project", "issuetype", "customfield_10100"} {
		if !slices.Contains(asked, field) {
			t.Errorf("%s was not asked for", field)
		}
	}
}

func TestAnUnreadableSprintIsNoBacklog(t *testing.T) {
	f := server(t, routes{"GET /rest/api/2/issue/A-1": `{"id":"1","key":"A-1","fields":{"customfield_10100":["what is this"]}}`})

	if _, err := f.client.Issue(t.Context(), "A-1"); err == nil || !strings.Contains(err.Error(), "what is this") {
		t.Errorf("%v", err)
	}
}

func TestAllFieldsComeWhereAllAreAskedFor(t *testing.T) {
	f := cloud(t, routes{"GET /rest/api/3/issue/A-1": `{"id":"1","key":"A-1","fields":{"summary":"s","project":{"key":"A"},"x":1,"y":null}}`})

	issue, err := f.client.Issue(t.Context(), "A-1", "*all", "-comment")
	check(t, err)
	same(t, issue.Fields, `{"project":{"key":"A"},"x":1,"y":null}`)

	if asked := f.only("GET", "/rest/api/3/issue/A-1").query.Get("fields"); !strings.HasSuffix(asked, ",*all,-comment") {
		t.Errorf("%s", asked)
	}
}

func TestOneMissingKeyDoesNotSpoilTheOthers(t *testing.T) {
	issue := func(id, key string) string { return `{"id":"` + id + `","key":"` + key + `","fields":{}}` }
	missing := answers(404, `{"errorMessages":["Issue does not exist or you do not have permission to see it."]}`)
	byKey := func(api string) routes {
		return routes{
			"GET " + api + "/issue/A-2": missing,
			"GET " + api + "/issue/A-3": issue("3", "A-3"), // not in the index yet
			"GET " + api + "/issue/A-4": issue("4", "B-7"), // moved
			"GET " + api + "/issue/A-5": issue("1", "A-1"), // moved to one that was found
		}
	}
	refusing := byKey("/rest/api/2")
	refusing["POST /rest/api/2/search"] = answers(400, `{"errorMessages":["An issue with key 'A-2' does not exist for field 'key'."]}`)
	refusing["GET /rest/api/2/issue/A-1"] = issue("1", "A-1")

	lenient := byKey("/rest/api/2")
	lenient["POST /rest/api/2/search"] = `{"startAt":0,"total":1,"issues":[` + issue("1", "A-1") + `]}`

	bulk := byKey("/rest/api/3")
	bulk["POST /rest/api/3/issue/bulkfetch"] = `{"issues":[` + issue("1", "A-1") + `],"issueErrors":[]}`

	for name, f := range map[string]*fake{"server": server(t, lenient), "strict server": server(t, refusing), "cloud": cloud(t, bulk)} {
		t.Run(name, func(t *testing.T) {
			found, gone, err := f.client.Issues(t.Context(), []string{"A-1", "A-2", "A-3", "A-4", "A-5"})
			check(t, err)

			var keys []string
			for _, issue := range found {
				keys = append(keys, issue.Key)
			}

			same(t, keys, `["A-1","A-3","B-7"]`)
			same(t, gone, `["A-2"]`)
		})
	}
}

func TestManyKeysAreAskedForInGroups(t *testing.T) {
	keys := make([]string, 230)
	for i := range keys {
		keys[i] = "A-" + inJSON(i+1)
	}

	var (
		f      *fake
		groups []int
	)

	f = cloud(t, routes{"POST /rest/api/3/issue/bulkfetch": func(w http.ResponseWriter, _ *http.Request) {
		asked, _ := f.seen[len(f.seen)-1].body["issueIdsOrKeys"].([]any)
		groups = append(groups, len(asked))

		var issues []string
		for _, key := range asked {
			issues = append(issues, `{"id":`+inJSON(key)+`,"key":`+inJSON(key)+`,"fields":{}}`)
		}

		reply(w, 200, `{"issues":[`+strings.Join(issues, ",")+`]}`)
	}})

	found, gone, err := f.client.Issues(t.Context(), keys)
	check(t, err)
	same(t, groups, `[100,100,30]`)

	if len(found) != 230 || len(gone) != 0 {
		t.Errorf("%d found, %v missing", len(found), gone)
	}
}
