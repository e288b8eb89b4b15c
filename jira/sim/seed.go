package sim

import (
	"encoding/json"
	"strconv"
	"time"
)

// seed fills a new Jira: its people and words, then project AURORA, then VEGA.
func (s *store) seed() {
	s.fields = append(systemFields(), customFields(s.cloud())...)
	s.seedPeople()
	s.seedWords()

	work := s.seedProject("10000", "AURORA", "Аврора", s.auroraTypes())
	work.components = options(10400, "Сайт", "API", "Мобильное приложение")
	work.versions = options(10410, "2.0", "2.1")

	vega := s.seedProject("10001", "VEGA", "Вега", s.vegaTypes())
	vega.next = 12

	s.seedBoards(work, vega)
	s.seedIssues(work, vega)

	// What is made next is AURORA-1590: the numbers between were deleted or moved away, as they are in any old project.
	work.next = 1590
}

func (s *store) seedPeople() {
	person := func(name, account, display string) *user {
		u := &user{name: name, account: account, display: display, email: name + "@example.com"}
		s.users = append(s.users, u)

		return u
	}

	s.me = person("agent", "712020:5b10ac8d-82e0-4b22-8c7d-4ef500000000", "Агент")
	person("ivanova", "712020:5b10ac8d-82e0-4b22-8c7d-4ef500000001", "Анна Иванова")
	person("petrov", "712020:5b10ac8d-82e0-4b22-8c7d-4ef500000002", "Пётр Петров")
	person("smirnova", "712020:5b10ac8d-82e0-4b22-8c7d-4ef500000003", "Ольга Смирнова")
	person("kim", "712020:5b10ac8d-82e0-4b22-8c7d-4ef500000004", "Виктор Ким")
}

func (s *store) seedWords() {
	s.priorities = options(1, "Highest", "High", "Medium", "Low", "Lowest")
	s.resolutions = options(10000, "Готово", "Не будет исправлено", "Дубликат", "Не воспроизводится")
	s.statuses = []*status{
		{id: "10000", name: "К выполнению", category: "new"},
		{id: "10001", name: "В работе", category: "indeterminate"},
		{id: "10002", name: "На проверке", category: "indeterminate"},
		{id: "10003", name: "Готово", category: "done"},
		{id: "10004", name: "Отклонено", category: "done"},
	}
	s.linkTypes = []*linkType{
		{id: "10000", name: "Blocks", outward: "blocks", inward: "is blocked by"},
		{id: "10001", name: "Cloners", outward: "clones", inward: "is cloned by"},
		{id: "10002", name: "Duplicate", outward: "duplicates", inward: "is duplicated by"},
		{id: "10003", name: "Relates", outward: "relates to", inward: "relates to"},
		{id: "10100", name: "Проверка", outward: "проверяет", inward: "проверяется"},
	}
}

func (s *store) seedProject(id, key, name string, types []*issueType) *project {
	p := &project{id: id, key: key, name: name, types: types, next: 1, lead: s.users[1]}
	s.projects = append(s.projects, p)

	return p
}

// auroraWorkflow has transitions that are named otherwise than the statuses they lead to, and two ways into one status.
func (s *store) auroraWorkflow(done []screenField) *workflow {
	todo, doing, review, ready, declined := s.statuses[0], s.statuses[1], s.statuses[2], s.statuses[3], s.statuses[4]
	remarks := customID(map[bool]int{true: 10036, false: 10109}[s.cloud()])

	return &workflow{start: todo, transitions: []*transition{
		{id: "11", name: "Взять в работу", from: []*status{todo}, to: doing},
		{id: "21", name: "Отправить на проверку", from: []*status{doing}, to: review},
		{id: "31", name: "Вернуть в работу", from: []*status{review}, to: doing},
		{id: "41", name: "Принять", from: []*status{review}, to: ready, screen: done},
		{id: "42", name: "Принять с замечаниями", from: []*status{review}, to: ready, screen: append([]screenField{
			{id: remarks, required: true}, {id: "comment"},
		}, done...)},
		{id: "51", name: "Отложить", from: []*status{doing}, to: todo},
		{id: "61", name: "Отклонить", from: []*status{todo, doing, review}, to: declined, screen: []screenField{
			{id: "resolution", required: true}, {id: "comment"},
		}},
		{id: "71", name: "Открыть снова", from: []*status{ready, declined}, to: doing},
	}}
}

// vegaWorkflow lets every status be reached from every other.
func (s *store) vegaWorkflow() *workflow {
	w := &workflow{start: s.statuses[0]}
	for at, to := range []*status{s.statuses[0], s.statuses[1], s.statuses[3]} {
		w.transitions = append(w.transitions, &transition{id: strconv.Itoa(11 + 10*at), name: to.name, to: to})
	}

	return w
}

func (s *store) auroraTypes() []*issueType {
	plain := s.auroraWorkflow(nil)
	mended := s.auroraWorkflow([]screenField{{id: "resolution", required: true}})

	epic := s.issueType("10000", "Эпик", 1, plain)
	if !s.cloud() {
		name := screenField{id: s.custom(schemaEpicName).id, required: true}
		epic.create, epic.edit = append(epic.create, name), append(epic.edit, name)
	}

	return []*issueType{
		epic, s.issueType("10001", "История", 0, plain), s.issueType("10002", "Задача", 0, plain),
		s.issueType("10004", "Ошибка", 0, mended), s.issueType("10003", "Подзадача", -1, plain),
	}
}

func (s *store) vegaTypes() []*issueType {
	w := s.vegaWorkflow()

	return []*issueType{s.issueType("10002", "Задача", 0, w), s.issueType("10003", "Подзадача", -1, w)}
}

// issueType makes a type with the screens that all have.
func (s *store) issueType(id, name string, level int, w *workflow) *issueType {
	var screen []screenField

	for _, f := range s.fields {
		switch {
		case f.set == nil, f.id == "resolution", f.id == "comment", f.id == "issuetype":
		case f.name == "Замечания", f.custom == schemaEpicName:
		case f.custom == schemaEpicLink && (s.cloud() || level != 0):
		case f.id == "parent" && (level > 0 || level == 0 && !s.cloud()):
		default:
			screen = append(screen, screenField{id: f.id, required: f.id == "summary"})
		}
	}

	edit := append([]screenField{{id: "issuetype"}, {id: "comment"}}, screen...)
	if !s.cloud() {
		// Data Center gives a sub-task another parent in a dialogue of its own only.
		edit = without(edit, "parent")
	}

	return &issueType{id: id, name: name, level: level, workflow: w, create: screen, edit: edit}
}

func without(screen []screenField, id string) []screenField {
	var left []screenField
	for _, f := range screen {
		if f.id != id {
			left = append(left, f)
		}
	}

	return left
}

func (s *store) seedBoards(work, vega *project) {
	site := &board{id: 1, name: "Аврора: сайт", project: work}
	mobile := &board{id: 2, name: "Аврора: мобильное приложение", project: work}
	s.boards = []*board{site, mobile, {id: 3, name: "Вега: поток", project: vega, kanban: true}}

	s.addSprint(site, "Спринт 1", sprintClosed).goal = "Каркас сайта, без оплаты"
	s.addSprint(site, "Спринт 2", sprintActive).goal = "Оплата, возвраты и [черновой] отчёт"
	s.addSprint(site, "Спринт 3", sprintFuture)
	s.addSprint(site, "Спринт 4, стабилизация", sprintFuture)
	s.addSprint(mobile, "Мобильный 7", sprintClosed)
	s.addSprint(mobile, "Мобильный 8", sprintActive)
	s.addSprint(mobile, "Мобильный 9", sprintFuture)
}

// person makes an issue that somebody else than the agent wrote.
func (s *store) person(p *project, kind *issueType, summary string) *issue {
	author := s.users[1+len(s.issues)%(len(s.users)-1)]

	return &issue{
		project: p, kind: kind, status: kind.workflow.start, summary: summary, priority: s.priorities[2], reporter: author, creator: author,
		values: map[string]any{}, properties: map[string]json.RawMessage{},
	}
}

// seededAt is how long before the start the first issue was written; each next one came some hours later.
const (
	seededAt    = 90 * 24 * time.Hour
	seededEvery = 50 * time.Hour
)
