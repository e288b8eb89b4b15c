package trial

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestKillNine kills hub and Postgres, again and again and in the worst moments, while people order, cancel and retry
// and agents claim and report on two sites, each of them repeating what was not answered. Afterwards nothing that was
// answered is lost, and nothing is there twice.
func TestKillNine(t *testing.T) {
	t.Logf("seed %d", *seed)

	data := filepath.Join(openFolder(t), "data")
	at := overData(t, data)

	o := &ordeal{
		t: t, ctx: t.Context(), at: at, supervisor: supervise(at), news: make(chan struct{}, 1),
		struck: map[string]int{}, lost: map[string]int{},
	}

	stopped := false

	t.Cleanup(func() {
		if !stopped {
			if err := o.supervisor.stop(); err != nil {
				t.Error(err)
			}
		}
	})

	if !o.awaitReady() {
		t.Fatal("the hub does not come up")
	}

	places := openWorkplaces(t, o)

	var people, agents sync.WaitGroup

	for i, w := range places {
		w.open(i, &people, &agents)
	}

	// Where the test gives up, its context ends first, and then all go home.
	t.Cleanup(func() {
		people.Wait()
		agents.Wait()
	})

	r := newRand(0)

	for done := 0; done < *kills; {
		for _, f := range plan(r) {
			o.suffer(f)

			done++
		}
	}

	closeWorkplaces(t, places, &people, &agents)
	t.Logf("%s", o)
	o.everyFaultStruck()

	was, err := postmasterOf(data)
	if err != nil {
		t.Fatal(err)
	}

	redelivered := 0

	for _, w := range places {
		// Each claim whose answer was lost may have handed out a command.
		redelivered += w.judge(audit(t, was.url(), w.site, o.lost["outcome unknown: claim"]+o.lost["UNAVAILABLE, outcome unknown: claim"]))
	}

	if redelivered == 0 {
		t.Error("nothing was delivered again, though answers to claims were lost after their commit")
	}

	stopped = true
	if err := o.supervisor.stop(); err != nil {
		t.Error(err)
	}

	nobodyLeft(t, data, was)
}

func openWorkplaces(t *testing.T, o *ordeal) []*workplace {
	t.Helper()

	sites, err := newSites(t.Context(), o.at, []string{"left", "right"}, "operator", "agent")
	if err != nil {
		t.Fatal(err)
	}

	takeSeats(t, sites)

	places := make([]*workplace, 0, len(sites))

	for _, s := range sites {
		t.Cleanup(s.close)

		places = append(places, newWorkplace(o, s))
	}

	return places
}

// closeWorkplaces sends people home and lets the agents work off what is left.
func closeWorkplaces(t *testing.T, places []*workplace, people, agents *sync.WaitGroup) {
	t.Helper()

	for _, w := range places {
		close(w.closing)
	}

	people.Wait()

	begun := time.Now()

	agents.Wait()
	t.Logf("what was left was worked off in %s", time.Since(begun))
}

// suffer lets one fault strike, and waits until the work goes on.
func (o *ordeal) suffer(f fault) {
	o.t.Helper()

	before, err := postmasterOf(o.at.data)
	if err != nil {
		o.t.Fatal(err)
	}

	starts := o.supervisor.started()

	o.awaitAnswers(f.after)

	if f.verb == "" {
		err = o.kill(f)
	} else {
		var struck int

		o.count(func() { o.trap, struck = &f, o.struck[f.String()] })
		o.awaitThat("this struck: "+f.String(), func() bool { return o.struck[f.String()] > struck })
	}

	if err != nil {
		o.t.Fatal(err)
	}

	begun := time.Now()

	after := before

	if f.target != theHub {
		// The orphans of a dead server may answer for a while yet.
		await(o.t, "another Postgres runs", func() bool {
			after, err = postmasterOf(o.at.data)

			return err == nil && after.pid != before.pid
		})
	}

	// The first answers may be of calls that were on their way back.
	o.awaitAnswers(10)

	if !o.awaitReady() {
		o.t.Fatal("the hub does not come back")
	}

	o.t.Logf("%s: ready again after %s at most", f, time.Since(begun).Round(time.Millisecond))

	if after, err = postmasterOf(o.at.data); err != nil {
		o.t.Fatal(err)
	}

	switch {
	case f.target == theHub && after.pid != before.pid:
		o.t.Errorf("%s: the next hub started a Postgres, %d, where %d was running", f, after.pid, before.pid)
	case f.target == thePostgres && o.supervisor.started() != starts:
		o.t.Errorf("%s: the hub ended with its Postgres, and should have brought it back", f)
	}
}

// everyFaultStruck fails where one of the faults never came, or never hurt.
func (o *ordeal) everyFaultStruck() {
	o.mu.Lock()
	defer o.mu.Unlock()

	for _, f := range plan(newRand(0)) {
		if o.struck[f.String()] == 0 {
			o.t.Errorf("never: %s", f)
		}
	}

	unknown := 0

	for what, n := range o.lost {
		if strings.Contains(what, "outcome unknown") {
			unknown += n
		}
	}

	if unknown == 0 {
		o.t.Error("no call's outcome was ever unknown")
	}

	for _, verb := range trapped() {
		if o.lost["outcome unknown: "+verb] == 0 {
			o.t.Errorf("the outcome of %s was never unknown", verb)
		}
	}

	// Whether the answer or the kill was faster is chance, so its lack is no fault.
	if o.lost["answered across the kill"] == 0 {
		o.t.Log("nothing was answered across a kill of Postgres this time")
	}
}

// judge says what must be true of a site beyond the audit: all work has ended, and each batch was asked for. It counts
// what was delivered again; where the kills fall decides on which site that is.
func (w *workplace) judge(t *tables) (redelivered int) {
	w.t.Helper()

	for id, command := range t.commands {
		if !final(command.state.status) {
			w.t.Errorf("%s: command %d never ended, it is %s", w.name, id, command.state.status)
		}
	}

	if len(t.batches) != len(w.record.byKey) {
		w.t.Errorf("%s: %d batches were answered for, the tables have %d", w.name, len(w.record.byKey), len(t.batches))
	}

	for i := range t.events {
		if t.events[i].cause == "redelivered" {
			redelivered++
		}
	}

	w.t.Logf("%s: %d batches, %d commands, %d events, %d deliveries answered, %d redelivered, %d reports accepted, %d too late",
		w.name, len(t.batches), len(t.commands), len(t.events), len(w.record.handouts), redelivered, len(w.record.accepted), w.lateReports)

	return redelivered
}
