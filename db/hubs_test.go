package db

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// never is longer than what these tests wait for: nothing in them is found by looking.
const never = time.Hour

// twoHubs gives two handles of one database, and a site in it. The first hears already.
func twoHubs(t *testing.T, first Options) (one, two *DB, site queue.SiteID) {
	t.Helper()

	url := migratedURL(t)

	one, err := Open(t.Context(), url, first)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(one.Close)

	two = opened(t, url)

	site, err = one.CreateSite(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}

	<-one.Woken(site) // rung for all once it hears

	return one, two, site
}

// change makes a change of the site.
func change(t *testing.T, d *DB, site queue.SiteID) {
	t.Helper()

	hub := queue.New(d, d, d, queue.Timing{}, nil)
	if _, err := hub.PauseQueue(t.Context(), queue.Actor{Site: site, Name: "ann"}, nil); err != nil {
		t.Fatal(err)
	}
}

func TestAChangeInOneHubWakesThoseWhoWaitInAnother(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, quiet())

	for range 3 {
		woken := one.Woken(site)
		change(t, two, site)
		<-woken
	}
}

func TestAWaitingClaimOfOneHubIsHandedABatchMadeInAnother(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, quiet())
	agent, ann := queue.Actor{Site: site, Name: "agent"}, queue.Actor{Site: site, Name: "ann"}
	claimed := make(chan *queue.Handout, 1)

	go func() {
		hub := queue.New(one, one, one, queue.Timing{Look: never}, nil)

		handout, _, err := hub.Claim(t.Context(), agent, queue.ClaimCall{Instance: "one", Wait: never})
		if err != nil {
			t.Error(err)
		}

		claimed <- handout
	}()

	hub := queue.New(two, two, two, queue.Timing{}, nil)

	// The claim takes the seat before it waits.
	for agents := 0; agents == 0; {
		seen, err := two.Agents(t.Context(), site)
		if err != nil {
			t.Fatal(err)
		}

		agents = len(seen)
	}

	if _, err := hub.CreateBatch(t.Context(), ann, queue.BatchSpec{
		Commands: []queue.CommandSpec{{Params: queue.EnsureComment{Key: "A-1", Body: "hello"}}},
	}); err != nil {
		t.Fatal(err)
	}

	if handout := <-claimed; handout == nil || handout.Delivery != 1 {
		t.Errorf("%+v", handout)
	}
}

func TestAHubHearsWhileItsPoolIsBusy(t *testing.T) {
	t.Parallel()

	options := quiet()
	options.MaxConns = 1
	one, two, site := twoHubs(t, options)

	held, err := one.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()

	woken := one.Woken(site)
	change(t, two, site)
	<-woken
}

func TestAHubThatLostItsConnectionLooksForAllSitesAndHearsAgain(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, quiet())
	woken := one.Woken(site)

	run(t, two, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND query = 'LISTEN `+channel+`'`)
	<-woken

	woken = one.Woken(site)
	change(t, two, site)
	<-woken
}

func TestWhatAHubCouldNotTellItTellsLater(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, quiet())
	woken := one.Woken(site)
	change(t, two, site)
	<-woken

	woken = one.Woken(site)

	run(t, one, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND query = $1`, sayCalled)
	change(t, two, site)
	<-woken
}

func TestAHubDoesNotRingTwiceForItsOwnChange(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, quiet())

	listening, err := pgx.ConnectConfig(t.Context(), one.pool.Config().ConnConfig.Copy())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listening.Close(context.WithoutCancel(t.Context())) }()

	if _, err := listening.Exec(t.Context(), "LISTEN "+channel); err != nil {
		t.Fatal(err)
	}

	woken := one.Woken(site)
	change(t, one, site)
	<-woken

	if heard, err := listening.WaitForNotification(t.Context()); err != nil || heard.Payload != decimal(int64(site)) {
		t.Fatalf("%+v, %v", heard, err)
	}

	// What is told later comes later: by then its own call would have rung.
	still := one.Woken(site)

	other, err := two.CreateSite(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}

	woken = one.Woken(other)
	change(t, two, other)
	<-woken

	select {
	case <-still:
		t.Error("it rang again")
	default:
	}
}

func TestManySitesShareACallThatPostgresTakes(t *testing.T) {
	t.Parallel()

	d := opened(t, migratedURL(t))
	c := newCalls()

	for site := range queue.SiteID(2000) {
		c.add(math.MaxInt64 - site)
		c.add(math.MaxInt64 - site)
	}

	told := 0

	for said := c.take(); said != ""; said = c.take() {
		run(t, d, sayCalled, said)

		told += strings.Count(said, ",") + 1

		if told < 2000 && (len(said) < callBytes/2 || len(c.ready) == 0) {
			t.Errorf("a call has %d bytes, and the next is due: %d", len(said), len(c.ready))
		}
	}

	if told != 2000 {
		t.Errorf("%d sites were told of", told)
	}

	for site := range queue.SiteID(callSites + 1) {
		c.add(site)
	}

	if said := c.take(); said != everySite {
		t.Errorf("of more sites than it names it says %.40s", said)
	}

	if said := c.take(); said != "" {
		t.Errorf("then it says %.40s", said)
	}
}

func TestACallThatIsNotUnderstoodWakesAll(t *testing.T) {
	t.Parallel()

	for _, said := range []string{everySite, "", "1,x", "soon: something else"} {
		var d DB

		woken := d.bell.woken(7)
		d.heard(said)
		<-woken
	}
}

func TestAClosedHubLeavesNoConnectionBehind(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, quiet())
	change(t, one, site)
	two.Woken(site)
	one.Close()

	// The server takes a moment to see that they are gone.
	for left := math.MaxInt; left > 2; { // of two: its pool's, and the one that hears
		if err := two.pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND usename = current_user`).Scan(&left); err != nil {
			t.Fatal(err)
		}
	}
}
