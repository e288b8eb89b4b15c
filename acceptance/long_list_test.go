package acceptance

import (
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// numbers are 0, 1, … of that many.
func numbers(count int) []any {
	list := make([]any, count)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestALongListIsComparedAsASetToo(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	wanted := numbers(5000)
	current := slices.Clone(wanted)
	slices.Reverse(current)
	site.Submit(t, hubtest.Fields("AURORA-1", vars{"customfield_1": wanted}))
	site.Claim(t)
	pushed := site.Push(t, hubtest.Snapshot("AURORA-1", "fields", vars{"customfield_1": current}))
	same(t, "confirmed commands", len(pushed.Confirmed), 1)
}
