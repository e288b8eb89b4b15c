package acceptance

import (
	"strings"
	"sync"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func keyed(clientKey, title string, entries ...vars) vars {
	input := hubtest.BatchInput(entries)
	input["clientKey"] = clientKey
	input["title"] = title
	return vars{"input": input}
}

func TestTheSameClientKeyAnswersWithTheFirstCallsBatch(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	call := keyed("import-7", "Импорт", hubtest.Creation("new:1"), hubtest.Fields("new:1", vars{"b": 1, "a": []any{"x"}}))
	first := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch, call).Batch
	site.ClaimOf(t, first.CommandID(0))

	again := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch, call).Batch

	same(t, "batch", again.ID, first.ID)
	same(t, "commands", site.Queue(t).Counts.Total, 2)
}

func TestTheSameClientKeyAtTheSameMomentMakesOneBatch(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	call := keyed("import-7", "Импорт", hubtest.Comment("AURORA-1", "a"))
	const callers = 8
	batches, errs := make([]string, callers), make([]error, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			payload, err := hubtest.Call[hubtest.BatchPayload](t.Context(), site.Operator, hubtest.CreateBatch, call)
			batches[i], errs[i] = payload.Batch.ID, err
		})
	}
	all.Wait()
	for i := range callers {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		same(t, "batch", batches[i], batches[0])
	}
	same(t, "commands", site.Queue(t).Counts.Total, 1)
}

func TestTheSameClientKeyWithOtherContentIsAConflict(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch,
		keyed("import-7", "Импорт", hubtest.Comment("AURORA-1", "a")))
	for name, call := range map[string]vars{
		"another text":    keyed("import-7", "Импорт", hubtest.Comment("AURORA-1", "b")),
		"another title":   keyed("import-7", "Другой", hubtest.Comment("AURORA-1", "a")),
		"another command": keyed("import-7", "Импорт", hubtest.Sprint("AURORA-1", "a")),
		"one more":        keyed("import-7", "Импорт", hubtest.Comment("AURORA-1", "a"), hubtest.Comment("AURORA-1", "a")),
	} {
		t.Run(name, func(t *testing.T) { site.Operator.Refused(t, "CONFLICT", hubtest.CreateBatch, call) })
	}
	same(t, "commands", site.Queue(t).Counts.Total, 1)
}

func TestAClientKeyIsOfTheSiteAndTheTokensName(t *testing.T) {
	t.Parallel()
	site, other := hub.NewSite(t), hub.NewSite(t)
	seen := map[string]bool{}
	for _, caller := range []*hubtest.Client{site.Operator, site.Caller(t, "operator", "second"), other.Operator} {
		call := keyed("import-7", caller.Name, hubtest.Comment("AURORA-1", caller.Name))
		seen[hubtest.Ask[hubtest.BatchPayload](t, caller, hubtest.CreateBatch, call).Batch.ID] = true
	}
	same(t, "commands of the site", site.Queue(t).Counts.Total, 2)
	same(t, "commands of the other", other.Queue(t).Counts.Total, 1)
}

func TestARefusedBatchLeavesNoTraceOfItsClientKey(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Operator.Refused(t, "UNPROCESSABLE", hubtest.CreateBatch, keyed("import-7", "Импорт", hubtest.Comment("oops", "a")))
	hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch,
		keyed("import-7", "Другой", hubtest.Comment("AURORA-1", "b")))
	same(t, "commands", site.Queue(t).Counts.Total, 1)
}

func TestAClientKeyIs1To200Characters(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for _, key := range []string{"", strings.Repeat("a", 201)} {
		response, err := site.Operator.Send(t.Context(), hubtest.CreateBatch, keyed(key, "a", hubtest.Comment("AURORA-1", "a")))
		if err != nil {
			t.Fatal(err)
		}
		if len(response.Errors) == 0 {
			t.Errorf("a client key of %d characters was taken", len(key))
		}
	}
	hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.CreateBatch,
		keyed(strings.Repeat("a", 200), "a", hubtest.Comment("AURORA-1", "a")))
	same(t, "commands", site.Queue(t).Counts.Total, 1)
}

func TestARetrysClientKeyIsOfTheSameKind(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	site.Fail(t, id)
	call := vars{"ids": []string{id}, "clientKey": "again"}
	first := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.RetryCommands, call).Batch
	again := hubtest.Ask[hubtest.BatchPayload](t, site.Operator, hubtest.RetryCommands, call).Batch
	same(t, "batch", again.ID, first.ID)
	same(t, "commands", site.Queue(t).Counts.Total, 2)
}
