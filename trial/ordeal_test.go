package trial

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// ordeal is the work that goes on while hub and Postgres are killed, and the traps for it.
type ordeal struct {
	t          *testing.T
	ctx        context.Context //nolint:containedctx // of the test, for all that its workers call
	at         setting
	supervisor *supervisor
	// news gets a word whenever a call was answered or a fault struck, so that who waits for that looks again.
	news chan struct{}

	mu sync.Mutex
	// trap is set for the next call of its verb.
	trap *fault
	// known is how many calls have a known outcome; struck counts faults, lost what became of calls meanwhile.
	known  int
	struck map[string]int
	lost   map[string]int
}

// errSwallowed stands for an answer that never reached its caller.
var errSwallowed = errors.New("the answer was swallowed")

// persist calls until the outcome is known, as every client should: after an answer that never came, the same call once
// more. It gives the code, which must be OK or one of those that may be, and codeNone where the test is over.
func (o *ordeal) persist(by *caller, verb, operation string, variables vars, into any, committed mark, may ...string) string {
	for o.ctx.Err() == nil {
		err := o.attempt(by, verb, operation, variables, into, committed)
		code := codeOf(err)

		switch {
		case code == codeOK || slices.Contains(may, code):
			o.count(func() { o.known++ })
			o.tell()

			return code
		case errors.Is(err, syscall.ECONNREFUSED):
			o.count(func() { o.lost["never sent"]++ })
		case code == codeNone:
			o.count(func() { o.lost["outcome unknown: "+verb]++ })
		case code == codeUnavailable:
			o.count(func() { o.lost["UNAVAILABLE, outcome unknown: "+verb]++ })
		default:
			o.t.Errorf("%s by %s with %.300v: %v", verb, by.name, variables, err)

			return code
		}

		if !o.awaitReady() {
			break
		}
	}

	return codeNone
}

// tell has who waits for something look whether it has come.
func (o *ordeal) tell() {
	select {
	case o.news <- struct{}{}:
	default: // there is news already, and it is looked at after this
	}
}

func (o *ordeal) count(do func()) {
	o.mu.Lock()
	defer o.mu.Unlock()

	do()
}

// awaitReady waits until the hub is ready again; false where that takes too long or the test is over.
func (o *ordeal) awaitReady() bool {
	ctx, stop := context.WithTimeout(o.ctx, readyWithin)
	defer stop()

	look := time.NewTicker(lookEvery)
	defer look.Stop()

	for !ready(ctx, "http://"+o.at.address) {
		select {
		case <-o.supervisor.over:
			return false
		case <-ctx.Done():
			if o.ctx.Err() == nil {
				o.t.Errorf("the hub is not ready within %s", readyWithin)
			}

			return false
		case <-look.C:
		}
	}

	return true
}

func (o *ordeal) attempt(by *caller, verb, operation string, variables vars, into any, committed mark) error {
	ask := func() error { return by.ask(o.ctx, operation, variables, into) }

	o.mu.Lock()
	trap := o.trap

	if trap == nil || trap.verb != verb {
		o.mu.Unlock()

		return ask()
	}

	o.trap = nil
	o.mu.Unlock()

	sprung, err := o.spring(*trap, ask, committed)
	if !sprung {
		o.count(func() { o.trap = trap })
	}

	return err
}

// spring makes the call, watches the database until the call's commit is there, and kills before the caller learns
// anything. It says whether that came to pass.
func (o *ordeal) spring(f fault, ask func() error, committed mark) (sprung bool, err error) {
	watcher, err := connectBeside(o.ctx, o.at.data)
	if err != nil {
		return false, ask()
	}
	defer watcher.Close(context.WithoutCancel(o.ctx)) //nolint:errcheck // by now it may well be dead

	before, err := committed.read(o.ctx, watcher)
	if err != nil {
		return false, ask()
	}

	answered := make(chan error, 1)

	go func() { answered <- ask() }()

	for over := false; ; {
		now, err := committed.read(o.ctx, watcher)

		switch {
		case err != nil:
			return false, errors.Join(err, <-answered)
		case now > before:
			return true, o.strike(f, answered)
		case over:
			// It was refused, or came to nothing new: then nothing is lost with its answer.
			return false, <-answered
		}

		over = len(answered) > 0
	}
}

// strike kills while the answer is held back, and then lets it through or not. One that shall come through is waited
// for first: else a dying Postgres may keep the hub from reading what it answers with.
func (o *ordeal) strike(f fault, answered <-chan error) error {
	early := len(answered) == 0

	var answer error
	if f.pass {
		answer = <-answered
	}

	if err := o.kill(f); err != nil {
		o.t.Error(err)
	}

	if !f.pass {
		answer = <-answered
	}

	o.count(func() {
		switch {
		case f.pass && answer == nil:
			o.lost["answered across the kill"]++
		case early:
			o.lost["killed before the hub itself had answered"]++
		default:
			o.lost["killed after the hub itself had answered"]++
		}
	})

	if f.pass {
		return answer
	}

	return errSwallowed
}

// kill kills and counts.
func (o *ordeal) kill(f fault) error {
	if f.target != theHub {
		server, err := postmasterOf(o.at.data)
		if err != nil {
			return err
		}

		if err := server.kill(); err != nil {
			return err
		}
	}

	if f.target != thePostgres {
		if err := o.supervisor.kill(); err != nil {
			return err
		}
	}

	o.count(func() { o.struck[f.String()]++ })
	o.tell()

	return nil
}

// awaitAnswers waits until so many more calls were answered.
func (o *ordeal) awaitAnswers(more int) {
	o.mu.Lock()
	until := o.known + more
	o.mu.Unlock()

	o.awaitThat(fmt.Sprintf("%d more calls were answered", more), func() bool { return o.known >= until })
}

// awaitThat waits until something is so, looked at under the lock whenever there is news.
func (o *ordeal) awaitThat(what string, so func() bool) {
	late := time.After(readyWithin)

	for {
		o.mu.Lock()
		is := so()
		o.mu.Unlock()

		if is {
			return
		}

		select {
		case <-o.news:
		case <-o.supervisor.over:
			o.t.Fatalf("the hub does not stay up: waited until %s", what)
		case <-late:
			o.t.Fatalf("waited %s in vain until %s", readyWithin, what)
		}
	}
}

// String tells what struck and what was lost.
func (o *ordeal) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()

	var out strings.Builder

	fmt.Fprintf(&out, "%d calls answered, %d starts of the hub", o.known, o.supervisor.started())

	for _, some := range []map[string]int{o.struck, o.lost} {
		for _, what := range slices.Sorted(maps.Keys(some)) {
			fmt.Fprintf(&out, "\n%6d  %s", some[what], what)
		}
	}

	return out.String()
}
