package demo

import "github.com/sdlc-hub/sdlc-hub/queue"

// batch gives commands a title. The project speaks Russian, as its issues do.
func batch(title string, params ...queue.Params) queue.BatchSpec {
	spec := queue.BatchSpec{Title: &title}

	for _, p := range params {
		spec.Commands = append(spec.Commands, queue.CommandSpec{Params: p})
	}

	return spec
}

// lost is the batch whose one report never comes.
func lost() queue.BatchSpec {
	return batch("Потерянный отчёт", queue.EnsureStatus{Key: lostIssue, Path: []string{lostStatus}})
}

// goingWell makes issues that name each other before any of them exists.
func goingWell() queue.BatchSpec {
	var (
		epic        queue.Key = "new:1"
		all                   = "project = AURORA ORDER BY key"
		next                  = "Спринт 3"
		description           = "Гость отправляет ссылку на экскурсию; по ней открывается та же дата и то же число мест."
	)

	return batch("Выпуск 2.1: поделиться экскурсией",
		queue.Refresh{JQL: &all},
		queue.EnsureIssue{TempKey: epic, Project: "AURORA", IssueType: "Эпик", Summary: "Поделиться экскурсией"},
		queue.EnsureIssue{
			TempKey: "new:2", Project: "AURORA", IssueType: "История", Summary: "Гость делится экскурсией с друзьями",
			Description: &description, Epic: &epic,
		},
		queue.EnsureIssue{TempKey: "new:3", Project: "AURORA", IssueType: "Задача", Summary: "Тексты для общей ссылки", Epic: &epic},
		queue.EnsureLink{Source: "new:3", Target: "new:2", Type: "Blocks"},
		queue.EnsureFields{Key: "new:2", Fields: queue.Fields{"labels": []any{"выпуск-2.1"}}},
		queue.EnsureSprint{Key: "new:2", Sprint: &next},
		queue.EnsureStatus{Key: "new:3", Path: []string{lostStatus}},
		queue.EnsureComment{Key: "new:3", Body: "Черновик текстов — до пятницы."},
	)
}

// meetingAnError asks for an issue of a type that the project does not have. What names that issue cannot be done.
func meetingAnError() queue.BatchSpec {
	return batch("Исследование оплаты долями",
		queue.EnsureIssue{TempKey: "new:1", Project: "AURORA", IssueType: "Исследование", Summary: "Оплата долями: кто так умеет"},
		queue.EnsureComment{Key: "new:1", Body: "Начать с трёх банков."},
		queue.EnsureLink{Source: "new:1", Target: "AURORA-1541", Type: "Blocks"},
		queue.EnsureComment{Key: "AURORA-1541", Body: "К отчёту добавится раздел об оплате долями."},
	)
}
