package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func temporaryKeys() []scenario {
	return []scenario{
		{"Создать и привязать", createAndLink},
		{"Создание отменено", creationCancelled},
		{"Создание упало", creationFailed},
		{"Параметр-ключ любой команды MAY быть временным", anyKeyMayBeTemporary},
		{"выдавать агенту такую команду только после done команды ensure_issue", onlyAfterDone},
		{"с тем же temp_key в том же пакете", inTheSameBatch},
		{"иначе «задача new:<n> не создана»: и по пределу выдач", creationLost},
		{"Временный ключ вне пакета с его ensure_issue SHALL отвергаться (422)", unknownOutsideItsBatch},
	}
}

func createAndLink(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Creation("new:60"), hubtest.LinkTo("new:60", "AURORA-1537"))
	creation, link := batch.CommandID(0), batch.CommandID(1)

	site.ClaimOf(t, creation)
	is(t, site, link, "QUEUED")
	site.Created(t, creation, "AURORA-1590")

	claim := site.ClaimOf(t, link)
	same(t, "source handed out", claim.Params.Source, "AURORA-1590")
	same(t, "target handed out", claim.Params.Target, "AURORA-1537")
	same(t, "source as submitted", site.Command(t, link).Params.Source, "new:60")
	same(t, "key of the creation", said(site.Command(t, creation).ResultKey), "AURORA-1590")
}

func creationCancelled(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Creation("new:901"), hubtest.Comment("new:901", "Готово"))
	creation, comment := batch.CommandID(0), batch.CommandID(1)
	site.ClaimOf(t, creation)

	site.Cancel(t, true, creation)

	is(t, site, creation, "CANCELLED")
	stands(t, site, comment, "SKIPPED", "создание задачи new:901 отменено")
}

func creationFailed(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Creation("new:902"), hubtest.LinkTo("new:902", "AURORA-1"))
	creation, link := batch.CommandID(0), batch.CommandID(1)
	site.ClaimOf(t, creation)

	site.Fail(t, creation)

	is(t, site, creation, "FAILED")
	stands(t, site, link, "SKIPPED", "задача new:902 не создана")
}

func anyKeyMayBeTemporary(t *testing.T, site *hubtest.Site) {
	made := "AURORA-7"
	batch := site.Submit(t,
		hubtest.Creation("new:1"),
		hubtest.Creation("new:2", "parent", "new:1"),
		hubtest.Creation("new:3", "epic", "new:1"),
		hubtest.Fields("new:1", vars{"summary": "Отчёт"}),
		hubtest.Status("new:1", "Open", "Done"),
		hubtest.LinkTo("new:1", "AURORA-2"),
		hubtest.LinkTo("AURORA-2", "new:1"),
		hubtest.Sprint("new:1", "Спринт 2"),
		hubtest.Comment("new:1", "Готово"),
		hubtest.Refresh("AURORA-2", "new:1"),
	)
	site.ClaimOf(t, batch.CommandID(0))
	site.Created(t, batch.CommandID(0), made)

	handedOut := []func(hubtest.Params) string{
		1: func(p hubtest.Params) string { return said(p.Parent) },
		2: func(p hubtest.Params) string { return said(p.Epic) },
		3: func(p hubtest.Params) string { return p.Key },
		4: func(p hubtest.Params) string { return p.Key },
		5: func(p hubtest.Params) string { return p.Source },
		6: func(p hubtest.Params) string { return p.Target },
		7: func(p hubtest.Params) string { return p.Key },
		8: func(p hubtest.Params) string { return p.Key },
		9: func(p hubtest.Params) string { return p.Keys[1] },
	}
	for position := 1; position < len(handedOut); position++ {
		claim := site.ClaimOf(t, batch.CommandID(position))
		same(t, "key handed out with a "+claim.Command.Kind, handedOut[position](claim.Params), made)
		if claim.Params.TempKey != "" {
			same(t, "a creation's own key", claim.Params.TempKey, claim.Command.Params.TempKey)
			site.Created(t, claim.Command.ID, "AURORA-9"+claim.Params.TempKey[len("new:"):])
			continue
		}
		site.Done(t, claim.Command.ID)
	}
}

func onlyAfterDone(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t,
		hubtest.Comment("new:1", "Ждёт"), hubtest.Comment("AURORA-5", "Не ждёт"), hubtest.Creation("new:1"))
	waits, free, creation := batch.CommandID(0), batch.CommandID(1), batch.CommandID(2)

	site.ClaimOf(t, free)
	site.Done(t, free)
	site.ClaimOf(t, creation)
	is(t, site, waits, "QUEUED")
	site.Created(t, creation, "AURORA-6")

	same(t, "key handed out", site.ClaimOf(t, waits).Params.Key, "AURORA-6")
}

func inTheSameBatch(t *testing.T, site *hubtest.Site) {
	first := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "Первая"))
	second := site.Submit(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "Вторая"))

	site.ClaimOf(t, first.CommandID(0))
	site.Created(t, first.CommandID(0), "AURORA-11")
	same(t, "key in the first batch", site.ClaimOf(t, first.CommandID(1)).Params.Key, "AURORA-11")
	site.Done(t, first.CommandID(1))

	site.ClaimOf(t, second.CommandID(0))
	is(t, site, second.CommandID(1), "QUEUED")
	site.Created(t, second.CommandID(0), "AURORA-12")
	same(t, "key in the second batch", site.ClaimOf(t, second.CommandID(1)).Params.Key, "AURORA-12")
}

func creationLost(t *testing.T, site *hubtest.Site) {
	batch := site.Submit(t, hubtest.Creation("new:3"), hubtest.Comment("new:3", "Готово"), hubtest.Comment("AURORA-1", "Дальше"))
	next := site.Lose(t, batch.CommandID(0))

	is(t, site, batch.CommandID(0), "FAILED")
	stands(t, site, batch.CommandID(1), "SKIPPED", "задача new:3 не создана")
	if next.Claim == nil || next.Claim.Command.ID != batch.CommandID(2) {
		t.Errorf("the same claim handed out %v, not the next command", next.Claim)
	}
}

func unknownOutsideItsBatch(t *testing.T, site *hubtest.Site) {
	site.Submit(t, hubtest.Creation("new:5"))
	refusedWith(t, site, []vars{hubtest.Comment("new:5", "Готово")},
		problem{"0", "key", "TEMP_KEY_UNKNOWN"})
	same(t, "commands", site.Queue(t).Counts.Total, 1)
}
