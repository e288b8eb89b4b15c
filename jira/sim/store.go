package sim

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// store is all that this Jira holds. Whoever touches it holds Sim.mu.
type store struct {
	dialect   Dialect
	now       func() time.Time
	zone      *time.Location
	maxIssues int

	me    *user
	users []*user

	fields      []*field
	statuses    []*status
	priorities  []*named
	resolutions []*named
	linkTypes   []*linkType
	projects    []*project
	boards      []*board
	sprints     []*sprint

	issues []*issue // by id, ascending
	byID   map[int]*issue
	byKey  map[string]*issue // old keys of moved issues too
	links  map[int]*link
	lastID int

	index   index
	last    lastSearch
	crlf    bool
	strip   bool
	screens []ScreenField
	forced  []ForcedResolution
}

// named is a priority, a resolution, a component or a version.
type named struct {
	id   string
	name string
}

type user struct {
	name    string // Data Center's
	account string // Cloud's
	display string
	email   string
}

func newStore(config Config, zone *time.Location) *store {
	return &store{
		dialect: config.Dialect, now: config.Now, zone: zone, maxIssues: config.MaxIssues,
		byID: map[int]*issue{}, byKey: map[string]*issue{}, links: map[int]*link{}, lastID: 10_000,
		index: index{seen: map[int]*issue{}},
	}
}

func (s *store) cloud() bool { return s.dialect == Cloud }

// nextID numbers everything that is made after the start: issues, comments, links.
func (s *store) nextID() int {
	s.lastID++

	return s.lastID
}

// issue finds one by its key, an old key or its id.
func (s *store) issue(keyOrID string) (*issue, bool) {
	if i, ok := s.byKey[strings.ToUpper(keyOrID)]; ok {
		return i, true
	}

	id, err := strconv.Atoi(keyOrID)
	if err != nil {
		return nil, false
	}

	i, ok := s.byID[id]

	return i, ok
}

// add gives a new issue its id and key.
func (s *store) add(i *issue) {
	i.id = s.nextID()
	i.key = i.project.nextKey()
	i.created = s.now()

	s.issues = append(s.issues, i)
	s.byID[i.id], s.byKey[i.key] = i, i
	s.touch(i)
}

// touch is called after every change of an issue: the index hears of it, sooner or later.
func (s *store) touch(i *issue) {
	i.updated = s.now()
	s.index.changed(i, s.now())
}

func (s *store) drop(i *issue) {
	for _, l := range slices.Clone(i.links) {
		s.unlink(l)
	}

	s.issues = slices.DeleteFunc(s.issues, func(other *issue) bool { return other == i })
	delete(s.byID, i.id)
	maps.DeleteFunc(s.byKey, func(_ string, other *issue) bool { return other == i })
	s.index.forget(i)
}

func (s *store) project(keyOrID string) (*project, bool) {
	return find(s.projects, func(p *project) bool { return strings.EqualFold(p.key, keyOrID) || p.id == keyOrID })
}

func (s *store) field(id string) (*field, bool) {
	return find(s.fields, func(f *field) bool { return f.id == id })
}

// custom finds the field of one of Jira Software's own types, which every site has once.
func (s *store) custom(schema string) *field {
	f, _ := find(s.fields, func(f *field) bool { return f.custom == schema })

	return f
}

func (s *store) sprint(id int) (*sprint, bool) {
	return find(s.sprints, func(sp *sprint) bool { return sp.id == id })
}

func (s *store) board(id int) (*board, bool) {
	return find(s.boards, func(b *board) bool { return b.id == id })
}

func (s *store) addSprint(b *board, name, state string) *sprint {
	sp := &sprint{id: len(s.sprints) + 11, board: b, name: name, state: state}
	s.sprints = append(s.sprints, sp)

	return sp
}

func (s *store) statusNamed(name string) (*status, error) {
	if st, ok := find(s.statuses, func(st *status) bool { return st.name == name }); ok {
		return st, nil
	}

	return nil, fmt.Errorf("no status is named %q", name)
}

func find[T any](list []T, is func(T) bool) (found T, ok bool) {
	if at := slices.IndexFunc(list, is); at >= 0 {
		return list[at], true
	}

	return found, false
}
