package trial

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// clients call at once, on one site and then on several.
const (
	clients = 200
	several = 20
)

// TestTwoHundredClients lets two hundred clients call every verb of the schema at once, first all on one site and then
// ten on each of twenty, and then looks for a trace of any of them having got in another's way.
func TestTwoHundredClients(t *testing.T) {
	t.Logf("seed %d", *seed)

	begun := time.Now()
	database := startDatabase(t)
	at := overDatabase(t, database)
	h := at.serve(t)
	one, twenty := makeSites(t, at)
	table := newTable()

	t.Logf("set up in %s", time.Since(begun))

	verbsAreThoseOfTheSchema(t, one)
	takeSeats(t, []*site{one})

	var rest sync.WaitGroup

	// One after the other: where too many tokens were guessed, a revoked one is RATE_LIMITED too.
	rest.Go(func() {
		revokeInUse(t, at, table)
		guessTokens(t, one, table)
	})
	storm(t, table, *operations/2, func(int) (own, other *site) { return one, twenty[0] })
	rest.Wait()
	takeSeats(t, twenty)
	storm(t, table, *operations, func(i int) (own, other *site) {
		return twenty[i%len(twenty)], twenty[(i+1)%len(twenty)]
	})

	for _, s := range append(slices.Clone(twenty), one) {
		for _, e := range audit(t, database, s, table.of("claim", codeUnavailable)).events {
			if e.kind == "command" {
				table.saw("a command changed: " + e.cause)
			}
		}

		s.close()
	}

	t.Logf("%s", table)
	everyVerbSucceeded(t, table)
	everyRaceCame(t, table)

	h.endGently(t)
}

// startDatabase runs a Postgres for the hub to be given, which does not wait for the disk.
func startDatabase(t *testing.T) string {
	t.Helper()

	server, err := localpg.Start(t.Context(), localpg.Config{DataDir: openFolder(t), Unsafe: true})
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})

	return server.URL(localpg.Database)
}

// makeSites makes the one site, with a token of each role, and twenty more.
func makeSites(t *testing.T, at setting) (one *site, twenty []*site) {
	t.Helper()

	one, err := newSite(t.Context(), at, "one", "operator", "agent", "viewer", "admin")
	if err != nil {
		t.Fatal(err)
	}

	names := make([]string, 0, several)
	for i := range several {
		names = append(names, fmt.Sprintf("site-%d", i))
	}

	twenty, err = newSites(t.Context(), at, names, "operator", "agent")
	if err != nil {
		t.Fatal(err)
	}

	return one, twenty
}

// verbsAreThoseOfTheSchema holds the list of verbs against what the hub says of itself.
func verbsAreThoseOfTheSchema(t *testing.T, s *site) {
	t.Helper()

	type fields struct {
		Fields []struct {
			Name string `json:"name"`
		} `json:"fields"`
	}

	var schema struct{ QueryType, MutationType fields }
	if err := s.operator.ask(t.Context(), queryVerbs, nil, &schema); err != nil {
		t.Fatal(err)
	}

	there := make([]string, 0, len(schema.QueryType.Fields)+len(schema.MutationType.Fields))
	for _, field := range append(schema.QueryType.Fields, schema.MutationType.Fields...) {
		there = append(there, field.Name)
	}

	here := make([]string, 0, len(verbs()))
	for _, v := range verbs() {
		here = append(here, v.name)
	}

	slices.Sort(there)
	slices.Sort(here)

	if !slices.Equal(there, here) {
		t.Fatalf("the schema has the verbs %v, the trial calls %v", there, here)
	}
}

// takeSeats gives each site's seat to the instance that shall have it, and lets the agent work without a pause.
func takeSeats(t *testing.T, sites []*site) {
	t.Helper()

	for _, s := range sites {
		if err := s.agent.ask(t.Context(), heartbeat, vars{"instance": agentInstance}, nil); err != nil {
			t.Fatal(err)
		}

		if err := s.operator.ask(t.Context(), setPace, atOnce(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// storm runs the clients until the table has so many operations in all.
func storm(t *testing.T, table *table, operations int, place func(client int) (own, other *site)) {
	t.Helper()

	perSite := map[*site]int{}

	for i := range clients {
		own, _ := place(i)
		perSite[own]++
	}

	var all sync.WaitGroup

	begun, before := time.Now(), table.size()

	for i := range clients {
		own, other := place(i)
		c := &client{t: t, ctx: t.Context(), table: table, r: newRand(operations + i), site: own, other: other, atOnce: perSite[own]}

		all.Go(func() { c.run(i, operations) })
	}

	all.Wait()

	if t.Failed() {
		t.Fatalf("%s", table)
	}

	t.Logf("%d clients on %d sites: %d operations in %s", clients, len(perSite), table.size()-before, time.Since(begun))
}

// audit holds a site against its log, against all that was answered, and against what the API shows of it. So many
// claims may have been carried out without an answer.
func audit(t *testing.T, database string, s *site, unanswered int) *tables {
	t.Helper()

	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // nothing was written

	tables, err := readTables(t.Context(), conn, s.name)
	if err != nil {
		t.Fatal(err)
	}

	if len(tables.events) == 0 || len(tables.commands) == 0 {
		t.Errorf("%s: nothing happened", s.name)
	}

	faults := append(tables.faultsOfLog(), s.record.faultsIn(tables, unanswered)...)

	shown, err := tables.faultsOfAPI(t.Context(), s.operator)
	if err != nil {
		t.Fatal(err)
	}

	if faults = append(faults, shown...); len(faults) > 0 {
		t.Errorf("%d faults on %s:\n%s", len(faults), s.name, shorten(faults))
	}

	return tables
}
