package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func refuseRetry(t testing.TB, site *hubtest.Site, code string, ids ...string) []hubtest.Problem {
	t.Helper()
	before := site.Queue(t).Cursor
	problems := site.Operator.Refused(t, code, hubtest.RetryCommands, vars{"ids": ids})
	same(t, "cursor", site.Queue(t).Cursor, before)
	return problems
}

func TestARetryIsANewCommandInANewBatch(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.LinkTo("AURORA-1", "AURORA-2", "exclusive", true), hubtest.Comment("AURORA-1", "a"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(0))
	site.Cancel(t, false, batch.CommandID(1))

	retried := site.Retry(t, batch.CommandID(0), batch.CommandID(1))

	if retried.ID == batch.ID {
		t.Fatal("the retry is in the batch itself")
	}
	same(t, "commands", len(retried.Commands.Nodes), 2)
	for position := range 2 {
		old, fresh := site.Command(t, batch.CommandID(position)), site.Command(t, retried.CommandID(position))
		same(t, "kind", fresh.Kind, old.Kind)
		same(t, "parameters", fresh.Params, old.Params)
		same(t, "status", fresh.Status, "QUEUED")
		same(t, "retry of", fresh.RetryOf, &hubtest.Ref{ID: old.ID})
		same(t, "retries", old.Retries, []hubtest.Ref{{ID: fresh.ID}})
		same(t, "deliveries", fresh.Deliveries, 0)
		same(t, "batch", fresh.Batch.ID, retried.ID)
	}
}

func TestOnlyWhatDidNotSucceedCanBeRetried(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	done := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	site.Done(t, done)
	confirmed := claimed(t, site, hubtest.Sprint("AURORA-1", "S"))
	confirms(t, site, confirmed, true, hubtest.Snapshot("AURORA-1", "sprint", "S"))
	open := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	queued := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	for _, id := range []string{done, confirmed, open, queued} {
		refuseRetry(t, site, "CONFLICT", id)
	}
}

func TestASkippedCommandCanBeRetriedWithItsCreation(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("new:1", "a"), hubtest.Creation("new:1"))
	site.ClaimOf(t, batch.CommandID(1))
	site.Fail(t, batch.CommandID(1))

	retried := site.Retry(t, batch.CommandID(0), batch.CommandID(1))

	same(t, "commands", len(retried.Commands.Nodes), 2)
	creation := site.Claim(t)
	same(t, "kind", creation.Command.Kind, "ENSURE_ISSUE")
	site.Created(t, creation.Command.ID, "AURORA-5")
	same(t, "key", site.Claim(t).Params.Key, "AURORA-5")
}

func TestOnlyTheNewestOfAChainCanBeRetried(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	site.Fail(t, first)
	second := site.Retry(t, first).CommandID(0)
	refuseRetry(t, site, "CONFLICT", first)
	refuseRetry(t, site, "CONFLICT", second)
	site.ClaimOf(t, second)
	site.Fail(t, second)
	refuseRetry(t, site, "CONFLICT", first)
	third := site.Retry(t, second).CommandID(0)
	same(t, "retry of", site.Command(t, third).RetryOf, &hubtest.Ref{ID: second})
}

func TestATemporaryKeyStillUnknownNeedsItsCreationInTheSameRetry(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(0))
	problems := refuseRetry(t, site, "UNPROCESSABLE", batch.CommandID(1))
	if len(problems) != 1 || problems[0].Code != "TEMP_KEY_UNKNOWN" || said(problems[0].Command) != batch.CommandID(1) {
		t.Errorf("problems: %s", shown(problems))
	}
}

func TestATemporaryKeyWhoseRealKeyIsKnownIsReplaced(t *testing.T) {
	t.Parallel()
	play(t, []scenario{
		{"its creation is done", func(t *testing.T, site *hubtest.Site) {
			batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
			site.ClaimOf(t, batch.CommandID(0))
			site.Created(t, batch.CommandID(0), "AURORA-7")
			site.ClaimOf(t, batch.CommandID(1))
			site.Fail(t, batch.CommandID(1))
			retry := site.Retry(t, batch.CommandID(1)).CommandID(0)
			same(t, "key as submitted", site.Command(t, retry).Params.Key, "AURORA-7")
			same(t, "key handed out", site.ClaimOf(t, retry).Params.Key, "AURORA-7")
		}},
		{"by a late key", func(t *testing.T, site *hubtest.Site) {
			batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
			site.Lose(t, batch.CommandID(0))
			site.Report(t, batch.CommandID(0), "DONE", "key", "AURORA-7")
			retry := site.Retry(t, batch.CommandID(1)).CommandID(0)
			same(t, "key", site.ClaimOf(t, retry).Params.Key, "AURORA-7")
		}},
		{"by a retry of its creation", func(t *testing.T, site *hubtest.Site) {
			batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Fields("AURORA-1", vars{"customfield_1": []any{"new:1"}}))
			site.ClaimOf(t, batch.CommandID(0))
			site.Fail(t, batch.CommandID(0))
			second := site.Retry(t, batch.CommandID(0)).CommandID(0)
			site.ClaimOf(t, second)
			site.Created(t, second, "AURORA-7")
			retry := site.Retry(t, batch.CommandID(1)).CommandID(0)
			same(t, "fields", site.ClaimOf(t, retry).Params.Fields, map[string]any{"customfield_1": []any{"AURORA-7"}})
		}},
		{"by an earlier one of its creation's chain", func(t *testing.T, site *hubtest.Site) {
			batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"))
			site.ClaimOf(t, batch.CommandID(0))
			site.Fail(t, batch.CommandID(0))
			retried := site.Retry(t, batch.CommandID(0), batch.CommandID(1))
			site.Cancel(t, false, retried.CommandID(0))
			is(t, site, retried.CommandID(1), "SKIPPED")
			site.Report(t, batch.CommandID(0), "DONE", "key", "AURORA-7")
			again := site.Retry(t, retried.CommandID(1)).CommandID(0)
			same(t, "key", site.ClaimOf(t, again).Params.Key, "AURORA-7")
		}},
	})
}

func kinds(batch hubtest.Batch) []string {
	return sorted(each(batch.Commands.Nodes, func(command hubtest.Command) string {
		return command.Kind + " " + command.Params.TempKey + command.Params.Key
	})...)
}

func TestWithRelatedAddsTheCreationsThatAreWaitedFor(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t,
		hubtest.Creation("new:1"), hubtest.Creation("new:2", "parent", "new:1"),
		hubtest.Comment("new:2", "a"), hubtest.Comment("AURORA-1", "b"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(0))
	retried := site.RetryRelated(t, batch.CommandID(2))
	same(t, "commands", kinds(retried),
		sorted("ENSURE_ISSUE new:1", "ENSURE_ISSUE new:2", "ENSURE_COMMENT new:2"))
}

func TestWithRelatedAddsTheSkippedCommandsThatWait(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t,
		hubtest.Creation("new:1"), hubtest.Creation("new:2", "parent", "new:1"),
		hubtest.Comment("new:2", "a"), hubtest.Comment("AURORA-1", "b"), hubtest.Sprint("new:1", "S"))
	site.Cancel(t, false, batch.CommandID(3), batch.CommandID(4))
	site.ClaimOf(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(0))
	is(t, site, batch.CommandID(4), "CANCELLED")

	retried := site.RetryRelated(t, batch.CommandID(0))

	same(t, "commands, and no cancelled one", kinds(retried),
		sorted("ENSURE_ISSUE new:1", "ENSURE_ISSUE new:2", "ENSURE_COMMENT new:2"))
}

func TestWithRelatedNeverCopiesWhatIsOpenOrSuccessful(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t,
		hubtest.Creation("new:1"), hubtest.Creation("new:2"), hubtest.LinkTo("new:1", "new:2"),
		hubtest.Comment("new:1", "goes on"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), "AURORA-7")
	site.ClaimOf(t, batch.CommandID(1))
	site.Fail(t, batch.CommandID(1))

	retried := site.RetryRelated(t, batch.CommandID(2))

	same(t, "kinds", kinds(retried), sorted("ENSURE_ISSUE new:2", "ENSURE_LINK "))
	for _, command := range retried.Commands.Nodes {
		if command.Kind == "ENSURE_LINK" {
			same(t, "source", command.Params.Source, "AURORA-7")
			same(t, "target", command.Params.Target, "new:2")
		}
	}
	is(t, site, batch.CommandID(3), "QUEUED")
}

func TestTheIDsOfARetryAreOfOneBatch(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	site.Fail(t, first)
	second := claimed(t, site, hubtest.Comment("AURORA-1", "b"))
	site.Fail(t, second)
	before := site.Queue(t).Cursor
	response, err := site.Operator.Send(t.Context(), hubtest.RetryCommands, vars{"ids": []string{first, second}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "errors", len(response.Errors), 1)
	same(t, "cursor", site.Queue(t).Cursor, before)
}

func TestOneUnfitCommandAndNothingIsRetried(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "b"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(0))
	refuseRetry(t, site, "CONFLICT", batch.CommandID(0), batch.CommandID(1))
	refuseRetry(t, site, "NOT_FOUND", batch.CommandID(0), "999999999")
	same(t, "commands", site.Queue(t).Counts.Total, 2)
}

func TestARetryTakesItsNoteAndItsKeyLikeTheFirst(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	first := claimed(t, site, hubtest.Creation("new:1"))
	site.SetNote(t, "new:1", "Спросить Анну")
	site.Fail(t, first)
	retry := site.Retry(t, first).CommandID(0)
	site.ClaimOf(t, retry)
	site.Created(t, retry, "AURORA-7")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-7": "Спросить Анну"})
}
