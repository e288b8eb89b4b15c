package acceptance

import (
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestAPreviewFindsWrongWhatCreateBatchDoes(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, table := range [][]refusedBatch{temporaryKeyProblems(), requiredTexts()} {
		for _, row := range table {
			t.Run(row.name, func(t *testing.T) {
				same(t, "problems", problemsOf(t, site.Preview(t, row.entries...).Problems), row.want)
			})
		}
	}
	empty := site.Preview(t).Problems
	if len(empty) != 1 || empty[0].Code != "EMPTY_BATCH" {
		t.Errorf("of an empty batch: %v", empty)
	}
}

func TestAPreviewWritesNothing(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	before := site.Queue(t)
	site.Preview(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
	after := site.Queue(t)
	same(t, "cursor", after.Cursor, before.Cursor)
	same(t, "counts", after.Counts, before.Counts)
	same(t, "idle", site.Idle(t), "EMPTY")
}

func TestEffectsAreJudgedFromTheMirror(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, full())
	rows := []struct {
		name   string
		entry  vars
		effect string
	}{
		{"a creation", hubtest.Creation("new:1"), "CREATE"},
		{"fields alike", hubtest.Fields("AURORA-1", vars{"summary": "Отчёт", "description": "a\nb"}), "NO_CHANGE"},
		{"fields that differ", hubtest.Fields("AURORA-1", vars{"summary": "Иначе"}), "CHANGE"},
		{"fields of an issue never seen", hubtest.Fields("AURORA-77", vars{"summary": "Иначе"}), "UNKNOWN"},
		{"the status", hubtest.Status("AURORA-1", "Open", "In Progress"), "NO_CHANGE"},
		{"another status", hubtest.Status("AURORA-1", "Done"), "CHANGE"},
		{"the status of an issue never seen", hubtest.Status("AURORA-77", "Done"), "UNKNOWN"},
		{"the sprint", hubtest.Sprint("AURORA-1", "Спринт 2"), "NO_CHANGE"},
		{"another sprint", hubtest.Sprint("AURORA-1", nil), "CHANGE"},
		{"the sprint of an issue never seen", hubtest.Sprint("AURORA-77", nil), "UNKNOWN"},
		{"a link that is there", hubtest.LinkTo("AURORA-1", "AURORA-2"), "NO_CHANGE"},
		{"a link that is not there", hubtest.LinkTo("AURORA-1", "AURORA-3"), "CHANGE"},
		{"a link between issues never seen", hubtest.LinkTo("AURORA-77", "AURORA-78"), "UNKNOWN"},
		{"of an issue yet to be created", hubtest.Fields("new:1", vars{"summary": "Иначе"}), "UNKNOWN"},
	}
	entries := make([]vars, 0, len(rows))
	for _, row := range rows {
		entries = append(entries, row.entry)
	}
	preview := site.Preview(t, entries...)
	same(t, "problems", len(preview.Problems), 0)
	if len(preview.Steps) != len(rows) {
		t.Fatalf("%d steps for %d commands", len(preview.Steps), len(rows))
	}
	for position, row := range rows {
		same(t, row.name, preview.Steps[position].Effect, row.effect)
		same(t, "position", preview.Steps[position].Position, position)
	}
}

func TestAPreviewShowsTheFieldsThatWouldChange(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, full())
	steps := site.Preview(t,
		hubtest.Fields("AURORA-1", vars{"summary": "Иначе", "description": "a\nb", "customfield_1": 2}),
		hubtest.Fields("AURORA-1", vars{"summary": "Отчёт"})).Steps
	diffs := map[string]hubtest.Diff{}
	for _, diff := range steps[0].Diffs {
		diffs[diff.Field] = diff
	}
	same(t, "diffs", diffs, map[string]hubtest.Diff{
		"summary":       {Field: "summary", Current: "Отчёт", Desired: "Иначе"},
		"customfield_1": {Field: "customfield_1", Current: 1.5, Desired: 2.0},
	})
	same(t, "diffs where nothing would change", len(steps[1].Diffs), 0)
}

func TestAPreviewShowsWhatEachCommandWaitsFor(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	steps := site.Preview(t,
		hubtest.LinkTo("new:1", "new:2"), hubtest.Creation("new:1"),
		hubtest.Creation("new:2", "parent", "new:1"), hubtest.Comment("AURORA-1", "a")).Steps
	waits := each(steps, func(step hubtest.Step) []int {
		slices.Sort(step.WaitsFor)
		return step.WaitsFor
	})
	same(t, "waits for", waits, [][]int{{1, 2}, {}, {1}, {}})
}

func TestAPreviewFollowsTheOldKeyInsideALink(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t, hubtest.Snapshot("AURORA-1", "links", []vars{hubtest.Outward("AURORA-2")}),
		hubtest.Snapshot("AURORA-2", "id", "2"))
	site.Push(t, hubtest.Snapshot("BOREAS-2", "id", "2", "project", "BOREAS"))
	steps := site.Preview(t, hubtest.LinkTo("AURORA-1", "BOREAS-2"), hubtest.LinkTo("AURORA-1", "BOREAS-2", "exclusive", true)).Steps
	same(t, "the link's effect", steps[0].Effect, "NO_CHANGE")
	same(t, "the exclusive link's effect", steps[1].Effect, "NO_CHANGE")
}
