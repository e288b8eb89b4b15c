package acceptance

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

type comparison struct {
	name          string
	wanted, there any
	equal         bool
}

func comparisons() []comparison {
	high := vars{"id": "10", "name": "High"}
	return []comparison{
		{"texts alike", "Отчёт", "Отчёт", true},
		{"texts that differ", "Отчёт", "Отчёт за май", false},
		{"texts that differ by case", "high", "High", false},
		{"texts that differ by a space", "a", "a ", false},
		{"CRLF in the mirror", "a\nb", "a\r\nb", true},
		{"CRLF wanted", "a\r\nb", "a\nb", true},
		{"no line end at all", "a\nb", "ab", false},

		{"null and null", nil, nil, true},
		{"null and an empty text", nil, "", true},
		{"an empty text and null", "", nil, true},
		{"null and an empty list", nil, []any{}, true},
		{"an empty list and null", []any{}, nil, true},
		{"an empty text and an empty list", "", []any{}, true},
		{"an empty list and an empty text", []any{}, "", true},
		{"null and a text", nil, "a", false},
		{"a text and null", "a", nil, false},
		{"null and zero", nil, 0, false},
		{"null and false", nil, false, false},
		{"an empty list and a list", []any{}, []any{"a"}, false},

		{"numbers alike", 5, 5, true},
		{"numbers by value", 3, json.Number("3.0"), true},
		{"numbers by value, with an exponent", json.Number("1e2"), 100, true},
		{"numbers that differ", 3, 3.5, false},
		{"a number and a text", 3, "3", false},
		{"a text and a number", "3", 3, false},
		{"truths alike", true, true, true},
		{"truths that differ", true, false, false},

		{"a text and an object's name", "High", vars{"name": "High"}, true},
		{"a text and an object's value", "High", vars{"value": "High"}, true},
		{"a text and an object's key", "AURORA-1", vars{"key": "AURORA-1"}, true},
		{"a text and an object's account id", "5b10", vars{"accountId": "5b10", "displayName": "Anna"}, true},
		{"a text and an object of another name", "Low", high, false},
		{"a text and an object's id", "10", high, false},
		{"an id given as an id", vars{"id": "10"}, high, true},
		{"another id given as an id", vars{"id": "11"}, high, false},
		{"a text and another property", "Anna", vars{"name": "ivanova", "displayName": "Anna"}, false},

		{"a list in another order", []any{"a", "b"}, []any{"b", "a"}, true},
		{"a list with one twice", []any{"a", "b", "a"}, []any{"a", "b"}, true},
		{"a list with one less", []any{"a"}, []any{"a", "b"}, false},
		{"a list with one more", []any{"a", "b"}, []any{"a"}, false},
		{"a list of texts and one of objects", []any{"UI", "API"}, []any{vars{"name": "API"}, vars{"name": "UI"}}, true},
		{"a list of texts and one of other objects", []any{"UI"}, []any{vars{"name": "API"}}, false},
		{"a list of texts and one of fewer objects", []any{"UI", "API"}, []any{vars{"name": "UI"}}, false},
		{"a list of texts and one of more objects", []any{"UI"}, []any{vars{"name": "UI"}, vars{"name": "API"}}, false},
		{"a list of ids and one of objects", []any{vars{"id": "10"}}, []any{high}, true},
	}
}

func TestAFieldIsComparedByItsValue(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, row := range comparisons() {
		t.Run(row.name, func(t *testing.T) {
			id := claimed(t, site, hubtest.Fields("AURORA-1", vars{"customfield_1": row.wanted}))
			confirms(t, site, id, row.equal, hubtest.Snapshot("AURORA-1", "fields", vars{"customfield_1": row.there}))
		})
		closeWhatIsOpen(t, site)
	}
}

// closeWhatIsOpen lets the next row of a table go on where one has failed.
func closeWhatIsOpen(t testing.TB, site *hubtest.Site) {
	t.Helper()
	page := hubtest.Ask[hubtest.Page[hubtest.Command]](t, site.Operator, hubtest.QueryCommands,
		vars{"filter": vars{"statuses": []string{"CLAIMED", "QUEUED"}}})
	for _, open := range page.Nodes {
		site.Cancel(t, true, open.ID)
	}
}

func TestEveryFieldMustHaveBeenReadAndEqual(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for number, row := range []struct {
		name   string
		wanted vars
		there  any
		equal  bool
	}{
		{"all", vars{"a": 1, "b": "x"}, vars{"a": 1, "b": "x", "c": 5}, true},
		{"one that differs", vars{"a": 1, "b": "x"}, vars{"a": 1, "b": "y"}, false},
		{"one not read", vars{"a": 1, "b": "x"}, vars{"a": 1}, false},
		{"one not read, wanted empty", vars{"a": 1, "b": nil}, vars{"a": 1}, false},
		{"none read", vars{"a": 1}, nil, false},
		{"none read, wanted empty", vars{"a": nil}, nil, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			// An issue of its own, or it would have what an earlier row told.
			key := fmt.Sprintf("ROW-%d", number+1)
			id := claimed(t, site, hubtest.Fields(key, row.wanted))
			confirms(t, site, id, row.equal, hubtest.Snapshot(key, "fields", row.there))
		})
		closeWhatIsOpen(t, site)
	}
}

func TestColumnsOfTheMirrorAmongTheFields(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	there := []any{
		"summary", "Отчёт", "description", "a\r\nb", "status", "In Progress", "sprint", "Спринт 2", "parent", "AURORA-9",
	}
	for name, row := range map[string]struct {
		wanted vars
		equal  bool
	}{
		"summary":             {vars{"summary": "Отчёт"}, true},
		"another summary":     {vars{"summary": "отчёт"}, false},
		"description":         {vars{"description": "a\nb"}, true},
		"another description": {vars{"description": "a"}, false},
		"status":              {vars{"status": "In Progress"}, true},
		"another status":      {vars{"status": "in progress"}, false},
		"sprint":              {vars{"sprint": "Спринт 2"}, true},
		"another sprint":      {vars{"sprint": "Спринт 1"}, false},
		"parent":              {vars{"parent": "AURORA-9"}, true},
		"another parent":      {vars{"parent": "AURORA-8"}, false},
		"all at once": {vars{
			"summary": "Отчёт", "description": "a\nb", "status": "In Progress",
			"sprint": "Спринт 2", "parent": "AURORA-9",
		}, true},
		"no sprint": {vars{"sprint": nil}, false},
	} {
		t.Run(name, func(t *testing.T) {
			id := claimed(t, site, hubtest.Fields("AURORA-1", row.wanted))
			confirms(t, site, id, row.equal, hubtest.Snapshot("AURORA-1", there...))
		})
		closeWhatIsOpen(t, site)
	}
	for _, wanted := range []vars{{"description": nil}, {"description": ""}, {"sprint": nil}, {"sprint": ""}, {"parent": nil}} {
		id := claimed(t, site, hubtest.Fields("AURORA-2", wanted))
		confirms(t, site, id, true, hubtest.Snapshot("AURORA-2"))
	}
}

func TestAFieldGivenByItsNameIsFoundByWhatTheAgentToldOfJira(t *testing.T) {
	t.Parallel()
	there := vars{"customfield_1": 5, "customfield_2": 5, "customfield_3": 5}
	for name, row := range map[string]struct {
		told  []string
		field string
		equal bool
	}{
		"by its id, nothing told":   {nil, "customfield_1", true},
		"by its id":                 {[]string{"customfield_1", "Story Points"}, "customfield_1", true},
		"by its name":               {[]string{"customfield_1", "Story Points"}, "Story Points", true},
		"by its name, nothing told": {nil, "Story Points", false},
		"by an unknown name":        {[]string{"customfield_1", "Story Points"}, "Points", false},
		"by a name in another case": {[]string{"customfield_1", "Story Points"}, "story points", false},
		"by a name that two fields bear": {
			[]string{"customfield_1", "Team", "customfield_2", "Team"}, "Team", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := hub.NewSite(t)
			if row.told != nil {
				site.TellJira(t, row.told...)
			}
			id := claimed(t, site, hubtest.Fields("AURORA-1", vars{row.field: 5}))
			confirms(t, site, id, row.equal, hubtest.Snapshot("AURORA-1", "fields", there))
		})
	}
}

func TestRealKeysArePutInBeforeConfirming(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t,
		hubtest.Creation("new:1"),
		hubtest.Fields("new:1", vars{"summary": "Отчёт"}),
		hubtest.Fields("AURORA-2", vars{"parent": "new:1", "customfield_1": vars{"key": "new:1"}}),
		hubtest.Status("new:1", "Done"),
		hubtest.Sprint("new:1", "S"),
		hubtest.LinkTo("new:1", "AURORA-2"),
	)
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), "AURORA-1")
	for position, snapshot := range []vars{
		1: hubtest.Snapshot("AURORA-1", "summary", "Отчёт"),
		2: hubtest.Snapshot("AURORA-2", "parent", "AURORA-1", "fields", vars{"customfield_1": vars{"key": "AURORA-1"}}),
		3: hubtest.Snapshot("AURORA-1", "status", "Done"),
		4: hubtest.Snapshot("AURORA-1", "sprint", "S"),
		5: hubtest.Snapshot("AURORA-1", "links", []vars{hubtest.Outward("AURORA-2")}),
	} {
		if position == 0 {
			continue
		}
		site.ClaimOf(t, batch.CommandID(position))
		confirms(t, site, batch.CommandID(position), true, snapshot)
	}
}
