package acceptance

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

const lost = "агент не отчитался после 3 выдач"

func errorsOfCommands() []scenario {
	return []scenario{
		{"Ошибка команды SHALL записываться в error (HTTP-код, текст Jira)", errorIsRecorded},
		{"хранить не больше 1500 символов error, обрезая присланное", errorIsCut},
		{"Пакет после ошибки продолжается", batchGoesOn},
	}
}

func redelivery() []scenario {
	return []scenario{
		{"Ответ на claim потерян", answerLost},
		{"Предел выдач", deliveryLimit},
		{"Потерянный отчёт о создании задачи", reportOfCreationLost},
		{"тот же id и параметры, pause_seconds по текущей политике темпа, новый claimed_at, deliveries + 1", sameAgain},
		{"новых команд хаб MUST NOT создавать сам", nothingOfItsOwn},
		{"повтор после failed — новая команда с теми же параметрами по запросу интерфейса", retryIsNew},
		{"done с ключом по ensure_issue, переведённой в failed по пределу: записать ключ, не меняя статус", lateKeyAfterLimit},
		{"как для отменённой", lateKeyAfterCancel},
	}
}

func errorIsRecorded(t *testing.T, site *hubtest.Site) {
	id := site.Submit(t, hubtest.Comment("AURORA-1", "Готово")).CommandID(0)
	site.ClaimOf(t, id)
	site.Report(t, id, "FAILED", "error", hubtest.JiraError(403, "Нет прав на проект"))
	stands(t, site, id, "FAILED", "HTTP 403: Нет прав на проект")
}

func errorIsCut(t *testing.T, site *hubtest.Site) {
	// A symbol beyond the basic plane: 1,500 of them are 6,000 bytes and 3,000
	// UTF-16 units, but 1,500 characters.
	for name, sent := range map[string]string{
		"longer": strings.Repeat("😀", 1501), "just as long": strings.Repeat("😀", 1500),
	} {
		id := site.Submit(t, hubtest.Comment("AURORA-1", "Готово")).CommandID(0)
		site.ClaimOf(t, id)
		site.Report(t, id, "FAILED", "error", hubtest.JiraError(nil, sent))
		stands(t, site, id, "FAILED", strings.Repeat("😀", 1500))
		if t.Failed() {
			t.Fatalf("a text %s than the limit", name)
		}
	}
	id := site.Submit(t, hubtest.Comment("AURORA-1", "Готово")).CommandID(0)
	site.ClaimOf(t, id)
	site.Report(t, id, "FAILED", "error", hubtest.JiraError(400, strings.Repeat("я", 3000)))
	kept := said(site.Command(t, id).Error)
	same(t, "characters with the status before", utf8.RuneCountInString(kept), 1500)
	same(t, "the beginning", strings.HasPrefix(kept, "HTTP 400: яяя"), true)
}

func batchGoesOn(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "Раз"), hubtest.Comment("AURORA-1", "Два"))
	site.ClaimOf(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(0))
	site.ClaimOf(t, batch.CommandID(1))
}

func answerLost(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "40"), hubtest.Comment("AURORA-1", "41"))
	same(t, "first delivery", site.ClaimOf(t, batch.CommandID(0)).Delivery, 1)

	again := site.ClaimOf(t, batch.CommandID(0))

	same(t, "delivery", again.Delivery, 2)
	same(t, "deliveries", site.Command(t, batch.CommandID(0)).Deliveries, 2)
	is(t, site, batch.CommandID(1), "QUEUED")
}

func deliveryLimit(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "41"), hubtest.Comment("AURORA-1", "42"))
	next := site.Lose(t, batch.CommandID(0))

	stands(t, site, batch.CommandID(0), "FAILED", lost)
	same(t, "deliveries", site.Command(t, batch.CommandID(0)).Deliveries, 3)
	if next.Claim == nil || next.Claim.Command.ID != batch.CommandID(1) {
		t.Errorf("the claim handed out %v, not 42", next.Claim)
	}
}

// The test is the agent here: it looks for the mark before it creates.
func reportOfCreationLost(t *testing.T, site *hubtest.Site) {
	id := site.Submit(t, hubtest.Creation("new:5", "summary", "Отчёт")).CommandID(0)
	site.SetNote(t, "new:5", "Спросить Анну")
	jira := map[string]string{} // mark to key

	for range 2 { // the first report never leaves the agent
		claim := site.ClaimOf(t, id)
		if _, there := jira[claim.DedupeKey]; !there {
			jira[claim.DedupeKey] = fmt.Sprintf("AURORA-%d", len(jira)+1)
		}
	}
	site.Created(t, id, jira[site.ClaimOf(t, id).DedupeKey])

	same(t, "issues in Jira", len(jira), 1)
	is(t, site, id, "DONE")
	same(t, "key", said(site.Command(t, id).ResultKey), "AURORA-1")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-1": "Спросить Анну"})
}

func sameAgain(t *testing.T, site *hubtest.Site) {
	id := site.Submit(t, hubtest.LinkTo("AURORA-1", "AURORA-2", "exclusive", true)).CommandID(0)
	site.SetPace(t, 3, 3)
	first := site.ClaimOf(t, id)
	claimedAt := site.Command(t, id).ClaimedAt
	site.SetPace(t, 7, 7)

	second := site.ClaimOf(t, id)

	same(t, "first pause", first.PauseSeconds, 3)
	same(t, "second pause", second.PauseSeconds, 7)
	same(t, "parameters", second.Params, first.Params)
	same(t, "deliveries", second.Command.Deliveries, first.Command.Deliveries+1)
	if again := site.Command(t, id).ClaimedAt; claimedAt == nil || again == nil || !again.After(*claimedAt) {
		t.Errorf("claimed at %v, before at %v", again, claimedAt)
	}
}

func nothingOfItsOwn(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "Готово"), hubtest.Comment("AURORA-1", "Готово"))
	site.Lose(t, batch.CommandID(0))
	site.Fail(t, batch.CommandID(2))
	same(t, "commands", site.Queue(t).Counts, hubtest.Counts{Failed: 2, Skipped: 1, Total: 3})
	same(t, "idle", site.Idle(t), "EMPTY")
}

func retryIsNew(t *testing.T, site *hubtest.Site) {
	id := site.Submit(t, hubtest.Sprint("AURORA-1", "Спринт 2")).CommandID(0)
	site.ClaimOf(t, id)
	site.Fail(t, id)

	retry := site.Retry(t, id).CommandID(0)

	if retry == id {
		t.Fatal("the retry is the command itself")
	}
	is(t, site, id, "FAILED")
	same(t, "parameters", site.Command(t, retry).Params, site.Command(t, id).Params)
	site.ClaimOf(t, retry)
}

func lateKeyAfterLimit(t *testing.T, site *hubtest.Site) {
	id := site.Submit(t, hubtest.Creation("new:8")).CommandID(0)
	site.SetNote(t, "new:8", "Спросить Анну")
	site.Lose(t, id)

	reported := site.Report(t, id, "DONE", "key", "AURORA-80")

	same(t, "accepted", reported.Accepted, false)
	stands(t, site, id, "FAILED", lost)
	same(t, "key", said(site.Command(t, id).ResultKey), "AURORA-80")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-80": "Спросить Анну"})
}

func lateKeyAfterCancel(t *testing.T, site *hubtest.Site) {
	id := site.Submit(t, hubtest.Creation("new:8")).CommandID(0)
	site.SetNote(t, "new:8", "Спросить Анну")
	site.ClaimOf(t, id)
	site.Cancel(t, true, id)

	reported := site.Report(t, id, "DONE", "key", "AURORA-80")

	same(t, "accepted", reported.Accepted, false)
	is(t, site, id, "CANCELLED")
	same(t, "key", said(site.Command(t, id).ResultKey), "AURORA-80")
	same(t, "notes", site.Notes(t), map[string]string{"AURORA-80": "Спросить Анну"})
}
