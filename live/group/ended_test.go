package group_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// TestAnOperationThatItsClientHasEndedIsSilent has operations fail while their client ends them: what was not sent before
// the answer to what the client sent next is not sent at all, or it would end another operation of the same id.
func TestAnOperationThatItsClientHasEndedIsSilent(t *testing.T) {
	const rounds, atOnce = 200, 20

	hub := newHub(t)
	one := hub.dial(hub.tokens.create("anna", access.Viewer))

	for round := range rounds {
		id := func(n int) string { return fmt.Sprintf("%d.%d", round, n) }

		for n := range atOnce {
			one.send(`{"id": "` + id(n) + `", "type": "subscribe", "payload": {"query": "subscription { nothing }"}}`)
		}

		for n := range atOnce {
			one.send(`{"id": "` + id(n) + `", "type": "complete"}`)
		}

		one.send(`{"type": "ping"}`)

		for {
			got, err := one.read()
			if err != nil {
				t.Fatal(err)
			}

			if got.Type == "pong" {
				break
			}

			if !strings.HasPrefix(got.ID, fmt.Sprintf("%d.", round)) {
				t.Fatalf("in round %d came %+v", round, got)
			}
		}
	}
}
