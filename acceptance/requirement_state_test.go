package acceptance

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func confirmation() []scenario {
	return []scenario{
		{"Отчёт потерян, факт на месте", factInPlace},
		{"Описание с CRLF в зеркале", descriptionWithCRLF},
		{"после любого refresh: страница законченного", pageOfAnEndedRefresh},
		{"ensure_fields — все поля совпадают", allFields},
		{"строки сравниваются без различия CRLF и LF", lineEnds},
		{"null и пустая строка равны", nullIsEmpty},
		{"ensure_status — статус равен последнему в пути", lastOfThePath},
		{"ensure_link — связь есть и конфликтов нет", linkWithoutConflict},
		{"ensure_sprint — спринт совпадает", sprintEquals},
		{"ensure_issue, ensure_comment и refresh по состоянию не подтверждаются", neverConfirmed},
		{"потерянный отчёт по ним закрывается повторной выдачей или отменой человеком", closedOtherwise},
	}
}

// claimed makes a command of the entry and claims it.
func claimed(t testing.TB, site *hubtest.Site, entry vars) string {
	t.Helper()
	id := site.Submit(t, entry).CommandID(0)
	site.ClaimOf(t, id)
	return id
}

// confirms pushes the snapshots and checks whether that confirmed the command.
// One that it did not is closed by a report, so that the next case can go on.
func confirms(t testing.TB, site *hubtest.Site, id string, want bool, snapshots ...vars) {
	t.Helper()
	pushed := site.Push(t, snapshots...)
	if want {
		same(t, "confirmed by the push", ids(pushed.Confirmed), []string{id})
		is(t, site, id, "CONFIRMED_BY_STATE")
		return
	}
	same(t, "confirmed by the push", ids(pushed.Confirmed), []string{})
	is(t, site, id, "CLAIMED")
	if !t.Failed() {
		site.Fail(t, id)
	}
}

func factInPlace(t *testing.T, site *hubtest.Site) {
	id := claimed(t, site, hubtest.Sprint("AURORA-1", "Спринт 2"))
	confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "sprint", "Спринт 2"))
	same(t, "error", said(site.Command(t, id).Error), "<null>")
}

func descriptionWithCRLF(t *testing.T, site *hubtest.Site) {
	id := claimed(t, site, hubtest.Fields("AURORA-1", vars{"description": "a\nb"}))
	confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "description", "a\r\nb"))
}

func pageOfAnEndedRefresh(t *testing.T, site *hubtest.Site) {
	refresh := claimed(t, site, hubtest.Refresh("AURORA-1"))
	site.Done(t, refresh)
	id := claimed(t, site, hubtest.Sprint("AURORA-1", "Спринт 2"))

	pushed := site.PushPage(t, refresh, nil, hubtest.Snapshot("AURORA-1", "sprint", "Спринт 2"))

	same(t, "confirmed by the page", ids(pushed.Confirmed), []string{id})
	is(t, site, id, "CONFIRMED_BY_STATE")
}

func allFields(t *testing.T, site *hubtest.Site) {
	wanted := vars{"summary": "Отчёт", "labels": []string{"q3"}}
	id := claimed(t, site, hubtest.Fields("AURORA-1", wanted))
	confirms(t, site, id, false,
		hubtest.Snapshot("AURORA-1", "summary", "Отчёт", "fields", vars{"labels": []string{"q2"}}))
	id = claimed(t, site, hubtest.Fields("AURORA-1", wanted))
	confirms(t, site, id, true,
		hubtest.Snapshot("AURORA-1", "summary", "Отчёт", "fields", vars{"labels": []string{"q3"}}))
}

func lineEnds(t *testing.T, site *hubtest.Site) {
	id := claimed(t, site, hubtest.Fields("AURORA-1", vars{"customfield_1": "a\r\nb\nc"}))
	confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "fields", vars{"customfield_1": "a\nb\r\nc"}))
}

func nullIsEmpty(t *testing.T, site *hubtest.Site) {
	for _, one := range []struct{ wanted, there any }{{nil, ""}, {"", nil}} {
		id := claimed(t, site, hubtest.Fields("AURORA-1", vars{"description": one.wanted, "customfield_1": one.wanted}))
		confirms(t, site, id, true,
			hubtest.Snapshot("AURORA-1", "description", one.there, "fields", vars{"customfield_1": one.there}))
	}
}

func lastOfThePath(t *testing.T, site *hubtest.Site) {
	id := claimed(t, site, hubtest.Status("AURORA-1", "In Progress", "Done"))
	confirms(t, site, id, false, hubtest.Snapshot("AURORA-1", "status", "In Progress"))
	id = claimed(t, site, hubtest.Status("AURORA-1", "In Progress", "Done"))
	confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "status", "Done"))
}

func linkWithoutConflict(t *testing.T, site *hubtest.Site) {
	id := claimed(t, site, hubtest.LinkTo("AURORA-1", "AURORA-2"))
	confirms(t, site, id, false,
		hubtest.Snapshot("AURORA-1", "links", []vars{hubtest.Outward("AURORA-2"), hubtest.Inward("AURORA-2")}))
	id = claimed(t, site, hubtest.LinkTo("AURORA-1", "AURORA-2"))
	confirms(t, site, id, true,
		hubtest.Snapshot("AURORA-1", "links", []vars{hubtest.Outward("AURORA-2")}))
}

func sprintEquals(t *testing.T, site *hubtest.Site) {
	id := claimed(t, site, hubtest.Sprint("AURORA-1", "Спринт 2"))
	confirms(t, site, id, false, hubtest.Snapshot("AURORA-1", "sprint", "Спринт 1"))
	id = claimed(t, site, hubtest.Sprint("AURORA-1", nil))
	confirms(t, site, id, true, hubtest.Snapshot("AURORA-1", "sprint", ""))
}

func neverConfirmed(t *testing.T, site *hubtest.Site) {
	for _, entry := range []vars{
		hubtest.Creation("new:1", "summary", "Отчёт"),
		hubtest.Comment("AURORA-1", "Готово"),
		hubtest.Refresh("AURORA-1"),
	} {
		id := claimed(t, site, entry)
		confirms(t, site, id, false, hubtest.Snapshot("AURORA-1", "summary", "Отчёт", "fields",
			vars{"comment": vars{"comments": []vars{{"body": "Готово"}}}}))
	}
}

func closedOtherwise(t *testing.T, site *hubtest.Site) {
	for _, entry := range []vars{hubtest.Creation("new:1"), hubtest.Comment("AURORA-1", "Готово"), hubtest.Refresh("AURORA-1")} {
		id := claimed(t, site, entry)
		same(t, "delivery", site.ClaimOf(t, id).Delivery, 2)
		same(t, "cancelled", ids(site.Cancel(t, true, id).Cancelled), []string{id})
		is(t, site, id, "CANCELLED")
	}
}
