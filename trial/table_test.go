package trial

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// table counts what came of each verb, and what was seen on the way.
type table struct {
	mu       sync.Mutex
	total    int
	outcomes map[string]map[string]int
	// sightings are what an answer tells besides its code, such as a report that came too late.
	sightings map[string]int
}

func newTable() *table {
	return &table{outcomes: map[string]map[string]int{}, sightings: map[string]int{}}
}

func (t *table) add(verb, outcome string) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if t.outcomes[verb] == nil {
		t.outcomes[verb] = map[string]int{}
	}

	t.outcomes[verb][outcome]++
	t.total++
}

func (t *table) saw(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()

	t.sightings[what]++
}

func (t *table) size() int {
	t.mu.Lock()
	defer t.mu.Unlock()

	return t.total
}

// of is how often a verb had an outcome.
func (t *table) of(verb, outcome string) int {
	t.mu.Lock()
	defer t.mu.Unlock()

	return t.outcomes[verb][outcome]
}

// ever is how often an outcome came, whatever the verb.
func (t *table) ever(outcome string) int {
	t.mu.Lock()
	defer t.mu.Unlock()

	sum := 0
	for _, outcomes := range t.outcomes {
		sum += outcomes[outcome]
	}

	return sum
}

// String lays the table out: a row a verb, a column an outcome.
func (t *table) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()

	known := map[string]bool{}

	for _, outcomes := range t.outcomes {
		for outcome := range outcomes {
			known[outcome] = true
		}
	}

	delete(known, codeOK)
	columns := append([]string{codeOK}, slices.Sorted(maps.Keys(known))...)

	var out strings.Builder

	fmt.Fprintf(&out, "%d operations\n%-16s", t.total, "verb")

	for _, column := range columns {
		fmt.Fprintf(&out, " %s", column)
	}

	for _, verb := range slices.Sorted(maps.Keys(t.outcomes)) {
		fmt.Fprintf(&out, "\n%-16s", verb)

		for _, column := range columns {
			fmt.Fprintf(&out, " %*d", len(column), t.outcomes[verb][column])
		}
	}

	for _, what := range slices.Sorted(maps.Keys(t.sightings)) {
		fmt.Fprintf(&out, "\n%7d  %s", t.sightings[what], what)
	}

	return out.String()
}
