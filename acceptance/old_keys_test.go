package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// fieldsByOldKeys are fields that name OLD-1, and how Jira shows them now that the issue is NEW-7.
func fieldsByOldKeys() map[string]struct {
	wanted vars
	shows  []any
	want   bool
} {
	type row = struct {
		wanted vars
		shows  []any
		want   bool
	}

	read := func(value any) []any { return []any{"fields", vars{"customfield_1": value}} }

	return map[string]row{
		"the parent":                {vars{"parent": "OLD-1"}, []any{"parent", "NEW-7"}, true},
		"the parent as an object":   {vars{"parent": vars{"key": "OLD-1"}}, []any{"parent", "NEW-7"}, true},
		"the parent's stale key":    {vars{"parent": "NEW-7"}, []any{"parent", "OLD-1"}, true},
		"another parent":            {vars{"parent": "OLD-1"}, []any{"parent", "NEW-8"}, false},
		"a field that holds a key":  {vars{"customfield_1": "OLD-1"}, read("NEW-7"), true},
		"a list of keys":            {vars{"customfield_1": []string{"A-1", "OLD-1"}}, read([]any{vars{"key": "NEW-7"}, "A-1"}), true},
		"a name that looks like it": {vars{"customfield_1": vars{"name": "OLD-1"}}, read(vars{"name": "NEW-7"}), false},
		"prose":                     {vars{"description": "OLD-1"}, []any{"description", "NEW-7"}, false},
	}
}

func TestAFieldThatNamesAnOldKeyIsComparedWithTheIssueOfThatKey(t *testing.T) {
	t.Parallel()

	for name, row := range fieldsByOldKeys() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := hub.NewSite(t)
			known(t, site)
			move(t, site)
			id := claimed(t, site, hubtest.Fields("AURORA-1", row.wanted))
			confirms(t, site, id, row.want, hubtest.Snapshot("AURORA-1", row.shows...))

			want := map[bool]string{true: "NO_CHANGE", false: "CHANGE"}[row.want]
			same(t, "effect", site.Preview(t, hubtest.Fields("AURORA-1", row.wanted)).Steps[0].Effect, want)
		})
	}
}

func TestALinkFromAnIssueToItselfUnderItsOldKeyIsRefused(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	move(t, site)
	move(t, site, "key", "LAST-3")

	for _, ends := range [][2]string{{"OLD-1", "LAST-3"}, {"LAST-3", "NEW-7"}, {"old-1", "NEW-7"}} {
		loop := hubtest.LinkTo(ends[0], ends[1])
		refusedWith(t, site, []vars{hubtest.Comment("OLD-1", ""), loop, hubtest.LinkTo("OLD-1", "AURORA-1")},
			at("0", "body", "REQUIRED")[0], at("1", "target", "MALFORMED")[0])
		same(t, "problems of the preview", problemsOf(t, site.Preview(t, loop).Problems), at("0", "target", "MALFORMED"))
	}

	site.Submit(t, hubtest.LinkTo("OLD-1", "AURORA-1"), hubtest.LinkTo("AURORA-1", "NEW-7"))
}

func TestARepeatedCallIsAnsweredThoughItsLinkHasBecomeALoop(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)

	input := hubtest.BatchInput([]vars{hubtest.LinkTo("OLD-1", "NEW-7")})
	input["clientKey"] = "once"
	first := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch, vars{"input": input})
	move(t, site)
	again := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch, vars{"input": input})
	same(t, "batch of the repeated call", again.Batch.ID, first.Batch.ID)

	delete(input, "clientKey")
	site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateBatch, vars{"input": input})
}

func TestALinkToAnIssueThatTheCreationFoundIsHandedOutAndRefusedByItsRetry(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.LinkTo("new:1", "AURORA-1"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), "AURORA-1")

	// Only Jira can say now what is wrong.
	site.ClaimOf(t, batch.CommandID(1))
	confirms(t, site, batch.CommandID(1), false, links("AURORA-1", hubtest.Outward("AURORA-2")))

	problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.RetryCommands,
		vars{"ids": []string{batch.CommandID(1)}, "withRelated": false})
	same(t, "problems of the retry", problemsOf(t, problems), at("1", "target", "MALFORMED"))
}

func TestALinkWhoseEndsHaveBecomeOneIssueIsNotRetried(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	known(t, site)
	batch := site.Submit(t, hubtest.LinkTo("OLD-1", "NEW-7"))
	site.Cancel(t, false, batch.CommandID(0))
	move(t, site)

	problems := site.Operator.Refused(t, "UNPROCESSABLE", hubtest.RetryCommands,
		vars{"ids": []string{batch.CommandID(0)}, "withRelated": false})
	same(t, "problems of the retry", problemsOf(t, problems), at("0", "target", "MALFORMED"))
}
