package queue

import "slices"

// cycles finds the creations that wait for themselves, straight or through others.
func (c *batchCheck) cycles(params []Params) map[int]bool {
	search := &cycleSearch{
		needs: map[int][]int{}, index: map[int]int{}, low: map[int]int{}, onStack: map[int]bool{}, cyclic: map[int]bool{},
	}

	for _, position := range c.creations {
		for _, key := range WaitsFor(params[position]) {
			if creation, known := c.creations[key]; known {
				search.needs[position] = append(search.needs[position], creation)
			}
		}
	}

	for position := range search.needs {
		if _, seen := search.index[position]; !seen {
			search.visit(position)
		}
	}

	return search.cyclic
}

// cycleSearch is Tarjan's search for strongly connected components. It goes as deep as one creation waits for the
// next, at most MaxCommands.
type cycleSearch struct {
	needs      map[int][]int
	index, low map[int]int
	stack      []int
	onStack    map[int]bool
	cyclic     map[int]bool
}

func (s *cycleSearch) visit(at int) {
	s.index[at] = len(s.index)
	s.low[at] = s.index[at]
	s.stack = append(s.stack, at)
	s.onStack[at] = true

	for _, next := range s.needs[at] {
		if next == at {
			s.cyclic[at] = true
		}

		if _, seen := s.index[next]; !seen {
			s.visit(next)
			s.low[at] = min(s.low[at], s.low[next])
		} else if s.onStack[next] {
			s.low[at] = min(s.low[at], s.index[next])
		}
	}

	if s.low[at] != s.index[at] {
		return
	}

	from := slices.Index(s.stack, at)
	component := s.stack[from:]

	for _, member := range component {
		s.onStack[member] = false

		if len(component) > 1 {
			s.cyclic[member] = true
		}
	}

	s.stack = s.stack[:from]
}
