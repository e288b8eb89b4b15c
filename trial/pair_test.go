package trial

import (
	"path/filepath"
	"testing"
	"time"
)

// bearable is how large a crowd may be for the race detector, which ends a hub of more than 8,128 goroutines. While one
// of two hubs is away, the other has all.
const bearable = 4_000

// pair are two hubs over one Postgres.
type pair struct {
	t       *testing.T
	at      []setting
	running []*hub
	// readsASecond is how many events are read in a second, by all readers together: what two processors bear that run
	// the readers too. A larger crowd reads fewer events, not more slowly.
	readsASecond time.Duration
}

func openPair(t *testing.T, over *keptPostgres) *pair {
	t.Helper()

	const raced, notRaced = 3_000, 6_000

	p := &pair{t: t, at: []setting{overDatabase(t, over.url), overDatabase(t, over.url)}, readsASecond: raced}

	if *crowd > bearable {
		plain := filepath.Join(t.TempDir(), "hub")
		if err := buildHub(t.Context(), plain); err != nil {
			t.Fatal(err)
		}

		for i := range p.at {
			p.at[i].program = plain
		}

		p.readsASecond = notRaced

		t.Log("the hubs are built without the race detector")
	}

	for _, at := range p.at {
		p.running = append(p.running, at.serve(t))
	}

	return p
}

// terminate ends one with SIGTERM and starts it again.
func (p *pair) terminate(i int) {
	p.t.Helper()

	took, err := p.running[i].end()
	if err != nil {
		p.t.Fatal(err)
	}

	p.t.Logf("%6.1f s for a hub to end", took.Seconds())
	p.running[i] = p.at[i].serve(p.t)
}

// kill ends one with -9 and starts it again.
func (p *pair) kill(i int) {
	p.t.Helper()

	if err := p.running[i].kill(); err != nil {
		p.t.Fatal(err)
	}

	p.running[i] = p.at[i].serve(p.t)
}
