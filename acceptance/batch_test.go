package acceptance

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestEveryProblemIsReportedByPositionAndThenInTheSchemasOrderOfFields(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	refusedWith(t, site, []vars{
		hubtest.Creation("new:1", "project", "", "issueType", "", "summary", "a\nb", "parent", "oops", "epic", "new:7"),
		hubtest.LinkTo("new:8", "oops", "type", ""),
		hubtest.Comment("AURORA-1", "in order"),
		hubtest.Comment("oops", " "),
	},
		problem{"0", "project", "REQUIRED"},
		problem{"0", "issueType", "REQUIRED"},
		problem{"0", "summary", "MALFORMED"},
		problem{"0", "parent", "KEY_MALFORMED"},
		problem{"0", "epic", "TEMP_KEY_UNKNOWN"},
		problem{"1", "source", "TEMP_KEY_UNKNOWN"},
		problem{"1", "target", "KEY_MALFORMED"},
		problem{"1", "type", "REQUIRED"},
		problem{"3", "key", "KEY_MALFORMED"},
		problem{"3", "body", "REQUIRED"},
	)
	same(t, "commands", site.Queue(t).Counts.Total, 0)
}

// Which field a problem of two names is open, so these look at the code alone.
func TestProblemsOfMoreThanOneField(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for name, row := range map[string]struct {
		entry vars
		code  string
	}{
		"a link from an issue to itself":               {hubtest.LinkTo("AURORA-1", "AURORA-1"), "MALFORMED"},
		"a link to itself in another case":             {hubtest.LinkTo("AURORA-1", "aurora-1"), "MALFORMED"},
		"a refresh with neither keys nor JQL":          {hubtest.Refresh(), "REQUIRED"},
		"a refresh with no keys and a blank JQL":       {vars{"refresh": vars{"keys": []string{}, "jql": "  "}}, "REQUIRED"},
		"a refresh with no keys, and JQL that is null": {vars{"refresh": vars{"jql": nil}}, "REQUIRED"},
	} {
		problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateLargeBatch,
			vars{"input": hubtest.BatchInput(one(row.entry))})
		found := problemsOf(t, problems)
		if len(found) != 1 || found[0].Place != "0" || found[0].Code != row.code {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestCreationsThatWaitForEachOtherOrThemselvesAreACycle(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for name, row := range map[string]struct {
		entries []vars
		cycle   []string
	}{
		"itself": {[]vars{hubtest.Creation("new:1", "parent", "new:1")}, []string{"0"}},
		"itself in a field": {[]vars{
			hubtest.Creation("new:1", "fields", vars{"customfield_1": vars{"key": "new:1"}}),
		}, []string{"0"}},
		"two": {[]vars{
			hubtest.Comment("new:1", "a"),
			hubtest.Creation("new:1", "parent", "new:2"),
			hubtest.Creation("new:2", "epic", "new:1"),
		}, []string{"1", "2"}},
		"three, beside one that only waits for them": {[]vars{
			hubtest.Creation("new:1", "parent", "new:2"),
			hubtest.Creation("new:2", "parent", "new:3"),
			hubtest.Creation("new:3", "parent", "new:1"),
		}, []string{"0", "1", "2"}},
	} {
		problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateLargeBatch,
			vars{"input": hubtest.BatchInput(row.entries)})
		found := problemsOf(t, problems)
		if len(found) == 0 {
			t.Errorf("%s: no problem", name)
		}
		for _, one := range found {
			if one.Code != "TEMP_KEY_CYCLE" || !slices.Contains(row.cycle, one.Place) {
				t.Errorf("%s: %v", name, one)
			}
		}
	}
}

func TestATitleIsAtMost200Characters(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, row := range []struct{ title, code string }{
		{strings.Repeat("a", 201), "TOO_LONG"}, {strings.Repeat(emoji, 101), "TOO_LONG"}, {"a\x00b", "MALFORMED"},
	} {
		input := hubtest.BatchInput(one(hubtest.Comment("AURORA-1", "a")))
		input["title"] = row.title
		problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateLargeBatch, vars{"input": input})
		same(t, "problems", problemsOf(t, problems), at("batch", "title", row.code))
	}
}

func TestABatchHasACommand(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateLargeBatch, vars{"input": hubtest.BatchInput(nil)})
	if len(problems) != 1 || problems[0].Code != "EMPTY_BATCH" || problems[0].Position != nil {
		t.Errorf("problems: %v", problems)
	}
}

func TestABatchIsAtMost10000Commands(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	entries := make([]vars, 0, 10_001)
	for i := range 10_001 {
		entries = append(entries, hubtest.Comment("AURORA-"+strconv.Itoa(i+1), "a"))
	}
	problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateLargeBatch,
		vars{"input": hubtest.BatchInput(entries)})
	if len(problems) != 1 || problems[0].Code != "BATCH_TOO_LARGE" || problems[0].Position != nil {
		t.Fatalf("problems: %v", problems)
	}
	same(t, "commands", site.Queue(t).Counts.Total, 0)

	batch := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateLargeBatch,
		vars{"input": hubtest.BatchInput(entries[1:])}).Batch
	same(t, "counts", batch.Counts, hubtest.Counts{Queued: 10_000, Total: 10_000})
}

// TestWhatIsJustWithinTheLimits is the other side of the table of problems.
func TestWhatIsJustWithinTheLimits(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	longest, n255 := strings.Repeat("a", 32767), strings.Repeat("a", 255)
	entries := []vars{
		hubtest.Creation("new:1", "summary", strings.Repeat(emoji, 127)+"a", "project", n255, "issueType", n255,
			"description", longest, "fields", vars{"customfield_1": longest, "customfield_2": json.Number("1.5e308")}),
		hubtest.Creation("new:10", "description", ""),
		hubtest.Status("AURORA-1", n255),
		hubtest.LinkTo("AURORA-1", "AURORA-2", "type", n255),
		hubtest.Sprint("AURORA-1", n255),
		hubtest.Sprint("AURORA-1", ""),
		hubtest.Sprint("AURORA-1", nil),
		hubtest.Comment("AURORA-1", longest),
		hubtest.Query(strings.Repeat("a", 8000)),
		hubtest.Fields("AURORA-1", vars{"summary": n255, "description": "two\nlines", "customfield_1": nil}),
		hubtest.Comment("A_B2-C-10", "a"),
	}
	input := hubtest.BatchInput(entries)
	input["title"] = strings.Repeat("a", 200)
	batch := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch, vars{"input": input}).Batch
	same(t, "commands", len(batch.Commands.Nodes), len(entries))
	same(t, "status", batch.Status, "PENDING")
	same(t, "author", batch.Author, site.Operator.Name)
	for position, command := range batch.Commands.Nodes {
		same(t, "position", command.Position, position)
	}
}

func TestALowerCaseKeyIsRaisedToUpper(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := site.Submit(t, hubtest.LinkTo("aurora-1", "Aurora-2")).CommandID(0)
	claim := site.ClaimOf(t, id)
	same(t, "source", claim.Params.Source, "AURORA-1")
	same(t, "target", claim.Params.Target, "AURORA-2")
	page := hubtest.Ask[hubtest.Page[hubtest.Command]](t, site.Operator, hubtest.QueryCommands,
		vars{"filter": vars{"key": "aurora-2"}})
	same(t, "commands about aurora-2", len(page.Nodes), 1)
}

func TestTemporaryKeysInFields(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t,
		hubtest.Creation("new:1"),
		hubtest.Fields("AURORA-1", vars{
			"customfield_1": "new:1",
			"customfield_2": []any{"new:1", "other"},
			"customfield_3": vars{"key": "new:1", "name": "new:1"},
			"customfield_4": "see new:1",
			"summary":       "new:1",
			"description":   "new:1",
		}),
		hubtest.Creation("new:2", "fields", vars{"customfield_1": "new:1"}),
		hubtest.Fields("AURORA-2", vars{"summary": "new:77", "description": "new:78"}),
	)
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), "AURORA-1590")

	same(t, "waits for", ids(site.Command(t, batch.CommandID(1)).DependsOn), []string{batch.CommandID(0)})
	same(t, "fields handed out", site.ClaimOf(t, batch.CommandID(1)).Params.Fields, map[string]any{
		"customfield_1": "AURORA-1590",
		"customfield_2": []any{"AURORA-1590", "other"},
		"customfield_3": map[string]any{"key": "AURORA-1590", "name": "new:1"},
		"customfield_4": "see new:1",
		"summary":       "new:1",
		"description":   "new:1",
	})
	site.Done(t, batch.CommandID(1))
	same(t, "a creation's fields", site.ClaimOf(t, batch.CommandID(2)).Params.Fields,
		map[string]any{"customfield_1": "AURORA-1590"})
	site.Created(t, batch.CommandID(2), "AURORA-1591")
	same(t, "waits for", ids(site.Command(t, batch.CommandID(3)).DependsOn), []string{})
}

func TestACommandThatNamesATemporaryKeyInAFieldWaits(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, value := range []any{"new:1", []any{"new:1"}, vars{"key": "new:1"}} {
		batch := site.Submit(t, hubtest.Fields("AURORA-1", vars{"customfield_1": value}), hubtest.Creation("new:1"))
		site.ClaimOf(t, batch.CommandID(1))
		site.Fail(t, batch.CommandID(1))
		stands(t, site, batch.CommandID(0), "SKIPPED", "задача new:1 не создана")
	}
}
