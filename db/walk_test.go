package db

import (
	"context"
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// lister is one list of the reader with its filter put in.
type lister[T any] func(ctx context.Context, page queue.Page) (*queue.List[T], error)

// walk reads a list page by page, and sees to it that every size of page gives the same.
func walk[T any, K comparable](t *testing.T, list lister[T], id func(T) K) []K {
	t.Helper()

	whole, err := list(t.Context(), queue.Page{First: 1000})
	if err != nil {
		t.Fatal(err)
	}

	if whole.HasNext {
		t.Fatal("the data of a test fits on one page")
	}

	all := idsOf(whole, id)

	for _, size := range []int{1, 2, 3} {
		var walked []K

		page := queue.Page{First: size}

		for {
			part, err := list(t.Context(), page)
			if err != nil {
				t.Fatal(err)
			}

			walked = append(walked, idsOf(part, id)...)

			if len(part.Nodes) > size || part.HasNext && len(part.Nodes) < size {
				t.Fatalf("%d nodes on a page of %d, next %v", len(part.Nodes), size, part.HasNext)
			}

			if (part.End == "") != (len(part.Nodes) == 0) {
				t.Fatalf("end %q of %d nodes", part.End, len(part.Nodes))
			}

			if !part.HasNext {
				break
			}

			page.After = part.End
		}

		if !slices.Equal(walked, all) {
			t.Errorf("pages of %d: %v; at once: %v", size, walked, all)
		}
	}

	return all
}

func idsOf[T any, K comparable](list *queue.List[T], id func(T) K) []K {
	ids := make([]K, len(list.Nodes))
	for i, node := range list.Nodes {
		ids[i] = id(node)
	}

	return ids
}

func same[K comparable](t *testing.T, what string, got []K, want ...K) {
	t.Helper()

	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func unprocessable(t *testing.T, what string, err error) {
	t.Helper()

	if queue.CodeOf(err) != queue.Unprocessable {
		t.Errorf("%s: %v", what, err)
	}
}
