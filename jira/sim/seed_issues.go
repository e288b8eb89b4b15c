package sim

import (
	"slices"
	"time"
)

// seeded is an issue of the seed, by the numbers and names of what it hangs on.
type seeded struct {
	number      int
	kind        string
	summary     string
	description string
	status      string
	under       int // the epic's number, or the parent's of a sub-task
	sprints     []string
	labels      []string
	points      float64
	assignee    int
	comments    []string
}

// aurora is project AURORA: a site that sells places on excursions.
func aurora() []seeded {
	return []seeded{
		{number: 1501, kind: "Эпик", summary: "Оплата заказов", description: "Гость платит картой или через СБП и получает чек.", status: "В работе"},
		{number: 1502, kind: "Эпик", summary: "Личный кабинет", description: "История заказов, избранное, настройки уведомлений.", status: "К выполнению"},
		{number: 1503, kind: "Эпик", summary: "Мобильное приложение", status: "В работе"},
		{
			number: 1510, kind: "История", summary: "Гость выбирает способ оплаты", under: 1501, status: "Готово", sprints: []string{"Спринт 1"}, points: 5, assignee: 2,
			description: "Как гость, я хочу выбрать способ оплаты, чтобы не вводить карту дважды.\n\nСпособы:\n* карта\n* СБП\n* счёт для организации", labels: []string{"оплата"},
		},
		{number: 1511, kind: "Задача", summary: "Подключить эквайринг в тестовом контуре", under: 1501, status: "Готово", sprints: []string{"Спринт 1"}, points: 3, assignee: 4},
		{
			number: 1512, kind: "Ошибка", summary: "Чек не приходит, если в адресе почты есть «+»", under: 1501, status: "На проверке", sprints: []string{"Спринт 1", "Спринт 2"}, points: 2, assignee: 3,
			description: "Шаги:\n# оформить заказ на anna+test@example.com\n# оплатить\n\nОжидалось: чек на почте.\nПолучилось: ничего.", labels: []string{"оплата", "регрессия"},
			comments: []string{"Повторяется и на стенде.", "Исправлено в ветке payments, прошу проверить."},
		},
		{number: 1513, kind: "Подзадача", summary: "Проверить адреса с точками и плюсом", under: 1512, status: "В работе", assignee: 3},
		{number: 1520, kind: "История", summary: "Гость видит историю заказов", under: 1502, status: "К выполнению", sprints: []string{"Спринт 3"}, points: 8},
		{number: 1521, kind: "Задача", summary: "Согласовать тексты уведомлений", under: 1502, status: "К выполнению", points: 1, assignee: 1, comments: []string{"Юристы обещали ответ до пятницы 🙂"}},
		{number: 1522, kind: "История", summary: "Гость добавляет экскурсию в избранное", under: 1502, status: "К выполнению"},
		{number: 1530, kind: "История", summary: "Вход по отпечатку пальца", under: 1503, status: "В работе", sprints: []string{"Мобильный 8"}, points: 5, assignee: 4},
		{number: 1531, kind: "Ошибка", summary: "Приложение закрывается при повороте экрана", under: 1503, status: "К выполнению", sprints: []string{"Мобильный 7", "Мобильный 8"}, points: 3, assignee: 4, labels: []string{"android"}},
		{number: 1532, kind: "Задача", summary: "Собрать отчёты о сбоях за ноябрь", under: 1503, status: "К выполнению"},
		{number: 1537, kind: "Задача", summary: "Выпуск 2.0", description: "Что должно войти — в связях.", status: "К выполнению", sprints: []string{"Спринт 2"}, points: 1, assignee: 1},
		{number: 1538, kind: "Подзадача", summary: "Заметки к выпуску", under: 1537, status: "К выполнению"},
		{number: 1539, kind: "Подзадача", summary: "Проверка безопасности", under: 1537, status: "К выполнению", assignee: 2},
		{number: 1540, kind: "Задача", summary: "Возврат денег за отменённую экскурсию", under: 1501, status: "В работе", sprints: []string{"Спринт 2"}, points: 5, assignee: 2, description: "Возврат идёт тем же способом, каким платили."},
		{number: 1541, kind: "Задача", summary: "Отчёт по возвратам", under: 1501, status: "К выполнению", sprints: []string{"Спринт 2"}, points: 3},
		{number: 1542, kind: "Ошибка", summary: "Двойное списание при медленной сети", under: 1501, status: "Отклонено", sprints: []string{"Спринт 1"}, labels: []string{"оплата"}, comments: []string{"Не воспроизводится после обновления эквайринга."}},
		{number: 1543, kind: "Задача", summary: "Обновить сертификаты стендов", status: "К выполнению"},
	}
}

func (s *store) seedIssues(work, vega *project) {
	clock := s.now
	at := clock().Add(-seededAt)
	s.now = func() time.Time { return at }

	for _, one := range aurora() {
		s.seedIssue(work, one)

		at = at.Add(seededEvery)
	}

	for _, l := range []struct {
		kind           int
		source, target string
	}{
		{0, "AURORA-1512", "AURORA-1537"},
		{0, "AURORA-1540", "AURORA-1541"},
		{3, "AURORA-1521", "AURORA-1520"},
		{2, "AURORA-1542", "AURORA-1512"},
		{4, "AURORA-1539", "AURORA-1540"},
	} {
		s.link(s.linkTypes[l.kind], s.byKey[l.source], s.byKey[l.target])
	}

	for _, summary := range []string{"Переезд на новый стенд", "Обзор журналов за неделю"} {
		s.add(s.person(vega, vega.types[0], summary))
	}

	s.now = clock
}

func (s *store) seedIssue(p *project, one seeded) {
	kind, _ := find(p.types, func(t *issueType) bool { return t.name == one.kind })
	i := s.person(p, kind, one.summary)
	i.status, _ = s.statusNamed(one.status)
	i.labels = slices.Sorted(slices.Values(one.labels))

	if text := s.stored(one.description); text != nil {
		i.values["description"] = text
	}

	if one.points > 0 {
		i.values[s.pointsField()] = one.points
	}

	if one.assignee > 0 {
		i.assignee = s.users[one.assignee]
	}

	if i.status.category == "done" {
		i.resolution, i.resolved = s.resolutions[0], s.now()
	}

	if i.status.name == "Отклонено" {
		i.resolution = s.resolutions[3]
	}

	for _, name := range one.sprints {
		sp, _ := find(s.sprints, func(sp *sprint) bool { return sp.name == name })
		i.sprints = append(i.sprints, sp)
	}

	for _, above := range s.issues {
		if _, number, _ := splitKey(above.key); number == one.under && kind.subtask() {
			i.parent = above
		} else if number == one.under {
			i.epic = above
		}
	}

	if kind.epic() && !s.cloud() {
		i.values[s.custom(schemaEpicName).id] = one.summary
	}

	for _, text := range one.comments {
		i.comments = append(i.comments, &comment{id: s.nextID(), author: s.users[1+len(i.comments)], body: s.stored(text), created: s.now()})
	}

	p.next = one.number
	s.add(i)
}

func (s *store) pointsField() string {
	f, _ := find(s.fields, func(f *field) bool { return f.name == "Story Points" })

	return f.id
}
