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

const clients = 200

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
	takeSeats(t, append(slices.Clone(twenty), one))

	var rest sync.WaitGroup

	// One after the other: where too many tokens were guessed, a revoked one is RATE_LIMITED too.
	rest.Go(func() {
		revokeInUse(t, at, table)
		guessTokens(t, one, table)
	})
	storm(t, table, *operations/2, func(int) (own, other *site) { return one, twenty[0] })
	rest.Wait()
	storm(t, table, *operations, func(i int) (own, other *site) {
		return twenty[i%len(twenty)], twenty[(i+1)%len(twenty)]
	})

	for _, s := range append(slices.Clone(twenty), one) {
		for _, e := range audit(t, database, s, true).events {
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

	var names []string
	for i := range 20 {
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

	var there, here []string

	for _, field := range append(schema.QueryType.Fields, schema.MutationType.Fields...) {
		there = append(there, field.Name)
	}

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

		pace := vars{"input": vars{"minPauseSeconds": 0, "maxPauseSeconds": 0}}
		if err := s.operator.ask(t.Context(), setPace, pace, nil); err != nil {
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

// revokeInUse revokes a token while it is used: from the moment that the command has ended on, it is nobody's.
func revokeInUse(t *testing.T, at setting, table *table) {
	t.Helper()

	token, err := at.token(t.Context(), "one", "operator", "short-lived")
	if err != nil {
		t.Error(err)

		return
	}

	short := newCaller("http://"+at.address, "short-lived", token)
	defer short.close()

	revoked := make(chan error, 1)

	go func() {
		_, err := at.succeed(t.Context(), "token", "revoke", "short-lived")
		revoked <- err
	}()

	call := func() string {
		code := codeOf(short.ask(t.Context(), queryQueue, nil, nil))
		table.add("queue", code)

		return code
	}

	code := codeOK
	for code == codeOK && len(revoked) == 0 {
		code = call()
	}

	if err := <-revoked; err != nil {
		t.Error(err)
	}

	if after := call(); after != codeUnauthenticated || code != codeOK && code != codeUnauthenticated {
		t.Errorf("calls with a token were answered with %s while it was revoked, and with %s afterwards", code, after)
	}
}

// guessTokens tries tokens that nobody has until the address has failed too often. The others, who call from the same
// address with tokens that are somebody's, must not notice.
func guessTokens(t *testing.T, s *site, table *table) {
	t.Helper()

	const enough = 500

	for range enough {
		answer, err := s.operator.as(s.operator.token[1:]+"x").post(t.Context(), []byte(`{"query": "{ answer: viewer { name } }"}`))
		if err != nil {
			t.Error(err)

			return
		}

		code := codeOf(answer.read(nil))
		table.add("viewer", code)

		switch {
		case code == codeRateLimited && answer.Header.Get("Retry-After") == "":
			t.Error("RATE_LIMITED came without Retry-After")

			return
		case code == codeRateLimited:
			return
		case code != codeUnauthenticated:
			t.Errorf("a guessed token was answered with %s", code)

			return
		}
	}

	t.Errorf("%d guessed tokens from one address were never RATE_LIMITED", enough)
}

func everyVerbSucceeded(t *testing.T, table *table) {
	t.Helper()

	for _, v := range verbs() {
		if table.of(v.name, codeOK) == 0 {
			t.Errorf("%s never succeeded", v.name)
		}
	}
}

// everyRaceCame fails where something never came that two hundred clients at once have to bring about. What stands here
// besides is what calls of that kind meet with while others race.
func everyRaceCame(t *testing.T, table *table) {
	t.Helper()

	for _, race := range []struct{ verb, outcome, because string }{
		{"createBatch", codeConflict, "two use one client key for two contents at once"},
		{"createBatch", codeUnprocessable, "a batch is judged whole while others are written"},
		{"retryCommands", codeConflict, "two retry the same command, and only the newest of a chain can be"},
		{"retryCommands", codeUnprocessable, "the creation that a command waits for is not retried with it, or not known yet"},
		{"setNote", codeConflict, "another wrote the note after it was read"},
		{"report", codeConflict, "a command is reported before it was handed out"},
		{"report", codeUnprocessable, "an open creation is reported without its key"},
		{"report", codeNotFound, "another site's commands do not exist, however busy it is"},
		{"cancelCommands", codeNotFound, "likewise, and nothing else of the call is cancelled"},
		{"holdBatch", codeNotFound, "likewise"},
		{"log", codeCursorExpired, "another site's position is none of this log, though both grow"},
		{"log", codeUnprocessable, "a cursor that is none"},
		{"pushIssues", codeTooLarge, "a page that is too large is refused before the site is taken"},
		{"batches", codeTooComplex, "what asks for too much is refused before it is begun"},
		{"viewer", codeBadRequest, "what does not fit the schema is refused before that"},
		{"queue", codeUnauthenticated, "a token is revoked while it is used"},
		{"viewer", codeRateLimited, "an address guesses tokens while others log in from it"},
		{"claim", "EMPTY", "all that is left waits or is on hold, or a newer call of the instance came"},
		{"claim", "PAUSED", "the queue is paused between two claims"},
		{"claim", "OFF_HOURS", "the hours are over between two claims"},
		{"claim", "SEAT_TAKEN", "another instance claims while one has the seat"},
	} {
		if table.of(race.verb, race.outcome) == 0 {
			t.Errorf("%s was never %s: %s", race.verb, race.outcome, race.because)
		}
	}

	for _, v := range verbs() {
		if v.of != anybody && table.of(v.name, codeForbidden) == 0 {
			t.Errorf("%s was never %s: each role keeps to its own verbs", v.name, codeForbidden)
		}
	}

	// UNAVAILABLE and INTERNAL are the two that must not come: the database was there all the time.
	for _, never := range []string{codeUnavailable, codeInternal, codeNone} {
		if n := table.ever(never); n > 0 {
			t.Errorf("%s came %d times", never, n)
		}
	}

	for _, sight := range sights() {
		if table.sightings[sight] == 0 {
			t.Errorf("never: %s", sight)
		}
	}
}

// sights are what an answer's code does not tell, and every way in which a command changes.
func sights() []string {
	all := []string{
		"a cancel found the command ended already",
		"a cancel left a claimed command alone",
		"a cancel skipped what waited",
		"a command was delivered again",
		"a push confirmed the claimed command",
		"a report came too late",
		"a command changed: submitted",
	}

	for cause := range steps() {
		all = append(all, "a command changed: "+cause)
	}

	return all
}

// audit holds a site against its log, against all that was answered, and against what the API shows of it.
func audit(t *testing.T, database string, s *site, everythingAnswered bool) *tables {
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

	faults := append(tables.faultsOfLog(), s.record.faultsIn(tables, everythingAnswered)...)

	shown, err := tables.faultsOfAPI(t.Context(), s.operator)
	if err != nil {
		t.Fatal(err)
	}

	if faults = append(faults, shown...); len(faults) > 0 {
		t.Errorf("%d faults on %s:\n%s", len(faults), s.name, shorten(faults))
	}

	return tables
}
