package resolvers_test

import (
	"strings"
	"testing"

	"github.com/99designs/gqlgen/complexity"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

// fragments are what pages show, each before those that it spreads.
func fragments() [][2]string {
	return [][2]string{
		{"whole", `on Command { id position kind status error resultKey deliveries progress { done total }
			createdAt claimedAt finishedAt params { ...asked } dependsOn { ...brief } rootCause { ...brief error }
			retryOf { ...brief } retries { ...brief } }`},
		{"asked", `on CommandParams { __typename
			... on EnsureIssue { tempKey project issueType summary description parent epic fields }
			... on EnsureFields { key fields } ... on EnsureStatus { key path }
			... on EnsureLink { source target type exclusive } ... on EnsureSprint { key sprint }
			... on EnsureComment { key body } ... on Refresh { keys jql } }`},
		{"brief", `on Command { id position kind status resultKey }`},
		{"counted", `on Batch { id title author createdAt finishedAt status held
			counts { queued claimed done failed cancelled skipped confirmedByState total } }`},
	}
}

func costOf(t *testing.T, text string) int {
	t.Helper()

	schema := resolvers.NewExecutableSchema(resolvers.New(resolvers.Config{}))

	document, errs := gqlparser.LoadQueryWithRules(schema.Schema(), withFragments(text), rules.NewDefaultRules())
	if errs != nil {
		t.Fatalf("%s: %v", text, errs)
	}

	return complexity.Calculate(t.Context(), schema, document.Operations[0], nil)
}

// withFragments adds the fragments that the text spreads, and those that they spread.
func withFragments(text string) string {
	for _, fragment := range fragments() {
		if strings.Contains(text, "..."+fragment[0]) {
			text += " fragment " + fragment[0] + " " + fragment[1]
		}
	}

	return text
}

func TestHonestPagesCostLessThanTheLimit(t *testing.T) {
	t.Parallel()

	for _, text := range []string{
		`{ batches(first: 50) { nodes { ...counted } pageInfo { hasNextPage endCursor } totalCount } }`,
		`{ batches(first: 1000) { nodes { ...counted } pageInfo { hasNextPage endCursor } totalCount } }`,
		`{ batch(id: 1) { ...counted commands(first: 1000) { nodes { ...whole } pageInfo { hasNextPage endCursor } totalCount } } }`,
		`{ batch(id: 1) { commands(first: 1000) { nodes { ...whole history { at from to cause actor } } } } }`,
		`{ batches(first: 50) { nodes { ...counted commands(first: 20) { nodes { ...whole } } } } }`,
		`{ commands(first: 1000) { nodes { ...whole batch { ...counted } } } }`,
		`{ command(id: 1) { ...whole dependents(first: 1000) { nodes { ...whole } } history { at from to cause actor command { ...whole } } } }`,
		`{ issues(first: 1000) { nodes { key project issueType summary description status sprint parent fields refreshedAt missing
			links { type direction key outwardName inwardName } note { text author updatedAt } } } }`,
		`{ issues(first: 100) { nodes { key commands(first: 5) { nodes { ...brief } } } } }`,
		`{ log(first: 1000) { nodes { ... on CommandChange { cursor at from to cause actor command { ...brief batch { id title } } }
			... on NoteChange { cursor at key movedFrom note { text author } } ... on IssueChange { cursor at issue { key summary status } }
			... on PaceChange { cursor at by: actor pace { paused pausedBy } } } pageInfo { hasNextPage endCursor } } }`,
		`mutation { cancelBatch(id: 1) { cancelledCount cancelled(first: 1000) { ...whole } skipped(first: 1000) { ...brief } } }`,
		`mutation ($v: BatchInput!) { createBatch(input: $v) { batch { ...counted commands(first: 1000) { nodes { ...whole } } } } }`,
	} {
		cost := costOf(t, text)
		t.Logf("%6d %.100s", cost, text)

		if cost > resolvers.MaxComplexity {
			t.Errorf("%s costs %d", text, cost)
		}
	}
}

func TestAQueryForMillionsCostsMoreThanTheLimit(t *testing.T) {
	t.Parallel()

	for _, text := range []string{
		`{ batches(first: 1000) { nodes { commands(first: 1000) { nodes { id } } } } }`,
		`{ batches(first: 1000) { nodes { commands(first: 100) { nodes { id } } } } }`,
		`{ issues(first: 1000) { nodes { commands(first: 1000) { nodes { id } } } } }`,
		`{ commands(first: 1000) { nodes { dependents(first: 1000) { nodes { id } } } } }`,
		`{ commands(first: 1000) { nodes { dependsOn { dependsOn { dependsOn { dependsOn { dependsOn { id } } } } } } } }`,
		`{ commands(first: 1000) { nodes { history { command { history { command { history { to } } } } } } } }`,
		`{ batches(first: 2147483647) { nodes { commands(first: 2147483647) { nodes { dependents(first: 2147483647) { nodes { id } } } } } } }`,
		`{ batches(first: -1) { nodes { commands(first: 0) { nodes { id } } } } }`,
	} {
		if cost := costOf(t, text); cost <= resolvers.MaxComplexity {
			t.Errorf("%s costs %d only", text, cost)
		}
	}
}
