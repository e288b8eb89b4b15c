package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"testing"
	"time"
)

// sum stands for the text of one event: a crowd cannot keep all that it has read.
type sum uint64

//nolint:gochecknoglobals // what one process sums up is compared in that process
var sumSeed = maphash.MakeSeed()

func sumOf(text []byte) sum { return sum(maphash.Bytes(sumSeed, text)) }

// history is the event log of a site as it is read over HTTP, from its beginning.
type history struct {
	// query reads a page of it.
	query   string
	cursors []string
	place   map[string]int
	// of has, for each wish, the events that it has to give.
	of map[*wish]*expected
}

// expected are the events of a wish, and at which place of the log each is.
type expected struct {
	sums   []sum
	places []int
	index  map[sum]int
}

func newHistory(all []*wish) *history {
	h := &history{query: readHistory, place: map[string]int{}, of: map[*wish]*expected{}}
	for _, w := range all {
		h.of[w] = &expected{index: map[sum]int{}}
	}

	return h
}

// readAll reads all that the log has by now.
func (h *history) readAll(t *testing.T, by *caller) {
	t.Helper()

	if err := h.readOn(t.Context(), []*caller{by}); err != nil {
		t.Fatal(err)
	}
}

// newest is the position of the newest event that was read.
func (h *history) newest() string { return h.cursors[len(h.cursors)-1] }

// readOn reads what the log has got since, from whichever of the hubs answers.
func (h *history) readOn(ctx context.Context, from []*caller) error {
	ctx, stop := context.WithTimeout(ctx, readyWithin)
	defer stop()

	look := time.NewTicker(lookEvery)
	defer look.Stop()

	for turn := 0; ; turn++ {
		more, err := h.readPage(ctx, from[turn%len(from)])

		switch code := codeOf(err); {
		case err == nil && !more:
			return nil
		case err == nil:
			continue
		case code != codeNone && code != codeUnavailable && code != codeRateLimited:
			return err
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("read the log: %w", err)
		case <-look.C:
		}
	}
}

func (h *history) readPage(ctx context.Context, by *caller) (more bool, err error) {
	var got page[json.RawMessage]

	variables := vars{}
	if len(h.cursors) > 0 {
		variables["after"] = h.cursors[len(h.cursors)-1]
	}

	if err := by.ask(ctx, h.query, variables, &got); err != nil {
		return false, err
	}

	for _, text := range got.Nodes {
		if err := h.add(text); err != nil {
			return false, err
		}
	}

	return got.PageInfo.HasNextPage, nil
}

func (h *history) add(text json.RawMessage) error {
	var event eventAnswer
	if err := json.Unmarshal(text, &event); err != nil {
		return fmt.Errorf("read an event of the log: %w", err)
	}

	at := len(h.cursors)
	if _, twice := h.place[event.Cursor]; twice || event.Cursor == "" {
		return fmt.Errorf("the log has the position %q twice", event.Cursor)
	}

	h.cursors = append(h.cursors, event.Cursor)
	h.place[event.Cursor] = at

	this := sumOf(text)

	for w, e := range h.of {
		if w.wants(&event) {
			e.index[this] = len(e.sums)
			e.sums = append(e.sums, this)
			e.places = append(e.places, at)
		}
	}

	return nil
}

// after is how many events of the wish are not after that position.
func (h *history) after(w *wish, cursor string) (int, bool) {
	at, known := h.place[cursor]
	if !known {
		return 0, false
	}

	first, _ := slices.BinarySearch(h.of[w].places, at+1)

	return first, true
}

// has tells whether one who read that event last has all of its wish up to a position.
func (h *history) has(w *wish, last sum, upTo string) bool {
	wanted, known := h.after(w, upTo)
	at, old := h.of[w].index[last]

	return known && (!old || at+1 >= wanted) // what the log did not have when it was read is newer
}

// compare finds what is wrong with a record that began after a position, or at any where that is "".
func (h *history) compare(w *wish, began string, record []sum) error {
	var start int

	e := h.of[w]

	switch {
	case began != "":
		var known bool
		if start, known = h.after(w, began); !known {
			return fmt.Errorf("it began at %s, which the log does not have", began)
		}
	case len(record) == 0:
		return nil
	default:
		var known bool
		if start, known = e.index[record[0]]; !known {
			return errors.New("its first event is not in the log")
		}
	}

	for i, got := range record {
		if start+i >= len(e.sums) || got != e.sums[start+i] {
			return fmt.Errorf("its %d. event has to be %s, and is %s", i+1, h.name(e, start+i), h.nameOf(e, got))
		}
	}

	return nil
}

func (h *history) name(e *expected, at int) string {
	if at >= len(e.sums) {
		return "none"
	}

	return h.cursors[e.places[at]]
}

func (h *history) nameOf(e *expected, this sum) string {
	if at, known := e.index[this]; known {
		return h.name(e, at)
	}

	return "what the log does not have"
}
