package operation_test

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/server/operation"
)

func TestASubscriptionThatIsLeftWithoutItsFieldIsRefused(t *testing.T) {
	exec := checked(operation.Limits{})

	for _, query := range []string{
		"subscription { queueChanged @skip(if: true) { at } }",
		"subscription { queueChanged @include(if: false) { at } }",
		"subscription { ...F @skip(if: true) } fragment F on Subscription { queueChanged { at } }",
		"subscription { ... @include(if: false) { queueChanged { at } } }",
		"subscription($no: Boolean = true) { queueChanged @skip(if: $no) { at } }",
	} {
		if _, problems := ask(t, exec, query, ""); code(problems) != "BAD_REQUEST" {
			t.Errorf("%s: %v", query, problems)
		}
	}

	if _, problems := ask(t, exec, "subscription { queueChanged @skip(if: false) { at } }", ""); problems != nil {
		t.Errorf("with its field: %v", problems)
	}
}
