package crowd

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// tally counts who has which change.
type tally struct {
	of  int
	out io.Writer

	mu sync.Mutex
	// seen has those changes that some have and some do not.
	seen map[string]*int
}

// saw is called for each change that a subscriber gets.
func (t *tally) saw(cursor []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()

	count := t.seen[string(cursor)]
	if count == nil {
		count = new(int)
		t.seen[string(cursor)] = count
	}

	if *count++; *count == t.of {
		delete(t.seen, string(cursor))
		_, _ = fmt.Fprintf(t.out, "%s %s %d\n", allHaveIt, cursor, time.Now().UnixNano()) // a parent that is gone hears nothing
	}
}

func (t *tally) say(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()

	_, _ = fmt.Fprintln(t.out, line) // likewise
}
