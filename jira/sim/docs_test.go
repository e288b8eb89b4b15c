package sim_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

func TestTheKnobsOfTheDocumentationCanBeTurned(t *testing.T) {
	t.Parallel()

	page, err := os.ReadFile("../../docs/jirasim.md")
	if err != nil {
		t.Fatal(err)
	}

	f := start(t, sim.Config{Dialect: sim.Cloud})

	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 9 {
		t.Fatalf("%d blocks: this test looked at too little", len(blocks))
	}

	for _, block := range blocks {
		f.turn(json.RawMessage(block[1]), http.StatusOK)
	}
}
