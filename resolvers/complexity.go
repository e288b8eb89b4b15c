package resolvers

import (
	"math"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// MaxComplexity is what one operation may cost: a field costs 1, a list as much as its items. The dearest honest page,
// 1,000 commands with parameters, dependencies and history, is at about half of it; no operation can ask for more than
// some 100,000 objects, by the estimates below where a list has no `first`.
const MaxComplexity = 200_000

const (
	// readingCost is what a list costs that each of its owners reads for itself.
	readingCost = 100
	// How many items a list without `first` has, as a rule.
	dependsOnEstimate = 3
	retriesEstimate   = 2
	historyEstimate   = 6
	linksEstimate     = 5
	agentsEstimate    = 3
)

// Complexity says what the fields cost that cost more than one each.
func Complexity() graph.ComplexityRoot {
	var root graph.ComplexityRoot

	ofQueries(&root)

	root.Batch.Commands = func(child, first int, _ *string, _ []queue.Status, _ *string) int { return paged(child, first) }
	root.Issue.Commands = func(child, first int, _ *string, _ []queue.Status) int { return paged(child, first) }
	root.Command.Dependents = func(child, first int, _ *string) int { return paged(child, first) }

	root.CancelPayload.Cancelled = paged
	root.CancelPayload.Skipped = paged
	root.CancelPayload.AlreadyEnded = paged

	root.Command.DependsOn = func(child int) int { return times(child, dependsOnEstimate) }
	root.Command.Retries = func(child int) int { return times(child, retriesEstimate) }
	root.Command.History = func(child int) int { return times(child, historyEstimate) }
	root.Issue.Links = func(child int) int { return times(child, linksEstimate) }
	root.Queue.Agents = func(child int) int { return times(child, agentsEstimate) }

	return root
}

func ofQueries(root *graph.ComplexityRoot) {
	root.Query.Commands = func(child int, _ *graph.CommandFilter, first int, _ *string) int { return paged(child, first) }
	root.Query.Batches = func(child int, _ *graph.BatchFilter, first int, _ *string) int { return paged(child, first) }
	root.Query.Issues = func(child int, _ *graph.IssueFilter, first int, _ *string) int { return paged(child, first) }
	root.Query.Notes = func(child, first int, _ *string) int { return paged(child, first) }
	root.Query.Log = func(child int, _ *queue.Cursor, first int, _ bool, _ []queue.EventKind, _ *string) int {
		return paged(child, first)
	}
}

// paged is the cost of a page. A page of a size that is refused anyway costs as the largest.
func paged(child, first int) int {
	if first < 1 || first > maxFirst {
		first = maxFirst
	}

	cost := times(child, first)

	return cost + min(readingCost, math.MaxInt-cost)
}

// times multiplies, and stays at the largest number where that is too small.
func times(child, items int) int {
	if child > 0 && items > math.MaxInt/child {
		return math.MaxInt
	}

	return 1 + min(max(child, 1)*items, math.MaxInt-1)
}
