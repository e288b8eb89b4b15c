package db

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// maxPage is how many nodes a page has at most.
const maxPage = 1000

// sizeOf is how many nodes of a page are wanted. Queries ask for one more, to know whether there is a next page.
func sizeOf(page queue.Page) int { return min(max(page.First, 1), maxPage) }

// listOf makes a page of rows, of which there is one more than size where there is a next page.
func listOf[R, T any](rows []R, size int, convert func(*R) (T, error), end func(*R) string) (*queue.List[T], error) {
	list := &queue.List[T]{Nodes: make([]T, 0, min(len(rows), size)), HasNext: len(rows) > size}

	for i := range rows[:min(len(rows), size)] {
		node, err := convert(&rows[i])
		if err != nil {
			return nil, err
		}

		list.Nodes = append(list.Nodes, node)
		list.End = end(&rows[i])
	}

	return list, nil
}

// endOf is the End of a list of that name: the sort key of a node.
func endOf(list string, parts ...string) string {
	raw, err := json.Marshal(append([]string{list}, parts...))
	if err != nil {
		panic("db: strings are always JSON: " + err.Error())
	}

	return base64.RawURLEncoding.EncodeToString(raw)
}

// partsOf reads what endOf wrote for a list of that name; false where after is none of its positions.
func partsOf(after, list string, count int) ([]string, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(after)
	if err != nil {
		return nil, false
	}

	var all []string
	if err := json.Unmarshal(raw, &all); err != nil || len(all) != count+1 || all[0] != list {
		return nil, false
	}

	// One spelling alone: what endOf would not write is none.
	return all[1:], endOf(list, all[1:]...) == after
}

// afterID reads a position that is one number; 0 for the list's beginning.
func afterID(after, list string) (int64, error) {
	if after == "" {
		return 0, nil
	}

	if parts, ok := partsOf(after, list, 1); ok {
		if id, err := strconv.ParseInt(parts[0], 10, 64); err == nil {
			return id, nil
		}
	}

	return 0, noPosition(after)
}

func noPosition(after string) error {
	return queue.Refusef(queue.Unprocessable, "%.40q is no position of this list", after)
}

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// timeText keeps all of an instant that the database does.
func timeText(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }
