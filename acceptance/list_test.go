package acceptance

import (
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func listCommands(t testing.TB, site *hubtest.Site, filter vars) []string {
	t.Helper()
	page := hubtest.Ask[hubtest.Page[hubtest.Command]](t, site.Operator, hubtest.QueryCommands, vars{"filter": filter})
	return each(page.Nodes, func(command hubtest.Command) string { return command.ID })
}

func TestCommandsAreListedNewestFirstAndFiltered(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := site.Submit(t, hubtest.Comment("AURORA-1", "Годовой отчёт"), hubtest.Sprint("AURORA-2", "S"))
	second := site.Submit(t, hubtest.LinkTo("AURORA-1", "AURORA-3"), hubtest.Creation("new:1", "summary", "Отчёт за май"))
	site.ClaimOf(t, first.CommandID(0))
	site.Fail(t, first.CommandID(0))
	a, b, c, d := first.CommandID(0), first.CommandID(1), second.CommandID(0), second.CommandID(1)
	for name, row := range map[string]struct {
		filter vars
		want   []string
	}{
		"all":            {nil, []string{d, c, b, a}},
		"of a batch":     {vars{"batch": first.ID}, []string{b, a}},
		"of a status":    {vars{"statuses": []string{"FAILED"}}, []string{a}},
		"of two":         {vars{"statuses": []string{"FAILED", "QUEUED"}}, []string{d, c, b, a}},
		"of a kind":      {vars{"kinds": []string{"ENSURE_LINK", "ENSURE_SPRINT"}}, []string{c, b}},
		"about an issue": {vars{"key": "AURORA-1"}, []string{c, a}},
		"about a target": {vars{"key": "AURORA-3"}, []string{c}},
		"of both":        {vars{"batch": second.ID, "key": "AURORA-1"}, []string{c}},
		"of none":        {vars{"key": "AURORA-77"}, []string{}},
	} {
		t.Run(name, func(t *testing.T) { same(t, "commands", listCommands(t, site, row.filter), row.want) })
	}
}

func TestAnUnfilteredListIsCounted(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	site.Push(t, snapshots(3)...)
	site.SetNote(t, "AURORA-1", "a")
	type counted struct{ TotalCount *int }
	for operation, want := range map[string]int{
		hubtest.QueryCommands: 2, hubtest.QueryBatches: 1, hubtest.QueryIssues: 3, hubtest.QueryNotes: 1,
	} {
		got := hubtest.Ask[counted](t, site.Operator, operation, vars{"first": 1})
		if got.TotalCount == nil || *got.TotalCount != want {
			t.Errorf("a total of %s, not %d, of\n%s", shown(got.TotalCount), want, operation)
		}
	}
}

func TestPagesJoinUpWithoutAGap(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, slices.Repeat(one(hubtest.Comment("AURORA-1", "a")), 7)...)
	want := each(batch.Commands.Nodes, func(command hubtest.Command) string { return command.ID })

	byPosition := pages(t, func(after any) hubtest.Page[hubtest.Command] {
		return hubtest.Ask[hubtest.Batch](t, site.Operator, hubtest.QueryBatch,
			vars{"id": batch.ID, "first": 3, "after": after}).Commands
	})
	same(t, "of the batch", byPosition, want)

	newestFirst := pages(t, func(after any) hubtest.Page[hubtest.Command] {
		return hubtest.Ask[hubtest.Page[hubtest.Command]](t, site.Operator, hubtest.QueryCommands,
			vars{"first": 3, "after": after})
	})
	slices.Reverse(want)
	same(t, "of the site", newestFirst, want)
}

// pages reads a list of seven to its end by pages of three.
func pages(t testing.TB, page func(after any) hubtest.Page[hubtest.Command]) []string {
	t.Helper()
	found, sizes := []string{}, []int{}
	var after any
	for {
		got := page(after)
		sizes = append(sizes, len(got.Nodes))
		for _, command := range got.Nodes {
			found = append(found, command.ID)
		}
		if !got.PageInfo.HasNextPage {
			same(t, "sizes of the pages", sizes, []int{3, 3, 1})
			return found
		}
		if got.PageInfo.EndCursor == nil || len(sizes) > 3 {
			t.Fatalf("the list does not end: %v", sizes)
		}
		after = *got.PageInfo.EndCursor
	}
}

func TestBatchesAreListedNewestFirstAndFiltered(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	second := site.Caller(t, "operator", "second")
	create := func(caller *hubtest.Client, title string) string {
		input := hubtest.BatchInput(one(hubtest.Comment("AURORA-1", "a")))
		input["title"] = title
		return hubtest.Ask[hubtest.BatchPayload](t, caller, hubtest.CreateBatch, vars{"input": input}).Batch.ID
	}
	a, b, c := create(site.Operator, "Импорт"), create(second, "План на май"), create(site.Operator, "План на июнь")
	site.CancelBatch(t, false, a)
	for name, row := range map[string]struct {
		filter vars
		want   []string
	}{
		"all":          {nil, []string{c, b, a}},
		"of a status":  {vars{"statuses": []string{"FINISHED"}}, []string{a}},
		"pending":      {vars{"statuses": []string{"PENDING"}}, []string{c, b}},
		"of an author": {vars{"author": second.Name}, []string{b}},
		"by its title": {vars{"search": "План"}, []string{c, b}},
	} {
		t.Run(name, func(t *testing.T) {
			page := hubtest.Ask[hubtest.Page[hubtest.Batch]](t, site.Operator, hubtest.QueryBatches, vars{"filter": row.filter})
			same(t, "batches", each(page.Nodes, func(batch hubtest.Batch) string { return batch.ID }), row.want)
		})
	}
}

func TestIssuesAreListedByProjectAndNumberAndFiltered(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Push(t,
		hubtest.Snapshot("AURORA-10", "sprint", "S 1"),
		hubtest.Snapshot("BETA-2", "project", "BETA", "status", "Done"),
		hubtest.Snapshot("AURORA-9", "summary", "Годовой отчёт"),
		hubtest.Snapshot("AURORA-100", "sprint", "S 2", "status", "Done"),
	)
	site.SetNote(t, "AURORA-9", "a")
	for name, row := range map[string]struct {
		filter vars
		want   []string
	}{
		"all":          {nil, []string{"AURORA-9", "AURORA-10", "AURORA-100", "BETA-2"}},
		"of keys":      {vars{"keys": []string{"BETA-2", "aurora-9", "AURORA-77"}}, []string{"AURORA-9", "BETA-2"}},
		"of a project": {vars{"project": "BETA"}, []string{"BETA-2"}},
		"of a status":  {vars{"statuses": []string{"Done"}}, []string{"AURORA-100", "BETA-2"}},
		"of a sprint":  {vars{"sprint": "S 1"}, []string{"AURORA-10"}},
		"in no sprint": {vars{"backlog": true}, []string{"AURORA-9", "BETA-2"}},
		"with a note":  {vars{"hasNote": true}, []string{"AURORA-9"}},
		"by a word":    {vars{"search": "Годовой"}, []string{"AURORA-9"}},
	} {
		t.Run(name, func(t *testing.T) {
			page := listIssues(t, site, row.filter)
			same(t, "issues", each(page.Nodes, func(issue hubtest.Issue) string { return issue.Key }), row.want)
		})
	}
}

func TestNotesAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, key := range []string{"AURORA-1", "AURORA-2", "AURORA-3", "AURORA-1"} {
		site.SetNote(t, key, "note "+site.Queue(t).Cursor)
	}
	page := hubtest.Ask[hubtest.Page[hubtest.Note]](t, site.Operator, hubtest.QueryNotes, nil)
	found := each(page.Nodes, func(note hubtest.Note) string { return note.Key })
	same(t, "notes", found, []string{"AURORA-1", "AURORA-3", "AURORA-2"})
}

func TestTheLogIsReadOldestFirstOrNewestFirst(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	begin := site.Queue(t).Cursor
	busy(t, site)
	all := positions(t, site, begin)
	read := func(more vars) []string {
		return each(hubtest.Ask[hubtest.LogPage](t, site.Operator, hubtest.QueryLog, more).Nodes, hubtest.Event.Position)
	}
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	same(t, "newest first", read(vars{"newestFirst": true, "first": len(all)}), backwards)
	same(t, "newest first, before a position",
		read(vars{"newestFirst": true, "after": all[5], "first": 5}), backwards[len(all)-5:])
	same(t, "oldest first, a page", read(vars{"after": all[2], "first": 4}), all[3:7])

	page := hubtest.Ask[hubtest.LogPage](t, site.Operator, hubtest.QueryLog, vars{"after": all[2], "first": 4})
	same(t, "more after a page", page.PageInfo.HasNextPage, true)
	same(t, "end of a page", page.PageInfo.EndCursor, all[6])
	last := all[len(all)-1]
	page = hubtest.Ask[hubtest.LogPage](t, site.Operator, hubtest.QueryLog, vars{"after": last})
	same(t, "after the last", len(page.Nodes), 0)
	same(t, "more after the last", page.PageInfo.HasNextPage, false)
	same(t, "end of an empty page", page.PageInfo.EndCursor, last)
	same(t, "the queue's position", site.Queue(t).Cursor, last)

	for _, event := range hubtest.Ask[hubtest.LogPage](t, site.Operator, hubtest.QueryLog,
		vars{"after": begin, "actor": site.Agent.Name, "kinds": []string{"COMMAND"}}).Nodes {
		same(t, "actor", said(event.Actor), site.Agent.Name)
	}
}
