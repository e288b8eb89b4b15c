package resolvers

import (
	"strings"
	"unicode/utf8"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// maxFirst is how many items one page has at most.
	maxFirst = 1000
	// maxListed is how many ids or keys one call may name.
	maxListed = 10_000
)

func pageOf(first int, after *string) (queue.Page, error) {
	if err := checkFirst(first); err != nil {
		return queue.Page{}, err
	}

	return queue.Page{First: first, After: orEmpty(after)}, nil
}

func checkFirst(first int) error {
	if first < 1 || first > maxFirst {
		return queue.Refusef(queue.Unprocessable, "first is %d; it must be 1 to %d", first, maxFirst)
	}

	return nil
}

func checkListed(name string, listed int) error {
	if listed > maxListed {
		return queue.Refusef(queue.TooLarge, "%s has %d items; at most %d go into one call", name, listed, maxListed)
	}

	return nil
}

// searchable is a text to be looked for. One that no text in the database can equal or hold is refused.
func searchable(name string, text *string) (string, error) {
	if text == nil {
		return "", nil
	}

	if strings.ContainsRune(*text, 0) || !utf8.ValidString(*text) {
		return "", queue.Refusef(queue.Unprocessable, "%s holds a NUL character or what is no UTF-8; leave it out", name)
	}

	return *text, nil
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}

	return *text
}

// orNull is null for what the domain has no text for.
func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}

	return &text
}

func commandConnection(list *queue.List[*queue.Command]) *graph.CommandConnection {
	return &graph.CommandConnection{Nodes: list.Nodes, PageInfo: pageInfo(list), TotalCount: list.Total}
}

func batchConnection(list *queue.List[*queue.Batch]) *graph.BatchConnection {
	return &graph.BatchConnection{Nodes: list.Nodes, PageInfo: pageInfo(list), TotalCount: list.Total}
}

func issueConnection(list *queue.List[*queue.Issue]) *graph.IssueConnection {
	return &graph.IssueConnection{Nodes: list.Nodes, PageInfo: pageInfo(list), TotalCount: list.Total}
}

func noteConnection(list *queue.List[*queue.Note]) *graph.NoteConnection {
	return &graph.NoteConnection{Nodes: list.Nodes, PageInfo: pageInfo(list), TotalCount: list.Total}
}

func pageInfo[T any](list *queue.List[T]) *graph.PageInfo {
	return &graph.PageInfo{HasNextPage: list.HasNext, EndCursor: orNull(list.End)}
}

// matchesNothing tells whether a list of a filter is given and empty: nothing is among none. One that is left out, or
// null, does not narrow.
func matchesNothing[T any](list []T) bool { return list != nil && len(list) == 0 }

// none is the page of a list in which nothing can be.
func none[T any]() *queue.List[T] { return &queue.List[T]{Total: new(0)} }
