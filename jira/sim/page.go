package sim

import (
	_ "embed"
	"html/template"
	"net/http"
	"strconv"
	"strings"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

// maxRows bounds how many issues the list shows.
const maxRows = 500

// words are what the pages say, in the reader's language.
type words struct {
	Lang, Title, Simulation, Issues, Shown, All, Missing, Backlog string
	Key, Type, Summary, Status, Sprint, Assignee, Parent          string
	Labels, Description, Comments, Links                          string
}

func russian() words {
	return words{
		Lang: "ru", Title: "Имитация Jira", Simulation: "Это имитация Jira: данные выдуманы, живут в памяти и пропадут при остановке.",
		Issues: "Задачи", Shown: "показаны последние", Key: "Ключ", Type: "Тип", Summary: "Тема", Status: "Статус", Sprint: "Спринт",
		Assignee: "Исполнитель", Parent: "Входит в", Labels: "Метки", Description: "Описание", Comments: "Комментарии", Links: "Связи",
		All: "Все задачи", Missing: "Такой задачи нет.", Backlog: "бэклог",
	}
}

func english() words {
	return words{
		Lang: "en", Title: "Simulated Jira",
		Simulation: "This is a simulated Jira: its data is made up, lives in memory and is gone when it stops.",
		Issues:     "Issues", Shown: "the latest shown:", Key: "Key", Type: "Type", Summary: "Summary", Status: "Status", Sprint: "Sprint",
		Assignee: "Assignee", Parent: "Part of", Labels: "Labels", Description: "Description", Comments: "Comments", Links: "Links",
		All: "All issues", Missing: "There is no such issue.", Backlog: "backlog",
	}
}

// inLanguage takes the first of the two that the reader's browser puts highest.
func inLanguage(accept string) words {
	best, found := 0.0, english()

	for part := range strings.SplitSeq(accept, ",") {
		tag, quality, weighed := strings.Cut(strings.TrimSpace(part), ";q=")

		weight, err := strconv.ParseFloat(quality, 64)
		if !weighed || err != nil {
			weight = 1
		}

		switch language, _, _ := strings.Cut(strings.ToLower(tag), "-"); {
		case weight <= best:
		case language == "ru":
			best, found = weight, russian()
		case language == "en":
			best, found = weight, english()
		}
	}

	return found
}

// row is an issue on a page.
type row struct {
	Issue

	Assignee string
	Others   []related
}

type related struct{ Word, Key, Summary string }

type shownPage struct {
	Words words
	Rows  []row
	Total int
	One   *row
}

func (s *Sim) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "only GET", http.StatusMethodNotAllowed)

		return
	}

	shown, status := shownPage{Words: inLanguage(r.Header.Get("Accept-Language"))}, http.StatusOK
	key, single := strings.CutPrefix(r.URL.Path, "/browse/")

	switch {
	case single:
		shown.One = s.row(key)
	case r.URL.Path == "/":
		shown.Rows, shown.Total = s.rows()
	}

	if shown.One == nil && r.URL.Path != "/" {
		status = http.StatusNotFound
	}

	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", shown.Words.Lang)
	w.Header().Set("Vary", "Accept-Language")
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)

	_ = template.Must(template.New("page").Parse(pageSource)).Execute(w, shown) // a reader who is gone is the reader's affair
}

func style(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write([]byte(pageStyle)) // likewise
}

func (s *Sim) rows() (rows []row, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()

	for at := len(s.store.issues) - 1; at >= 0 && len(rows) < maxRows; at-- {
		rows = append(rows, s.store.row(s.store.issues[at]))
	}

	return rows, len(s.store.issues)
}

func (s *Sim) row(key string) *row {
	s.mu.Lock()
	defer s.mu.Unlock()

	i, ok := s.store.issue(key)
	if !ok {
		return nil
	}

	one := s.store.row(i)

	return &one
}

func (s *store) row(i *issue) row {
	one := row{Issue: s.look(i)}
	if i.assignee != nil {
		one.Assignee = i.assignee.display
	}

	if one.Parent == "" {
		one.Parent = one.Epic
	}

	for at, m := range i.comments {
		one.Comments[at].Author = m.author.display
	}

	for _, l := range i.links {
		if l.source == i {
			one.Others = append(one.Others, related{l.kind.outward, l.target.key, l.target.summary})
		} else {
			one.Others = append(one.Others, related{l.kind.inward, l.source.key, l.source.summary})
		}
	}

	return one
}
