package jira

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestASprintIsReadAsDataCenterPrintsIt(t *testing.T) {
	const class = "com.atlassian.greenhopper.service.sprint.Sprint@1f["

	for printed, want := range map[string]Sprint{
		"id=318,rapidViewId=174,state=CLOSED,name=GSC Sprint 30,startDate=2018-05-01T09:24:47.212-07:00,endDate=2018-05-15T09:00:00.000-07:00,completeDate=2018-05-14T15:55:48.913-07:00,sequence=318,goal=Define Scope for Accordion, Complete Icon Link,]":                                                           {318, "GSC Sprint 30", "closed", 174},
		"id=518,rapidViewId=174,state=FUTURE,name=GSC Sprint 37,startDate=<null>,endDate=<null>,completeDate=<null>,sequence=518,goal=<null>]":                                                                                                                                                                         {518, "GSC Sprint 37", "future", 174},
		"rapidViewId=58,state=ACTIVE,name=2016 KW11-12,startDate=2016-03-08T13:17:36.689Z,endDate=2016-03-22T13:17:00.000Z,completeDate=<null>,sequence=50,id=50]":                                                                                                                                                     {50, "2016 KW11-12", "active", 58},
		"activatedDate=2026-08-20T12:41:50.648Z,autoStartStop=false,completeDate=2026-09-09T19:30:35.515Z,endDate=2026-09-09T20:53:00.000Z,goal=<null>,id=19319,incompleteIssuesDestinationId=<null>,name=CLM Sprint 20,rapidViewId=9801,sequence=19319,startDate=2026-08-19T20:53:00.000Z,state=CLOSED,synced=false]": {19319, "CLM Sprint 20", "closed", 9801},
		"activatedDate=<null>,autoStartStop=false,completeDate=<null>,endDate=<null>,goal=ship it,id=7, and name=it,rapidViewId=1,id=42,incompleteIssuesDestinationId=<null>,name=A, B,state=ACTIVE [x]=y,rapidViewId=3,sequence=42,startDate=<null>,state=FUTURE,synced=false]":                                       {42, "A, B,state=ACTIVE [x]=y", "future", 3},
		"name=ST 2013 Sprint 5,closed=true,startDate=2013-02-01T06:30:34.734-08:00,endDate=2013-02-15T06:30:34.734-08:00,completeDate=2013-02-07T05:53:14.915-08:00,id=78]":                                                                                                                                            {78, "ST 2013 Sprint 5", "closed", 0},
		"rapidViewId=<null>,state=ACTIVE,name=Sample Sprint 2,startDate=2015-04-09T01:54:26.773+02:00,endDate=2015-04-23T02:14:26.773+02:00,completeDate=<null>,sequence=1,id=1]":                                                                                                                                      {1, "Sample Sprint 2", "active", 0},
		"id=23356,rapidViewId=11649,state=CLOSED,name=TEST | 06 Jan - 19 Jan,startDate=2020-01-06T11:38:31.937Z,endDate=2020-01-19T11:38:00.000Z,completeDate=2020-01-20T11:15:21.528Z,sequence=22778,goal=]":                                                                                                          {23356, "TEST | 06 Jan - 19 Jan", "closed", 11649},
		"id=5,rapidViewId=2,state=ACTIVE,name=Спринт 2, [часть=1], id=9,state=CLOSED,startDate=2026-01-01T00:00:00.000Z,endDate=2026-01-15T00:00:00.000Z,completeDate=<null>,activatedDate=2026-01-01T00:00:00.000Z,sequence=5,goal=a]b,id=3,name=c,startDate=<null>,autoStartStop=false,synced=false]":                {5, "Спринт 2, [часть=1], id=9,state=CLOSED", "active", 2},
		"id=70766,rapidViewId=18242,state=ACTIVE,name=SaaS Sprint 2025-13,startDate=2025-03-27T12:01:00.000Z,endDate=2025-04-03T12:01:00.000Z]":                                                                                                                                                                        {70766, "SaaS Sprint 2025-13", "active", 18242},
		"id=4,rapidViewId=2,state=CLOSED,name=Sprint 1,goal=two, three,startDate=2017-01-01T00:00:00.000Z,endDate=2017-01-15T00:00:00.000Z,completeDate=2017-01-15T00:00:00.000Z,sequence=4]":                                                                                                                          {4, "Sprint 1", "closed", 2},
		"rapidViewId=2,state=FUTURE,name=A,id=7,startDate=<null>,endDate=<null>,completeDate=<null>,sequence=9,goal=x,id=8,id=9]":                                                                                                                                                                                      {9, "A,id=7", "future", 2},
		"id=12,name=CD Sprint 9,state=ACTIVE,endDate=]": {12, "CD Sprint 9", "active", 0},
		"id=123,rapidViewId=7,state=ACTIVE,name=S5]":    {123, "S5", "active", 7},
	} {
		got, ok := ParseSprint(class + printed)
		if !ok || got != want {
			t.Errorf("%s\n got %+v %v\nwant %+v", printed, got, ok, want)
		}
	}
}

func TestWhatIsNoSprintIsNotReadAsOne(t *testing.T) {
	for _, text := range []string{"", "Sprint 1", "[]", "Sprint@1[name=x]", "Sprint@1[id=5]", "Sprint@1[id=x,name=y]", "Sprint@1[id=99999999999999999999,name=y]", "Sprint@1[id=5,name=x"} {
		if sprint, ok := ParseSprint(text); ok {
			t.Errorf("%q: %+v", text, sprint)
		}

		if _, err := sprintsOf([]any{text}); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// The same for the printed sprints that lie beside the project.
func TestPrintedSprintsFromPublicReportsAreRead(t *testing.T) {
	var reports []struct {
		Value string `json:"value"`
		Want  struct {
			ID    int64  `json:"id"`
			State string `json:"state"`
			Name  string `json:"name"`
		} `json:"want"`
	}

	shared(t, "sprint_strings.json", &reports)

	for _, report := range reports {
		got, ok := ParseSprint(report.Value)
		if !ok || got.ID != report.Want.ID || got.Name != report.Want.Name || got.State != strings.ToLower(report.Want.State) {
			t.Errorf("%s\n got %+v %v\nwant %+v", report.Value, got, ok, report.Want)
		}
	}
}

// shared reads data that lies beside the project, and skips the test where it does not.
func shared(t *testing.T, name string, out any) {
	t.Helper()

	raw, err := os.ReadFile("../../shared/jira/" + name)
	if err != nil {
		t.Skipf("%s is not beside the project: %v", name, err)
	}

	check(t, json.Unmarshal(raw, out))
}

func TestTheSprintOfAnIssueIsTheOneThatHasNotEnded(t *testing.T) {
	for _, c := range []struct {
		sprints []Sprint
		want    *string
	}{
		{nil, nil},
		{[]Sprint{{Name: "1", State: "closed"}}, nil},
		{[]Sprint{{Name: "1", State: "closed"}, {Name: "2", State: "future"}}, new("2")},
		{[]Sprint{{Name: "3", State: "future"}, {Name: "2", State: "active"}, {Name: "1", State: "closed"}}, new("2")},
		{[]Sprint{{Name: "3", State: "future"}, {Name: "4", State: "future"}}, new("3")},
	} {
		got := current(c.sprints)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%+v: %v", c.sprints, got)
		}
	}
}

func FuzzPrintedSprints(f *testing.F) {
	f.Add("Sprint 1", "goal", int64(1))
	f.Add("A, B", "one, two,", int64(318))
	f.Add("Спринт 2 [x]", "<null>", int64(50))
	f.Add("a,id=7,state=CLOSED", "b,id=8,name=c", int64(9))
	f.Add("x]", "[y]=z", int64(1<<62))
	f.Add("", "", int64(0))
	f.Add("line\nbreak", "\r\n", int64(5))
	f.Add("a,sequence=1,synced=false", "b,synced=false", int64(5))

	f.Fuzz(func(t *testing.T, name, goal string, id int64) {
		// Whatever it is, reading it must end.
		ParseSprint(name)
		ParseSprint("S[" + name + goal)

		if id < 0 || ambiguous(name, ",goal=", ",startDate=", ",rapidViewId=", ",closed=", ",endDate=") ||
			ambiguous(goal, ",id=", ",startDate=", ",goal=", ",sequence=", ",name=") {
			return
		}

		const dates = ",startDate=2026-01-01T00:00:00.000Z,endDate=<null>,completeDate=<null>"

		n := inJSON(id)
		for _, printed := range []string{
			"S@1[id=" + n + ",rapidViewId=2,state=FUTURE,name=" + name + dates + ",sequence=3,goal=" + goal + "]",
			"S@1[id=" + n + ",rapidViewId=2,state=FUTURE,name=" + name + ",goal=" + goal + dates + ",sequence=3]",
			"S@1[rapidViewId=2,state=FUTURE,name=" + name + dates + ",sequence=3,goal=" + goal + ",id=" + n + "]",
			"S@1[autoStartStop=false,goal=" + goal + ",id=" + n + ",name=" + name + ",rapidViewId=2,sequence=3,startDate=<null>,state=FUTURE,synced=false]",
		} {
			got, ok := ParseSprint(printed)
			if !ok || got != (Sprint{id, name, "future", 2}) {
				t.Errorf("%q\n got %+v %v", printed, got, ok)
			}
		}
	})
}

// ambiguous tells whether a free text holds what no reader could tell from the next part.
func ambiguous(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(","+text, part) {
			return true
		}
	}

	return strings.ToValidUTF8(text, "") != text
}
