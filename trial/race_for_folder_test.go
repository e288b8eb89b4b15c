package trial

import (
	"fmt"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// Five commands and the hub itself come to a folder that is not there yet, all at the same moment: one makes the
// cluster, one migrates, and none is harmed by another that leaves.
func TestFiveTokensRaceOneServeForAFreshFolder(t *testing.T) {
	t.Parallel()

	const racers = 5

	data := filepath.Join(openFolder(t), "data")
	at := overData(t, data)

	var (
		all    sync.WaitGroup
		tokens [racers]said
		errs   [racers]error
	)

	start := make(chan struct{})

	for i := range racers {
		all.Go(func() {
			<-start

			tokens[i], errs[i] = at.run(t.Context(), "token", "create", "--role", "operator", "--name", fmt.Sprintf("racer-%d", i))
		})
	}

	close(start)

	h := at.serve(t)

	all.Wait()

	alone := regexp.MustCompile(`^\S{20,}\n$`)
	seen := map[string]bool{}

	for i, token := range tokens {
		if errs[i] != nil || token.code != 0 || !alone.MatchString(token.stdout) || seen[token.stdout] {
			t.Errorf("racer %d ended with %d and %d bytes on standard output: %v\n%s", i, token.code, len(token.stdout), errs[i], token.stderr)
		}

		seen[token.stdout] = true

		person := newCaller(h.url, fmt.Sprint("racer ", i), token.stdout[:max(0, len(token.stdout)-1)])
		if err := person.ask(t.Context(), queryQueue, nil, nil); err != nil {
			t.Errorf("racer %d: %v", i, err)
		}

		person.close()
	}

	was, err := postmasterOf(data)
	if err != nil {
		t.Fatal(err)
	}

	h.endGently(t)
	nobodyLeft(t, data, was)
}
